"""The encoding that the user names wins, with a byte order mark or without, whatever its bytes look like."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from corpus_files import parted
from families import every

from kpframe.cli import main
from kpframe.documents.files import Files
from kpframe.documents.table import TableReader
from kpframe.documents.text import Text
from kpframe.errors import DataError
from kpframe.files.kinds import kind_of_bytes
from kpframe.files.unpacking import packed as pack_stream

WIDE = ["utf-16-le", "utf-16-be", "utf-16", "utf-32-le", "utf-32-be", "utf-32", "UTF-16LE", "cp037", "cp500"]
TEXT = "Röte Milane\njagen Reiher, selten"
LINE = TEXT.replace("\n", " ")


def zstd(content: bytes) -> bytes:
    """The bytes packed."""
    packed = io.BytesIO()
    packed.close = lambda: None  # type: ignore[method-assign]  # pyarrow closes what it is given
    with pack_stream(packed, "zst") as stream:
        stream.write(content)
    return packed.getvalue()


@every("name", ["a.txt", "a", "a.tex", "a.xyz"])
@every("encoding", [*WIDE, "utf-7", "latin-1", "cp1252", "mac-roman"])
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


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, zstd])
def test_what_a_mark_says_needs_no_option(
    encoding: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """UTF-32 was taken for UTF-16 with a null behind each letter, JSON lines were refused altogether."""
    contents = {
        "a.txt": LINE,
        "b.html": f"<html><body><p>{LINE}</p></body></html>",
        "c.jsonl": json.dumps({"id": "c", "text": LINE}, ensure_ascii=False) + "\n",
        "d.csv": f'id,text\nd,"{LINE}"\n',
        "e.json": json.dumps([{"id": "e", "text": LINE}], ensure_ascii=False),
        "f.md": LINE,
        "g": f'id,text\ng,"{LINE}"\n',
    }
    for name, content in contents.items():
        path = tmp_path / name
        path.write_bytes(pack(("\ufeff" + content).encode(encoding)))
        documents, skipped = parted(Files(path=(str(path),)))
        assert ([one.text.strip() for one in documents], skipped) == ([LINE], []), name
        assert documents[0].id == path.stem


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_lines_of_a_text_are_read_by_its_mark(encoding: str, tmp_path: Path) -> None:
    """They are read piece by piece."""
    path = tmp_path / "a.txt"
    path.write_bytes(f"{LINE}\nMilane\n".encode(encoding))
    documents, _ = parted(Files(path=(str(path),), unit="line"))
    assert [one.text for one in documents] == [LINE, "Milane"]


def test_an_encoding_counts_for_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The advice to set one was refused as without effect."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(json.dumps({"text": "die Größe des Baumes"}, ensure_ascii=False).encode("latin-1"))
    words = ["extract", "--pipeline", "any-language", "--language", "de", str(path), "--encoding"]
    assert main([*words, "latin-1"]) == 0
    assert "Größe" in capsys.readouterr().out
