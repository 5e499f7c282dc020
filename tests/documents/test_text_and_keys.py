"""Texts with a key file each."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from corpus_files import folder_with, parted, phrases, tarred, written, zipped

from kpframe.documents.files import Files
from kpframe.documents.text_and_keys import TextAndKeys
from kpframe.errors import DataError
from kpframe.model import Skipped
from kpframe.stages.registry import lookup

NESTED = {
    "Corpus/language.txt": "english\n",
    "Corpus/docsutf8/10.txt": "ten",
    "Corpus/docsutf8/2.txt": "two",
    "Corpus/keys/2.key": "alpha beta\r\n\r\n \ngamma;delta\n",
    "Corpus/keys/3.key": "lost\n",
}


@pytest.mark.parametrize("packing", ["folder", "zip", "tar"])
def test_the_layout_of_semeval_is_read(tmp_path: Path, packing: str) -> None:
    """Only texts in docsutf8 are documents; each of the two sides may lack the other."""
    if packing == "folder":
        path = folder_with(tmp_path / "c", NESTED)
    else:
        path = written(tmp_path / f"c.{packing}", (zipped if packing == "zip" else tarred)(NESTED))
    documents, skipped = parted(TextAndKeys(path=path))
    assert [(d.id, d.text, phrases(d)) for d in documents] == [
        ("2", "two", ["alpha beta", "gamma", "delta"]),
        ("10", "ten", []),
    ]
    assert [(s.place, s.reason) for s in skipped] == [
        (f"{path}/Corpus/keys/3.key", "there is no text for these keys")
    ]


def test_a_text_beside_its_keys_is_found_at_any_depth(tmp_path: Path) -> None:
    """The layout of Kea's own data."""
    path = folder_with(tmp_path, {"a/b/1.txt": "one", "a/b/1.key": "x\n", "2.txt": "two", "2.key": "y"})
    documents, _ = parted(TextAndKeys(path=path))
    assert [(d.id, phrases(d)) for d in documents] == [("2", ["y"]), ("1", ["x"])]


def test_labels_alone_and_labels_after_an_id_are_both_read(tmp_path: Path) -> None:
    """Kea writes `id<TAB>label`; a tab with nothing behind it (Nguyen2007) is white space."""
    keys = "grid computing\n4711\tdata mining\nNanoelectronics\t\n"
    (document,), _ = parted(TextAndKeys(path=folder_with(tmp_path, {"1.txt": "", "1.key": keys})))
    assert phrases(document) == ["grid computing", "data mining", "Nanoelectronics"]


def test_a_byte_order_mark_is_no_part_of_text_or_key(tmp_path: Path) -> None:
    """UTF-8 files from Windows begin with one."""
    files = {"1.txt": b"\xef\xbb\xbfNepal", "1.key": b"\xef\xbb\xbfNepal\r\n"}
    (document,), _ = parted(TextAndKeys(path=folder_with(tmp_path, files)))
    assert (document.text, phrases(document)) == ("Nepal", ["Nepal"])


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, [("a+b",), ("c",), ("d",)]),
        ({"variants": "+"}, [("a", "b"), ("c",), ("d",)]),
        ({"separator": None}, [("a+b",), ("c;d",)]),
        ({"separator": ","}, [("a+b",), ("c;d",)]),
    ],
)
def test_lines_are_split_as_asked(
    tmp_path: Path, parameters: dict[str, str | None], expected: list[tuple[str, ...]]
) -> None:
    """Semicolons part phrases unless told otherwise; variants are parted only when asked."""
    path = folder_with(
        tmp_path, {"1.txt": "", "1.key": "a+b\nc;d\n+\n" if parameters.get("variants") else "a+b\nc;d\n"}
    )
    (document,), _ = parted(TextAndKeys.model_validate({"path": path, **parameters}))
    assert [gold.variants for gold in document.gold] == expected


def test_of_two_files_with_one_name_the_second_is_called_by_its_folder(tmp_path: Path) -> None:
    """Ids are the names of files, so it would be mistaken for the first."""
    files = {"a/1.txt": "first", "a/1.key": "x", "b/1.txt": "second", "b/1.key": "y"}
    documents, skipped = parted(TextAndKeys(path=folder_with(tmp_path, files)))
    assert skipped == []
    assert [(d.id, d.text, phrases(d)) for d in documents] == [
        ("1", "first", ["x"]),
        ("b/1", "second", ["y"]),
    ]


def test_two_key_files_for_a_text_are_told(tmp_path: Path) -> None:
    """One beside the text and one in keys/: the first in the order of names counts."""
    files = {"docsutf8/1.txt": "text", "docsutf8/1.key": "x", "keys/1.key": "y"}
    documents, (skipped,) = parted(TextAndKeys(path=folder_with(tmp_path, files)))
    assert phrases(documents[0]) == ["x"]
    assert skipped.place == f"{tmp_path}/keys/1.key"


def test_cp1252_read_as_utf8_tells_file_offset_and_remedy(tmp_path: Path) -> None:
    """The encoding can then be set."""
    path = folder_with(tmp_path, {"1.txt": "Smart “quotes”".encode("cp1252"), "1.key": ""})
    _, skipped = parted(TextAndKeys(path=path))
    assert [(told.place, told.reason) for told in skipped] == [
        (
            f"{path}/1.txt",
            "byte 6 is not utf-8; set `encoding` to the one that the file has (often cp1252 or latin-1), "
            "or save it as UTF-8",
        )
    ]
    (document,), _ = parted(TextAndKeys(path=path, encoding="cp1252"))
    assert document.text == "Smart “quotes”"


