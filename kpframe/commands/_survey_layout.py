"""What a survey of texts finds: the kind of reader, its parameters, and the encoding of the files."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kpframe.errors import DataError
from kpframe.files.byte_marks import by_mark
from kpframe.files.kinds import kind_of_file
from kpframe.files.unpacking import unpacked

__all__ = ["MOST", "Layout", "beginning", "with_encoding"]

MOST = 16 * 2**20
"""Bytes that are looked at in one file."""


@dataclass(frozen=True)
class Layout:
    """How texts can be read: the kind of reader and its parameters, without path and language.

    `found` says what is there, `notes` what a person should know about it.
    """

    kind: str
    path: Path
    found: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def with_encoding(layout: Layout, contents: Mapping[str, bytes]) -> Layout:
    """The layout with the encoding that most files have, if it is not UTF-8."""
    encoding = _common_encoding(contents)
    more = {} if encoding == "utf-8" else {"encoding": encoding}
    return replace(layout, parameters={**layout.parameters, **more})


def _common_encoding(contents: Mapping[str, bytes]) -> str:
    """What most files are in; an error, with the first odd one, if there is no such majority."""
    seen: dict[str, list[str]] = {}
    for place, content in contents.items():
        try:
            seen.setdefault(_encoding(content, place), []).append(place)
        except DataError:
            if len(contents) == 1:
                raise
    counts = {kind: len(places) for kind, places in seen.items() if kind != "ascii"}
    if counts.keys() <= {"cp1252", "latin-1"}:
        return "utf-8" if not counts else "latin-1" if "latin-1" in counts else "cp1252"
    marked = {"utf-16", "utf-32"}
    if len(counts) == 1 and not (counts.keys() <= marked and "ascii" in seen):
        return next(iter(counts))
    if counts.keys() <= {"utf-8", *marked}:
        return "utf-8"  # the others say themselves what they are
    if counts.get("utf-8", 0) + len(seen.get("ascii", ())) > len(contents) / 2:
        return "utf-8"  # the reader skips the others, and says so
    odd = next(kind for kind in ("cp1252", "latin-1", *sorted(marked)) if kind in seen)
    raise DataError.at(
        seen[odd][0],
        f"is not UTF-8 as other files of the same corpus are (it looks like {odd})",
        f"convert such files first, as by: iconv -f {odd} -t utf-8 OLD > NEW",
    )


def beginning(file: Path) -> bytes:
    try:
        with file.open("rb") as stream, unpacked(stream, kind_of_file(str(file)).packing) as inner:
            return bytes(inner.read(MOST))
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError.at(str(file), f"cannot be read ({reason})", "check the file") from None


def _encoding(content: bytes, place: str) -> str:
    """The encoding that some bytes are in; of several possible ones the likeliest."""
    if (marked := by_mark(content[:4], "utf-8")) != "utf-8":
        return marked
    if b"\0" in content:
        raise DataError.at(place, "is not text: it has null bytes", "convert it to text, or take it away")
    if content.isascii():
        return "ascii"
    for encoding in ("utf-8", "cp1252"):
        try:
            codecs.getincrementaldecoder(encoding)().decode(content, final=len(content) < MOST)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"
