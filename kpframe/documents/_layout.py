"""How a folder or an archive of files is laid out: which reader it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kpframe.documents._container import Container, Member
from kpframe.documents._file_text import TEXTS, holds_text
from kpframe.documents._passed_over import without_runs
from kpframe.errors import DataError
from kpframe.files.kinds import bare_name

__all__ = ["Layout", "layout_of"]

LayoutKind = Literal["text_and_keys", "jsonl", "table", "cas", "text"]
_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".tsv", ".tab", ".parquet", ".xlsx")


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
    plain = [member for member in texts if bare_name(member.name).lower().endswith((".txt", ".text"))]
    keys = [member for member in members if member.suffix == ".key"]
    lines = _with_ending(members, _LINES)
    tables = _with_ending(members, _TABLES)
    annotated = _with_ending(members, (".xmi",))
    kind: LayoutKind
    if plain and keys:
        kind, used = "text_and_keys", [*plain, *keys]
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


def _nothing(root: Container, members: Sequence[Member]) -> Exception:
    encrypted = [told for told in root.skipped if told.reason == "is encrypted"]
    if encrypted:
        return DataError.at(root.place, "is encrypted", "unpack it with its password, and give the folder")
    seen = sorted({member.suffix or "files without an ending" for member in members})
    what = f"holds no texts that kpframe reads, but {', '.join(seen[:6])}" if seen else "holds no file"
    return DataError.at(root.place, what, f"give {TEXTS} files, or one .jsonl, .csv, .parquet or .xlsx file")
