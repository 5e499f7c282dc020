"""The encoding that the user names wins, with a byte order mark or without, whatever its bytes look like."""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from pathlib import Path

import pytest
from corpus_files import parted

from kpframe.documents.files import Files
from kpframe.documents.table import TableReader
from kpframe.documents.text import Text
from kpframe.errors import DataError
from kpframe.files.kinds import kind_of_bytes

WIDE = ["utf-16-le", "utf-16-be", "utf-16", "utf-32-le", "utf-32-be", "utf-32", "UTF-16LE", "cp037", "cp500"]
TEXT = "Röte Milane\njagen Reiher, selten"


@pytest.mark.parametrize("name", ["a.txt", "a", "a.tex", "a.xyz"])
@pytest.mark.parametrize("encoding", [*WIDE, "utf-7", "latin-1", "cp1252", "mac-roman"])
def test_a_text_is_read_as_its_user_says(encoding: str, name: str, tmp_path: Path) -> None:
    """By both readers of texts, whatever its name ends with, and packed."""
    path = tmp_path / name
    path.write_bytes(TEXT.encode(encoding))
    for reader in (Text, Files):
        documents, skipped = parted(reader(path=str(path), encoding=encoding))  # type: ignore[arg-type]
        assert [one.text for one in documents] == [TEXT]
        assert skipped == []
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(TEXT.encode(encoding)))
    assert [one.text for one in parted(Files(path=(str(packed),), encoding=encoding))[0]] == [TEXT]


@pytest.mark.parametrize("mark", [True, False])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_a_byte_order_mark_is_no_part_of_the_text(encoding: str, mark: bool, tmp_path: Path) -> None:
    """Whether there is one or not."""
    path = tmp_path / "a.txt"
    path.write_bytes((("\ufeff" if mark else "") + TEXT).encode(encoding))
    assert [one.text for one in parted(Files(path=(str(path),), encoding=encoding))[0]] == [TEXT]


@pytest.mark.parametrize("encoding", WIDE)
def test_tables_and_pages_and_members_are_read_alike(encoding: str, tmp_path: Path) -> None:
    """What a table is, is seen through the encoding."""
    table = tmp_path / "t.csv"
    table.write_bytes("id,text\n1,Milane\n".encode(encoding))
    for reader in (
        TableReader(path=str(table), encoding=encoding),
        Files(path=(str(table),), encoding=encoding),
    ):
        documents, _ = parted(reader)
        assert [(one.id, one.text) for one in documents] == [("1", "Milane")]
    page = tmp_path / "p.html"
    page.write_bytes("<html><body><p>Milane</p></body></html>".encode(encoding))
    assert [one.text.strip() for one in parted(Files(path=(str(page),), encoding=encoding))[0]] == ["Milane"]
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as packed:
        packed.writestr("a.txt", TEXT.encode(encoding))
    documents, skipped = parted(Files(path=(str(tmp_path / "z.zip"),), encoding=encoding))
    assert ([one.text for one in documents], skipped) == ([TEXT], [])


def test_standard_input_is_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no name."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode("utf-16-le"))))
    documents, _ = parted(Files(path=("-",), encoding="utf-16-le"))
    assert [one.text for one in documents] == [TEXT]


@pytest.mark.parametrize("encoding", ["utf-16-le", "latin-1", "cp037"])
def test_what_says_itself_what_it_is_stays_that(encoding: str) -> None:
    """A PDF, a picture or a zip is none the less one."""
    for content, kind in ((b"%PDF-1.7 \0", "pdf"), (b"\x89PNG\r\n\x1a\n\0", "image"), (b"PAR1\0", "parquet")):
        assert kind_of_bytes(content, "a.txt", encoding).kind.name == kind


def test_without_a_word_such_bytes_are_no_text(tmp_path: Path) -> None:
    """As before: nobody says what they are."""
    path = tmp_path / "a"
    path.write_bytes(TEXT.encode("utf-16-le"))
    with pytest.raises(DataError, match="binary data"):
        parted(Files(path=(str(path),)))
    path.write_bytes(b"\xd8\x00\x00a" * 40)  # half a surrogate, in the encoding that is named
    with pytest.raises(DataError, match=r"byte 0 is not utf-16-be"):
        parted(Files(path=(str(path),), encoding="utf-16-be"))