def test_a_folder_without_texts_is_an_error(tmp_path: Path) -> None:
    """A wrong path is told as such."""
    with pytest.raises(DataError, match=r"holds no \.txt file"):
        list(TextAndKeys(path=folder_with(tmp_path, {"1.key": "x"})).read())


PAGE = {
    "1.html": "<p>page",
    "1.key": "x\n",
    "2.md": "# two",
    "2.key": "y\n",
    "3.txt": "three",
    "3.key": "z\n",
}


@pytest.mark.parametrize("pack", [None, zipped])
def test_pages_with_keys_are_documents(tmp_path: Path, pack: Callable[..., bytes] | None) -> None:
    """They were told as not read here; what has no keys is no document, since it may be a readme."""
    files = {**PAGE, "README.md": "about"}
    path = written(tmp_path / "c.zip", pack(files)) if pack else folder_with(tmp_path / "c", files)
    documents, skipped = parted(TextAndKeys(path=path))
    assert [(d.id, d.text, phrases(d)) for d in documents] == [
        ("1", "page", ["x"]), ("2", "two", ["y"]), ("3", "three", ["z"]),
    ]  # fmt: skip
    assert skipped == []
    documents, _ = parted(Files(path=(path,), with_keys=False))
    assert [(d.id, phrases(d)) for d in documents] == [("1", []), ("2", []), ("3", []), ("README", [])]


def test_pages_alone_with_keys_are_a_corpus(tmp_path: Path) -> None:
    """Without a single .txt the keys were passed over."""
    path = folder_with(tmp_path, {"1.html": "<p>page", "1.key": "x\n"})
    for reader in (TextAndKeys(path=path), Files(path=(path,))):
        documents, skipped = parted(reader)
        assert ([(d.id, d.text, phrases(d)) for d in documents], skipped) == ([("1", "page", ["x"])], [])


def test_a_text_is_evaluated_once_and_extracted_in_every_form(tmp_path: Path) -> None:
    """A paper beside its page would count twice in averages; who extracts gets both."""
    path = folder_with(tmp_path, {"1.txt": "text", "1.html": "<p>page", "1.key": "x\n"})
    (document,), _ = parted(TextAndKeys(path=path))
    assert (document.id, document.text, phrases(document)) == ("1", "text", ["x"])
    (document,), (skipped,) = parted(Files(path=(path,)))
    assert (document.text, skipped.place) == ("text", f"{path}/1.html")
    documents, skips = parted(Files(path=(path,), with_keys=False))
    assert ([(d.id, d.text) for d in documents], skips) == ([("1.html", "page"), ("1.txt", "text")], [])


@pytest.mark.parametrize("key", ["Größe".encode("latin-1"), b"\x89PNG\r\n\x1a\n\0\xff"])
def test_bad_keys_cost_no_text_and_are_named(tmp_path: Path, key: bytes) -> None:
    """The text was lost, and named as the file that is wrong; who extracts does not ask for keys."""
    path = folder_with(tmp_path, {"a.txt": "healthy", "a.key": key, "b.txt": "too", "b.key": "x"})
    for reader in (TextAndKeys(path=path), Files(path=(path,))):
        documents, (skipped,) = parted(reader)
        assert [(d.id, d.text, phrases(d)) for d in documents] == [("a", "healthy", []), ("b", "too", ["x"])]
        assert skipped.place == f"{path}/a.key" and "is not utf-8" in skipped.reason
    documents, skips = parted(Files(path=(path,), with_keys=False))
    assert ([(d.id, d.text) for d in documents], skips) == ([("a", "healthy"), ("b", "too")], [])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_marked_texts_and_keys_are_read(tmp_path: Path, encoding: str) -> None:
    """As in a folder without keys."""
    path = folder_with(tmp_path, {"a.txt": "Größe".encode(encoding), "a.key": "Maß\n".encode(encoding)})
    (document,), skipped = parted(TextAndKeys(path=path))
    assert (document.text, phrases(document), skipped) == ("Größe", ["Maß"], [])


def test_packed_texts_have_their_keys(tmp_path: Path) -> None:
    """A packed text beside keys was passed over without a word."""
    path = folder_with(tmp_path, {"a.txt.gz": gzip.compress(b"text"), "a.key": "x\n"})
    (document,), skipped = parted(Files(path=(path,)))
    assert (document.id, document.text, phrases(document), skipped) == ("a", "text", ["x"], [])


def test_files_of_programs_for_writing_are_told_beside_texts(tmp_path: Path) -> None:
    """Whether anything reads them or not: each once, by the reader and by `files`."""
    for name in ("a.txt", "a.key", "b.odt", "c.rtf", "d.doc", "e.epub", "f.pptx", "g.pdf", "h.csv"):
        (tmp_path / name).write_text("wind power\n")
    wanted = ["b.odt", "c.rtf", "d.doc", "e.epub", "f.pptx", "g.pdf"]
    for kind, more in (("text_and_keys", []), ("files", ["h.csv"])):
        found = list(lookup("documents", kind)(path=str(tmp_path)).read())
        told = [Path(one.place).name for one in found if isinstance(one, Skipped)]
        assert sorted(told) == [*wanted, *more]
