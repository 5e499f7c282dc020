"""What a folder or file of texts is: how it is laid out, in which encoding, and what its columns are."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from kpframe.commands._survey_layout import MOST, Layout, beginning, with_encoding
from kpframe.commands._survey_tables import table_layout
from kpframe.errors import DataError, Problem
from kpframe.files.archives import is_container, open_container
from kpframe.files.container import Container, Folder, Member
from kpframe.files.kinds import bare_name, kind_of_bytes, kind_of_file
from kpframe.files.layout import layout_of as documents_layout
from kpframe.files.layout import refused

__all__ = ["Layout", "layout_of", "layout_of_several"]

_ALL = 256 * 2**20
"""Bytes that are looked at in a folder."""


def layout_of(source: str) -> Layout:
    """The layout of a file, a folder or an archive; - is standard input.

    Raises DataError, with a remedy, where kpframe has no reader for it.
    """
    path = Path(source)
    if source == "-":
        return Layout("files", path, "standard input", {"path": "-"})
    if not path.exists():
        raise DataError.at(source, "does not exist", "give the folder or file that holds your texts")
    if is_container(source):
        with open_container(source) as root:
            return _container(path, root)
    kind = kind_of_file(source).kind
    if kind.name == "jsonl":
        return with_encoding(Layout("jsonl", path, "a .jsonl file"), {source: beginning(path)})
    if kind.group == "table":
        return table_layout(path, beginning(path))
    if kind.group == "annotated":
        return Layout("cas", path, "an .xmi file")
    if kind.name == "text":
        content = beginning(path)
        lines = sum(1 for line in content.split(b"\n") if line.strip())
        note = f"the file is one document; if each of its {lines:,} lines is one, set `unit: line`"
        layout = Layout("text", path, "a .txt file", notes=(note,) if lines > 1 else ())
        return with_encoding(layout, {source: content})
    if kind.group == "document":
        return Layout("text", path, kind.what)
    raise refused(kind, source)


def layout_of_several(sources: Sequence[str]) -> Layout:
    """Files of any kinds, one after the other."""
    for source in sources:
        if source != "-" and not Path(source).exists():
            raise DataError.at(source, "does not exist", "correct the path")
    return Layout("files", Path(sources[0]), f"{len(sources)} files and folders", {"path": list(sources)})


def _container(source: Path, root: Container) -> Layout:
    try:
        found = documents_layout(root)
    except DataError:
        raise _nothing(source, root) from None
    endings = Counter(_ending(m) for m in found.used if found.kind != "cas" or m.suffix == ".xmi")
    shown = " and ".join(_count(n, ending) for ending, n in sorted(endings.items(), reverse=True))
    notes = _not_read(found.others)
    if found.kind == "table":
        return _tables(source, root, found.used, notes)
    whole = source
    if found.kind == "jsonl" and len(found.used) == 1 and isinstance(root, Folder):
        whole = Path(str(found.used[0].handle))
    plain = {m.place: m for m in found.used if m.suffix in (".txt", ".text", ".key") or found.kind == "jsonl"}
    layout = Layout(found.kind, whole, shown, notes=notes)
    return layout if found.kind == "cas" else with_encoding(layout, _beginnings(root, plain))


def _tables(source: Path, root: Container, members: Sequence[Member], notes: tuple[str, ...]) -> Layout:
    """The largest table of a folder; all tables of an archive, by the columns of the first."""
    if isinstance(root, Folder):
        largest = max(members, key=lambda m: (Path(str(m.handle)).stat().st_size, m.name))
        others = [member for member in members if member is not largest]
        path = Path(str(largest.handle))
        layout = table_layout(path, beginning(path))
        more = _not_read(others)
        return replace(layout, notes=(*layout.notes, *more, *notes))
    made = table_layout(Path(members[0].name), root.read(members[0]))
    columns = {name: made.parameters[name] for name in ("text", "gold") if made.parameters.get(name)}
    return Layout("files", source, _count(len(members), _ending(members[0])), columns, (*made.notes, *notes))


def _nothing(source: Path, root: Container) -> DataError:
    encrypted = any(skipped.reason == "is encrypted" for skipped in root.skipped)
    if encrypted:
        remedy = "unpack it with its password, and give the folder"
        return DataError(Problem(str(source), "is encrypted", remedy))
    endings = Counter(map(_ending, root.members))
    if not endings:
        remedy = "give the folder or file that holds your texts"
        return DataError(Problem(str(source), "holds no file", remedy))
    seen = ", ".join(f"{ending} ({n})" for ending, n in endings.most_common(5))
    remedy = "convert the texts to .txt, or to one .jsonl or .csv file"
    return DataError(Problem(str(source), f"holds no texts that kpframe reads, but {seen}", remedy))


def _not_read(members: Sequence[Member]) -> tuple[str, ...]:
    others = [f"{n} {ending}" for ending, n in sorted(Counter(map(_ending, members)).items())]
    return (f"not read: {', '.join(others[:6])}",) if others else ()


def _ending(member: Member) -> str:
    name = member.name.lower()
    bare = bare_name(name)
    packed = name[len(bare) :] if bare != name else ""
    return os.path.splitext(bare)[1] + packed or "without an ending"


def _count(number: int, ending: str) -> str:
    return f"{number:,} {ending} file{'' if number == 1 else 's'}"


def _beginnings(root: Container, members: Mapping[str, Member]) -> dict[str, bytes]:
    """What is in some files, as far as it is looked at; what cannot be read is left to the reader."""
    contents: dict[str, bytes] = {}
    looked_at = 0
    for place, member in members.items():
        try:
            whole = beginning(Path(str(member.handle))) if isinstance(root, Folder) else root.read(member)
        except DataError:
            continue
        contents[place] = whole[:MOST] if not kind_of_bytes(whole, member.name).packing else b""
        looked_at += len(contents[place])
        if looked_at > _ALL:
            break
    return contents
