"""What a file is, seen from its first bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest
from families import every
from hypothesis import given
from hypothesis import strategies as st

from kpframe.files.kinds import KINDS, bare_name, kind_of_bytes


def zipped(*names: str) -> bytes:
    """A zip with empty files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name in names:
            file.writestr(name, "")
    return buffer.getvalue()


def typed(kind: str) -> bytes:
    """A zip whose first file says what it is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("mimetype", kind)
        file.writestr("content.xml", "<x/>")
    return buffer.getvalue()


def tarred() -> bytes:
    """A tar with one empty file."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as file:
        file.addfile(tarfile.TarInfo("a.txt"))
    return buffer.getvalue()


SEEN = [
    (b"%PDF-1.7\n", "a.txt", "pdf"),
    (zipped("[Content_Types].xml", "word/document.xml"), "a.zip", "docx"),
    (zipped("[Content_Types].xml", "xl/workbook.xml"), "a", "xlsx"),
    (zipped("[Content_Types].xml", "ppt/presentation.xml"), "a", "pptx"),
    (zipped("mimetype", "META-INF/manifest.xml"), "a.docx", "odf"),
    (zipped("META-INF/container.xml"), "a", "epub"),
    (zipped("a.txt"), "a.csv", "zip"),
    (b"PK\x03\x04cut off", "a.zip", "zip"),
    (tarred(), "a", "tar"),
    (b"PAR1....", "a.csv", "parquet"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.doc", "doc"),
    (b"{\\rtf1", "a.txt", "rtf"),
    (b"\x89PNG\r\n\x1a\n", "a.txt", "image"),
    (b"SQLite format 3\0", "a.db", "sqlite"),
    (b"\x7fELF\x02\x01\x01", "a", "program"),
    (b"\x80\x04\x95\0\0\0", "a.pkl", "pickle"),
    (b"BMW builds cars", "a.txt", "text"),
    (b"MZ and PE are the heads of programs", "a", "text"),
    (b"a,b\n1,2\n", "a.csv", "csv"),
    (b"a\tb\n", "a.TSV", "tsv"),
    (b'{"text": "x"}\n', "a.jsonl", "jsonl"),
    (b'{"text": "x"}\n{"text": "y"}\n', "", "jsonl"),
    (b'[{"text": "x"}]', "", "json"),
    (b"{not json} is a text", "", "text"),
    (b"# Title", "a.md", "markdown"),
    (b"<!DOCTYPE html><p>x", "", "html"),
    (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "a.xml", "html"),
    (b"<p>markup in a text", "a.txt", "text"),
    (b"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .", "terms", "thesaurus"),
    (b"# comment\n<http://a> <http://b> <http://c> .\n", "x", "thesaurus"),
    (b'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="x">', "t.xml", "thesaurus"),
    (b'{"@context": {}, "@graph": []}', "t.json", "thesaurus"),
    (b"anything", "t.ttl", "thesaurus"),
    (b'<?xml version="1.0"?><TEI>', "a.xml", "xml"),
    (b"\xff\xfet\0e\0x\0t\0", "a.txt", "text"),
    (b"one \0 stray null in a text, as some exports have it", "a.txt", "text"),
    (bytes(range(32)) * 4, "a.txt", "binary"),
    (b"plain words", "a.pdf", "misnamed"),
    (b"", "a.txt", "text"),
    (typed("application/vnd.oasis.opendocument.text"), "a.odt", "odf"),
    (typed("application/vnd.oasis.opendocument.spreadsheet"), "a", "odf"),
    (typed("application/epub+zip"), "a.epub", "epub"),
    (typed("my own words"), "a.zip", "zip"),
    (b'<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>', "a.svg", "svg"),
    (b'<?xml version="1.0"?>\n<!-- drawn - by hand --><!DOCTYPE svg>\n<svg>', "a.xml", "svg"),
    (b"<svg width='1'>", "", "svg"),
    (b"<?xml version='1.0'?><TEI><svg></TEI>", "a.xml", "xml"),
]


@every(("content", "name", "kind"), SEEN)
def test_the_first_bytes_say_what_a_file_is(content: bytes, name: str, kind: str) -> None:
    """The name decides only between kinds of plain text."""
    assert kind_of_bytes(content, name).kind == KINDS[kind]


@every(("pack", "packing"), [(gzip.compress, "gz"), (bz2.compress, "bz2"), (lzma.compress, "xz")])
@every(("content", "name", "kind"), [SEEN[0], SEEN[8], SEEN[18], SEEN[20]])
def test_what_is_packed_is_seen_inside(
    pack: object, packing: str, content: bytes, name: str, kind: str
) -> None:
    """The name counts without the ending of the packing."""
    seen = kind_of_bytes(pack(content), f"{name}.{packing}")  # type: ignore[operator]
    assert (seen.kind.name, seen.packing) == (kind, packing)


def test_zstandard_is_seen_inside() -> None:
    """By pyarrow, which the tables need anyway."""
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow (pip install 'kpframe[tables]')")
    packed = pyarrow.compress(b"a,b\n" * 9, codec="zstd", asbytes=True)
    assert kind_of_bytes(packed, "a.csv.zst").kind.name == "csv"


def test_names_lose_the_ending_of_the_packing_alone() -> None:
    """A .tgz is a .tar."""
    assert [bare_name(name) for name in ("a.csv.gz", "a.tgz", "a.zip", "gz")] == [
        "a.csv",
        "a.tar",
        "a.zip",
        "gz",
    ]


@given(st.binary(max_size=200), st.sampled_from(["", "a", "a.txt", "a.csv.gz", "a.json", "a.zip", "a.tar"]))
@pytest.mark.slow
def test_any_bytes_are_of_some_kind(content: bytes, name: str) -> None:
    """And nothing raises."""
    assert kind_of_bytes(content, name).kind in KINDS.values()
    for mark in (b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"):
        assert kind_of_bytes(mark + content, name).kind in KINDS.values()
