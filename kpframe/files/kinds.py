"""What a file is, seen from its first bytes; its name decides only between kinds of plain text.

Every command and reader asks here, so that a file is the same thing to all of them.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import zipfile
from dataclasses import dataclass
from typing import IO, Literal

from kpframe.files.byte_marks import by_mark
from kpframe.files.unpacking import PACKINGS, unpacked
from kpframe.files.urls import is_url, opened

__all__ = ["KINDS", "Kind", "Seen", "bare_name", "kind_of_bytes", "kind_of_file", "kind_of_stream"]

Group = Literal["text", "document", "table", "archive", "thesaurus", "annotated", "other"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of files: its `name`, `what` a sentence calls it, and the `group` that is read in one way.

    `text` is plain text, `document` text that must be taken out of something, `table` rows, `archive`
    files in one file, `thesaurus` linked terms, `annotated` UIMA's files, `other` nothing that is read.
    """

    name: str
    what: str
    group: Group


@dataclass(frozen=True, slots=True)
class Seen:
    """The kind of a file, and how it is packed: empty, `gz`, `zst`, `bz2` or `xz`."""

    kind: Kind
    packing: str = ""


KINDS = {
    kind.name: kind
    for kind in (
        Kind("text", "plain text", "text"),
        Kind("markdown", "Markdown", "document"),
        Kind("html", "an HTML page", "document"),
        Kind("pdf", "a PDF", "document"),
        Kind("docx", "a Word document", "document"),
        Kind("csv", "a CSV table", "table"),
        Kind("tsv", "a TSV table", "table"),
        Kind("jsonl", "JSON lines", "table"),
        Kind("json", "JSON", "table"),
        Kind("parquet", "a Parquet file", "table"),
        Kind("xlsx", "an Excel workbook", "table"),
        Kind("zip", "a zip archive", "archive"),
        Kind("tar", "a tar archive", "archive"),
        Kind("thesaurus", "a thesaurus or linked data (RDF, SKOS)", "thesaurus"),
        Kind("xmi", "a UIMA document", "annotated"),
        Kind("svg", "an SVG drawing", "other"),
        Kind("xml", "XML", "other"),
        Kind("yaml", "YAML", "other"),
        Kind("doc", "an old Word, Excel or PowerPoint file (OLE)", "other"),
        Kind("pptx", "a PowerPoint presentation", "other"),
        Kind("odf", "an OpenDocument file", "other"),
        Kind("epub", "an EPUB book", "other"),
        Kind("rtf", "an RTF document", "other"),
        Kind("postscript", "PostScript", "other"),
        Kind("djvu", "a DjVu document", "other"),
        Kind("image", "an image", "other"),
        Kind("sound", "a sound or video file", "other"),
        Kind("arrow", "an Arrow or Feather file", "other"),
        Kind("orc", "an ORC file", "other"),
        Kind("avro", "an Avro file", "other"),
        Kind("sqlite", "an SQLite database", "other"),
        Kind("hdf5", "an HDF5 file", "other"),
        Kind("numpy", "a NumPy array", "other"),
        Kind("pickle", "a Python pickle", "other"),
        Kind("program", "a program", "other"),
        Kind("7z", "a 7z archive", "other"),
        Kind("rar", "a RAR archive", "other"),
        Kind("binary", "binary data", "other"),
        Kind("misnamed", "not what its name says", "other"),
    )
}
"""All kinds by name."""

