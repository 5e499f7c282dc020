"""Archives that nobody vouches for."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from corpus_files import folder_with, tarred, written, zipped

from kpframe.errors import DataError
from kpframe.files.archives import open_container, open_nested
from kpframe.files.container import Limits, natural_key

FILES = {"b/10.txt": "ten", "b/2.txt": "two", "a.txt": "a", ".hidden/x.txt": "", "__MACOSX/b/._2.txt": ""}


@pytest.mark.parametrize(
    "packing",
    ["folder", "zip", "tar", "tar.gz", "tar.bz2", "tar.xz"],
)
def test_folders_and_archives_are_the_same_to_readers(tmp_path: Path, packing: str) -> None:
    """Names relative to the container, in natural order, hidden files left out."""
    if packing == "folder":
        path = folder_with(tmp_path / "c", FILES)
    elif packing == "zip":
        path = written(tmp_path / "c", zipped(FILES))
    else:
        path = written(tmp_path / "c", tarred(FILES, f"w:{packing.partition('.')[2]}"))
    with open_container(path) as container:
        assert [m.name for m in container.members] == ["a.txt", "b/2.txt", "b/10.txt"]
        assert container.members[0].place == f"{path}/a.txt"
        assert [container.read(m) for m in container.members] == [b"a", b"two", b"ten"]
        assert container.skipped == []


def test_a_tar_may_be_packed_by_zstandard(tmp_path: Path) -> None:
    """It was neither a folder nor a whole archive."""
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow (pip install 'kpframe[tables]')")
    content = pyarrow.compress(tarred(FILES, "w"), codec="zstd", asbytes=True)
    with open_container(written(tmp_path / "c.tar.zst", content)) as container:
        assert [container.read(m) for m in container.members] == [b"a", b"two", b"ten"]
    with pytest.raises(DataError, match="is cut off or damaged"):
        open_container(written(tmp_path / "cut.tar.zst", content[:40]))
    bomb = pyarrow.compress(tarred({"a": b"0" * 9_000_000}, "w"), codec="zstd", asbytes=True)
    with pytest.raises(DataError, match="grows more than"):
        open_container(written(tmp_path / "bomb.tar.zst", bomb))


def test_the_kind_is_told_by_the_content_not_by_the_name(tmp_path: Path) -> None:
    """A tar whose last member is a zip is a tar, though a zip's end mark stands at its end."""
    path = written(tmp_path / "corpus.zip", tarred({"x.zip": zipped({"1.txt": "one"})}, "w"))
    with open_container(path) as outer:
        (member,) = outer.members
        with open_nested(outer, member) as inner:
            assert [(m.place, inner.read(m)) for m in inner.members] == [(f"{path}/x.zip/1.txt", b"one")]


UNSAFE = ["../out.txt", "a/../../out.txt", "/etc/passwd", "C:\\out.txt", "..\\out.txt", "a/.."]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_names_that_lead_out_are_skipped_and_told(tmp_path: Path, pack: object) -> None:
    """The rest is read, and nothing is written anywhere."""
    content = pack({**dict.fromkeys(UNSAFE, "evil"), "fine.txt": "ok"})  # type: ignore[operator]
    path = written(tmp_path / "c", content)
    with open_container(path) as container:
        assert [m.name for m in container.members] == ["fine.txt"]
        assert len(container.skipped) == len(UNSAFE)
        reasons = {"has an absolute name", "has a name that leads out of the archive"}
        assert {s.reason for s in container.skipped} == reasons
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c"]


