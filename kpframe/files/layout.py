"""How a folder or an archive of files is laid out: which reader it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kpframe.errors import DataError, KpframeError
from kpframe.files.container import Container, Member
from kpframe.files.keyed_texts import PLAIN, texts_to_evaluate
from kpframe.files.kinds import Kind, bare_name

__all__ = [
    "TEXTS",
    "TEXT_COLUMNS",
    "Layout",
    "holds_text",
    "is_named_as_text",
    "layout_of",
    "may_be_meant",
    "refused",
    "without_runs",
    "without_texts",
]

TEXTS = ".txt, .md, .html, .pdf or .docx"
"""The files that have a text, in words."""
TEXT_COLUMNS = ("text", "abstract", "body", "content", "fulltext", "full_text", "document", "article")
"""What columns with texts are called, the likeliest first."""

LayoutKind = Literal["text_and_keys", "jsonl", "table", "cas", "text"]
_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".tsv", ".tab", ".parquet", ".xlsx")

_WRITTEN = (".pdf", ".docx")
_UNREAD = (".doc", ".odt", ".rtf", ".epub", ".pptx")
_ENDINGS = (*PLAIN, ".md", ".markdown", ".html", ".htm", ".xhtml", *_WRITTEN)
_OWN = ("kpframe-schema.json",)
_RUN = "resolved.yaml"
"""What every folder of a run has."""


@dataclass(frozen=True)
class Layout:
    """The kind of reader for some files, the files that it reads, and the others."""

    kind: LayoutKind
    used: Sequence[Member]
    others: Sequence[Member]


def layout_of(root: Container) -> Layout:
    """The layout of an open folder or archive; texts with keys first, then what there is more of.

    DataError, with what there is, if nothing in it is read.
    """
    members = without_runs(root)
    texts = [member for member in members if holds_text(member)]
    keys = [member for member in members if member.suffix == ".key"]
    lines = _with_ending(members, _LINES)
    tables = _with_ending(members, _TABLES)
    annotated = _with_ending(members, (".xmi",))
    kind: LayoutKind
    if keys and (evaluated := texts_to_evaluate(texts, keys)):
        kind, used = "text_and_keys", [*evaluated, *keys]
    elif len(texts) > len(lines) + len(tables) + len(annotated):
        kind, used = "text", texts
    elif lines:
        kind, used = "jsonl", lines
    elif tables:
        kind, used = "table", tables
    elif annotated:
        kind, used = "cas", [*annotated, *_with_ending(members, ("typesystem.xml",))]
    else:
        raise _nothing(root, members)
    names = {member.name for member in used}
    return Layout(kind, used, [member for member in members if member.name not in names])


def _with_ending(members: Sequence[Member], endings: tuple[str, ...]) -> list[Member]:
    return [member for member in members if bare_name(member.name).lower().endswith(endings)]


def without_texts(root: Container, problem: str, remedy: str) -> KpframeError:
    """The error for a folder or archive in which nothing is found: that it is encrypted, or `problem`."""
    if any(told.reason == "is encrypted" for told in root.skipped):
        remedy = "unpack it with its password, and give the folder"
        return DataError.at(root.place, "is encrypted", remedy)
    return DataError.at(root.place, problem, remedy)


def _nothing(root: Container, members: Sequence[Member]) -> KpframeError:
    seen = sorted({member.suffix or "files without an ending" for member in members})
    what = f"holds no texts that kpframe reads, but {', '.join(seen[:6])}" if seen else "holds no file"
    return without_texts(root, what, f"give {TEXTS} files, or one .jsonl, .csv, .parquet or .xlsx file")


def holds_text(member: Member) -> bool:
    """Whether the name of a file in a folder promises a text; what it is is seen when it is read."""
    return is_named_as_text(member.name)


def may_be_meant(member: Member) -> bool:
    """Whether a file that is not read beside texts may be meant as one: a PDF, or what an office writes."""
    return bare_name(member.name).lower().endswith((*_WRITTEN, *_UNREAD))


def is_named_as_text(name: str) -> bool:
    """Whether a name, packed or not, is that of a file with one text."""
    return bare_name(name).lower().endswith(_ENDINGS)


def without_runs(root: Container) -> list[Member]:
    """The files but for specs, their schema, and results of kpframe, which are no texts of anybody."""
    runs = tuple(f"{m.folder}/" for m in root.members if m.folder and m.name.rpartition("/")[2] == _RUN)
    return [
        member
        for member in root.members
        if not member.name.startswith(runs or "\0")
        and member.suffix not in (".yaml", ".yml")
        and member.name.rpartition("/")[2] not in _OWN
    ]


def refused(kind: Kind, place: str) -> KpframeError:
    """The error for a file of a kind that nothing here reads."""
    remedy = {
        "doc": "save it as .docx or .txt",
        "odf": "save it as .docx or .txt, a sheet as .xlsx or .csv",
        "rtf": "save it as .docx or .txt",
        "pptx": "save it as .pdf",
        "epub": "convert it to .html or .txt",
        "svg": "copy its text into a .txt file",
        "image": "recognise its text first (OCR)",
        "thesaurus": "it is no text; write its terms into a list for the selection `vocabulary`",
    }.get(kind.name, f"give {TEXTS}, a table, or a folder or zip of such files")
    return DataError.at(place, f"is {kind.what}, which is not read", remedy)