_MAGIC = (
    (b"%PDF", "pdf"), (b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip"), (b"PAR1", "parquet"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "doc"), (b"{\\rtf", "rtf"), (b"%!PS", "postscript"),
    (b"AT&TFORM", "djvu"), (b"\x89PNG", "image"), (b"\xff\xd8\xff", "image"), (b"GIF8", "image"),
    (b"II*\0", "image"), (b"MM\0*", "image"), (b"BM", "image?"), (b"RIFF", "sound?"), (b"OggS", "sound"),
    (b"ID3", "sound?"), (b"fLaC", "sound"), (b"ARROW1", "arrow"), (b"FEA1", "arrow"), (b"ORC", "orc?"),
    (b"Obj\x01", "avro"), (b"SQLite format 3\0", "sqlite"), (b"\x89HDF", "hdf5"), (b"\x93NUMPY", "numpy"),
    (b"\x7fELF", "program"), (b"MZ", "program?"), (b"\xca\xfe\xba\xbe", "program"),
    (b"7z\xbc\xaf\x27\x1c", "7z"), (b"Rar!\x1a\x07", "rar"),
    (b"\x80\x03", "pickle?"), (b"\x80\x04", "pickle?"), (b"\x80\x05", "pickle?"),
)  # fmt: skip
"""First bytes; where they could be words too (`?`), only what is no text is meant."""

_SUFFIXES = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json",
    ".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html", ".xhtml": "html",
    ".ttl": "thesaurus", ".rdf": "thesaurus", ".nt": "thesaurus", ".nq": "thesaurus", ".trig": "thesaurus",
    ".n3": "thesaurus", ".owl": "thesaurus", ".jsonld": "thesaurus", ".skos": "thesaurus",
    ".yaml": "yaml", ".yml": "yaml", ".xmi": "xmi", ".svg": "svg",
}  # fmt: skip
"""Kinds of plain text by the ending of a name."""

_PLAIN = (".txt", ".text", ".key", ".log", ".tex", ".rst")
"""Endings that say themselves that a file is to be read as it stands."""

_PROMISES = (
    ".pdf",
    ".docx",
    ".doc",
    ".xlsx",
    ".xls",
    ".pptx",
    ".odt",
    ".zip",
    ".tar",
    ".parquet",
    ".png",
    ".jpg",
)
"""Endings of files that are no plain text; one that is was cut off, or has a wrong name."""

_OFFICE = (
    ("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx"), ("META-INF/manifest.xml", "odf"),
    ("META-INF/container.xml", "epub"),
)  # fmt: skip
_TYPES = ((b"application/vnd.oasis.opendocument.", "odf"), (b"application/epub+zip", "epub"))
_LONGEST_TYPE = 100
_HEAD = 2**16
_PACKED = 2**21
"""Bytes of a packed file that are unpacked to see what is in it: two blocks of bz2."""
_TAR_MARK = slice(257, 262)
_TRIPLE = re.compile(
    rb"(?:#[^\n]*\n|\s)*(?:<[^<>\s]+>|_:\w+)\s+<[^<>\s]+>\s+(?:<[^<>\s]+>|_:\w+|\"[^\n]*)\s*\.\s"
)
_DRAWING = re.compile(rb"(?:\s|<\?[^>]*>|<!--(?:[^-]|-[^-])*-->|<!doctype[^>]*>)*<svg[\s>]")
_TURTLE = re.compile(rb"(?:#[^\n]*\n|\s)*(?:@prefix|@base|prefix\s+[\w-]*:\s*<)", re.IGNORECASE)


def kind_of_file(path: str, encoding: str = "utf-8", *, named: bool = True) -> Seen:
    """What the file at `path` is; text is seen through the `encoding`. OSError if it cannot be read.

    Its name counts only if it is `named`.
    """
    with opened(path) as stream:
        return kind_of_stream(stream, path if named else "", encoding)


def kind_of_bytes(content: bytes, name: str = "", encoding: str = "utf-8") -> Seen:
    """What some bytes are; `name` is that of their file, if they have one."""
    return kind_of_stream(io.BytesIO(content), name, encoding)


def kind_of_stream(stream: IO[bytes], name: str = "", encoding: str = "utf-8") -> Seen:
    """What an open file is; it is left at its beginning."""
    head = stream.read(_HEAD)
    stream.seek(0)
    packing = next((label for label, mark in PACKINGS.items() if head.startswith(mark)), "")
    if packing:
        inner = _beginning(stream, packing)
        if inner is None:  # damaged, or nothing here unpacks it: the name is all that is left
            inner = b""
        return Seen(_kind(inner, bare_name(name), io.BytesIO(inner), encoding), packing)
    return Seen(_kind(head, bare_name(name), stream, encoding))


def bare_name(name: str) -> str:
    """A file's name without the ending of its packing: `a.csv` for `a.csv.gz`, `a.tar` for `a.tgz`."""
    if is_url(name):  # what follows ? is no part of the name, and may be a secret
        name = name.partition("?")[0]
    stem, suffix = os.path.splitext(name)
    if suffix.lower() == ".tgz":
        return f"{stem}.tar"
    return stem if suffix.lower().lstrip(".") in PACKINGS else name


def _beginning(stream: IO[bytes], packing: str) -> bytes | None:
    packed = io.BytesIO(stream.read(_PACKED))  # a copy: some libraries close what they are given
    stream.seek(0)
    try:
        with unpacked(packed, packing) as inner:
            return inner.read(_HEAD)
    except Exception:  # whatever a library says of damaged data; who reads the file says what is wrong
        return None


def _kind(head: bytes, name: str, stream: IO[bytes], encoding: str) -> Kind:
    head = _as_utf8(head, encoding)
    binary = _is_binary(head)
    for mark, found in _MAGIC:
        if head.startswith(mark) and (binary or not found.endswith("?")):
            label = found.rstrip("?")
            return KINDS[_zipped(stream) if label == "zip" else label]
    if head[_TAR_MARK] == b"ustar" or (binary and name.lower().endswith(".tar")):
        return KINDS["tar"]
    suffix = os.path.splitext(name)[1].lower()
    if binary and suffix not in (*_PLAIN, *_SUFFIXES):
        return KINDS["binary"]
    if binary and _is_noise(head):
        return KINDS["binary"]
    return KINDS[_plain(head, suffix)]


def _as_utf8(head: bytes, encoding: str) -> bytes:
    """The beginning of a text in an encoding of which ASCII is no part, as UTF-16 and EBCDIC; else as it is.

    A byte order mark says it too.

    What a file is that says so in its first bytes, nobody's word for its encoding changes.
    """
    encoding = by_mark(head, encoding)
    try:
        if b"a".decode(encoding, "replace") == "a" or any(head.startswith(mark) for mark, _ in _MAGIC):
            return head
        text = codecs.getincrementaldecoder(encoding)("replace").decode(head)
    except UnicodeError:
        return head
    return text.encode("utf-8", "replace")


def _is_binary(head: bytes) -> bool:
    return b"\0" in head


def _is_noise(head: bytes) -> bool:
    """Whether so many bytes are control characters that it is no text with a stray one."""
    control = sum(byte < 9 or 13 < byte < 32 for byte in head)
    return control * 20 > len(head)


def _zipped(stream: IO[bytes]) -> str:
    """Word, Excel and others are zips with certain members; some say what they are in the first one."""
    said = b""
    try:
        whole = zipfile.ZipFile(stream)
        names = whole.namelist()
        if names[:1] == ["mimetype"]:
            with whole.open("mimetype") as first:
                said = first.read(_LONGEST_TYPE)
    except Exception:  # a damaged zip; who opens it says so
        names = []
    finally:
        stream.seek(0)
    if kind := next((kind for start, kind in _TYPES if said.startswith(start)), None):
        return kind
    if "[Content_Types].xml" not in names and not any(name.startswith("META-INF/") for name in names):
        return "zip"
    return next((kind for start, kind in _OFFICE if any(n.startswith(start) for n in names)), "zip")


def _plain(head: bytes, suffix: str) -> str:
    """The kind of a text, by the ending of its name, or by how it begins."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if suffix in _PLAIN:
        return "text"
    if suffix in _PROMISES:
        return "misnamed"
    if suffix in ("", ".json") and start.startswith((b"{", b"[")) and b'"@context"' in start[:4096]:
        return "thesaurus"
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    lower = start[:4096].lower()
    if lower.startswith((b"<!doctype html", b"<html")):
        return "html"
    if suffix == ".xml" or lower.startswith((b"<?xml", b"<rdf:rdf", b"<xmi:xmi", b"<svg")):
        return _xml(lower)
    if _TURTLE.match(start) or _TRIPLE.match(start):
        return "thesaurus"
    return "text" if suffix else _json(start)


def _xml(lower: bytes) -> str:
    if b"<rdf:rdf" in lower or b"/skos/core" in lower or b"owl#" in lower:
        return "thesaurus"
    if b"<html" in lower:
        return "html"
    if _DRAWING.match(lower):
        return "svg"
    return "xmi" if b"<xmi:xmi" in lower or b"/uima/" in lower else "xml"


def _json(start: bytes) -> str:
    """For what has no name that says more, as standard input: an object a line is JSON lines."""
    first, _, rest = start.partition(b"\n")
    if first.startswith(b"{") and first.rstrip().endswith(b"}") and re.match(rb'\{\s*"', first):
        return "jsonl" if not rest.strip() or rest.lstrip().startswith(b"{") else "text"
    return "json" if re.match(rb'\[\s*\{\s*"', start) else "text"