def test_links_devices_and_twins_are_skipped(tmp_path: Path) -> None:
    """In a tar by their type, in a zip by the mode of the file."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for name, kind in (("s", tarfile.SYMTYPE), ("h", tarfile.LNKTYPE), ("f", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            tar.addfile(info)
    with open_container(written(tmp_path / "t", made.getvalue())) as container:
        assert [s.reason for s in container.skipped] == [
            "is a link; only files themselves are read",
            "is a link; only files themselves are read",
            "is not a regular file",
        ]
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    zipped_link = io.BytesIO()
    with zipfile.ZipFile(zipped_link, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("a\\b.txt", "1")
        archive.writestr("a/b.txt", "2")
    with open_container(written(tmp_path / "z", zipped_link.getvalue())) as container:
        assert [(m.name, container.read(m)) for m in container.members] == [("a/b.txt", b"1")]
        assert [s.reason for s in container.skipped] == [
            "is a link; only files themselves are read",
            "is there twice",
        ]


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    """Ten megabytes of zeros pack a thousandfold."""
    path = written(tmp_path / "z", zipped({"1.txt": bytes(10 * 2**20)}))
    with open_container(path) as container, pytest.raises(DataError) as caught:
        container.read(container.members[0])
    assert str(caught.value) == (
        f"{path}/1.txt: grows more than 200 times when unpacked; if you trust it, unpack it yourself"
    )


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
@pytest.mark.slow
def test_a_compressed_tar_bomb_is_refused_while_it_grows(tmp_path: Path, mode: str) -> None:
    """Memory stays near the limit."""
    path = written(tmp_path / "t", tarred({"1.txt": bytes(20 * 2**20)}, mode))
    with pytest.raises(DataError, match="grows more than 200 times"):
        open_container(path)


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_limits_on_number_and_size_are_kept(tmp_path: Path, pack: object) -> None:
    """The remedy is told."""
    path = written(tmp_path / "c", pack({"a": "1234", "b": "12345"}))  # type: ignore[operator]
    with pytest.raises(DataError) as many:
        open_container(path, Limits(members=1))
    assert str(many.value) == f"{path}: has more than 1 members; unpack it and give the folder"
    with open_container(path, Limits(size=4)) as container:
        assert container.read(container.members[0]) == b"1234"
        with pytest.raises(DataError) as large:
            container.read(container.members[1])
    assert str(large.value) == f"{path}/b: has more than 4 bytes; split it into smaller files"


def test_a_compressed_tar_must_fit_into_memory(tmp_path: Path) -> None:
    """It cannot be entered in the middle, so it is held whole."""
    path = written(tmp_path / "c", tarred({"a": "1"}))
    with pytest.raises(DataError, match="has more than 100 bytes unpacked; unpack it and give the folder"):
        open_container(path, Limits(total=100))


def test_a_large_file_in_a_folder_is_refused(tmp_path: Path) -> None:
    """A file of that size is no document."""
    path = folder_with(tmp_path, {"a": "12345"})
    with (
        open_container(path, Limits(size=4)) as container,
        pytest.raises(DataError, match="more than 4 bytes"),
    ):
        container.read(container.members[0])


@pytest.mark.parametrize("pack", [zipped, tarred, lambda files: tarred(files, "w")], ids=["zip", "gz", "tar"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_a_truncated_archive_is_an_error_never_a_smaller_corpus(
    tmp_path: Path, pack: object, share: float
) -> None:
    """Wherever it is cut, even between two members of a tar."""
    noise = "".join(chr(33 + i * i % 89) for i in range(4000))
    whole: bytes = pack({f"{i}.txt": noise[i * 100 :] for i in range(9)})  # type: ignore[operator]
    path = written(tmp_path / "c", whole[: int(len(whole) * share)])
    with pytest.raises(DataError, match=r"cut off or damaged|nor a whole zip or tar"):
        open_container(path)


def test_a_tar_cut_exactly_between_two_members_is_noticed(tmp_path: Path) -> None:
    """`tarfile` itself would take the end of the file for the end of the archive."""
    whole = tarred({"1.txt": "one", "2.txt": "two"}, "w")
    with pytest.raises(DataError, match="no end mark after the last member"):
        open_container(written(tmp_path / "c", whole[: 2 * tarfile.BLOCKSIZE]))


def test_a_damaged_member_is_an_error(tmp_path: Path) -> None:
    """The checksum of the zip tells."""
    content = zipped({"1.txt": "some text that is long enough"})
    broken = bytearray(content)
    broken[45] ^= 0xFF
    with (
        open_container(written(tmp_path / "z", bytes(broken))) as container,
        pytest.raises(DataError) as caught,
    ):
        container.read(container.members[0])
    assert "1.txt: is cut off or damaged" in str(caught.value)


def test_a_file_of_another_kind_is_told(tmp_path: Path) -> None:
    """Neither folder nor archive."""
    path = written(tmp_path / "paper.pdf", "%PDF-1.7")
    with pytest.raises(DataError) as caught:
        open_container(path)
    assert str(caught.value) == (
        f"{path}: is neither a folder nor a whole zip or tar archive; correct the path, or fetch it again"
    )
    with pytest.raises(DataError, match="does not exist; correct the path"):
        open_container(str(tmp_path / "no"))


def test_names_are_in_natural_order() -> None:
    """Runs of digits by value, however long; leading zeros break ties only."""
    names = ["a10", "a2", "a02", "a", "b1", "10", "9", "9" * 5000, "a2b10", "a2b9"]
    assert sorted(names, key=natural_key) == [
        "9", "10", "9" * 5000, "a", "a02", "a2", "a2b9", "a2b10", "a10", "b1",
    ]  # fmt: skip
