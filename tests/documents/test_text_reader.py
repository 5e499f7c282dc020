"""Plain text from files, folders and standard input."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from corpus_files import folder_with, parted, written

from kpframe.documents.text import Text
from kpframe.errors import DataError


def test_a_file_is_a_document(tmp_path: Path) -> None:
    """Line ends become line feeds, the byte order mark goes, the rest stays as it is."""
    path = written(tmp_path / "paper.v2.txt", b"\xef\xbb\xbfOne\r\n\r\n  two \rthree")
    (document,), _ = parted(Text(path=path, language="de"))
    assert (document.id, document.text, document.language) == ("paper.v2", "One\n\n  two \nthree", "de")


def test_a_folder_gives_every_text_below_it_in_natural_order(tmp_path: Path) -> None:
    """Ids are relative paths, so equal names in two folders stay apart; empty files are documents."""
    path = folder_with(tmp_path, {"10.txt": "c", "2.txt": "", "sub/2.TXT": "d", "x.yaml": "", ".y.txt": ""})
    documents, skipped = parted(Text(path=path))
    assert [(d.id, d.text) for d in documents] == [("2", ""), ("10", "c"), ("sub/2", "d")]
    assert skipped == []


def test_a_line_can_be_a_document(tmp_path: Path) -> None:
    """Blank lines are none; numbers count all lines; form feeds and U+2028 end no line."""
    path = written(tmp_path / "q.txt", "cheap flights\n\n \r\nto\u2028Lisbon\x0cin May")
    documents, _ = parted(Text(path=path, unit="line"))
    assert [(d.id, d.text) for d in documents] == [
        ("q-1", "cheap flights"),
        ("q-4", "to\u2028Lisbon\x0cin May"),
    ]


@pytest.mark.parametrize(("unit", "expected"), [("document", [("stdin", "a\nb\n")]), ("line", [("stdin-1", "a"), ("stdin-2", "b")])])  # fmt: skip # noqa: E501
def test_a_dash_is_standard_input(
    monkeypatch: pytest.MonkeyPatch, unit: str, expected: list[tuple[str, str]]
) -> None:
    """As bytes, in the encoding that is set."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\r\nb\n")))
    reader = Text.model_validate({"path": "-", "unit": unit})
    assert list(reader.problems(["en"])) == []
    documents, _ = parted(reader)
    assert [(d.id, d.text) for d in documents] == expected


def test_undecodable_bytes_are_told(tmp_path: Path) -> None:
    """With file, offset and remedy, for whole files and for lines."""
    path = written(tmp_path / "a.txt", b"ok\n\xff")
    for reader in (Text(path=path), Text(path=path, unit="line")):
        with pytest.raises(DataError) as caught:
            list(reader.read())
        assert str(caught.value).startswith(f"{path}: byte 3 is not utf-8; set `encoding`")


def test_links_are_skipped_and_told(tmp_path: Path) -> None:
    """A link may lead out of the folder, or in circles."""
    path = folder_with(tmp_path / "c", {"a.txt": "a"})
    (tmp_path / "c" / "b.txt").symlink_to("/etc/passwd")
    (tmp_path / "c" / "loop").symlink_to(tmp_path / "c")
    documents, skipped = parted(Text(path=path))
    assert [d.id for d in documents] == ["a"]
    assert {s.place for s in skipped} == {f"{path}/b.txt", f"{path}/loop"}


@pytest.mark.parametrize("unit", ["document", "line"])
def test_a_missing_file_is_an_error(tmp_path: Path, unit: str) -> None:
    """If nobody asked for problems() before."""
    with pytest.raises(DataError) as caught:
        list(Text.model_validate({"path": str(tmp_path / "no.txt"), "unit": unit}).read())
    assert str(caught.value) == (
        f"{tmp_path}/no.txt: cannot be read (No such file or directory); check the path and its permissions"
    )


def test_a_folder_without_texts_is_an_error(tmp_path: Path) -> None:
    """A wrong path is told as such."""
    with pytest.raises(DataError, match=r"holds no \.txt file"):
        list(Text(path=folder_with(tmp_path, {"a.csv": ""})).read())
