"""Every id once: what is named by its file gets a longer name, what names itself twice is left out; all told.

Of `a.txt` and `a.pdf` in one folder the second keeps its ending; a file that is read a second time is left
out.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from kpframe.files.kinds import bare_name
from kpframe.files.urls import is_url
from kpframe.model import Document, Skipped

__all__ = ["Placed", "distinct", "named_by_file"]

Placed = tuple[str, Document]
"""A document with the place where it stands."""

_log = logging.getLogger("kpframe.documents")
_TOLD = 3
"""So many longer names are told one by one."""


def distinct(entries: Iterable[Placed | Skipped], *, by_file: bool = False) -> Iterator[Document | Skipped]:
    """The documents in their order, each id once.

    `by_file`: documents that are named by their files get longer names in place of being left out.
    """
    places: dict[str, str] = {}
    longer = 0
    for entry in entries:
        if isinstance(entry, Skipped):
            yield entry
            continue
        place, document = entry
        if document.id in places:
            first = places[document.id]
            name = _longer_name(place, document.id, first, places) if by_file else ""
            if not name:
                yield Skipped(place, f"the id {document.id!r} is already that of {first}")
                continue
            longer += 1
            if longer <= _TOLD:
                _log.info("%s: is called %r, since %r is %s", place, name, document.id, first)
            document = replace(document, id=name)
        places[document.id] = place
        yield document
    if longer > _TOLD:
        _log.info("%d more have their folders in their ids, since others have their names", longer - _TOLD)


def named_by_file(place: str, id: str) -> tuple[str, str] | None:
    """Of what the id of a document at `place` is made: path without ending, number; None if it is its own.

    Such an id is the end of that path, and for a line or row of a file has its number behind it (`-7`).
    """
    path, _, number = place.rpartition(":")
    path, number = (path, f"-{number}") if path and number.isdigit() else (place, "")
    if not id.endswith(number):
        return None
    name, bare = id[: len(id) - len(number)], bare_name(path)
    for stem in (os.path.splitext(bare)[0], bare, path):
        if stem == name or stem.endswith(f"/{name}"):
            return stem, number
    return None


def _longer_name(place: str, id: str, other: str, taken: Container[str]) -> str:
    """The id with so many of its file's folders before it that nothing else has it; empty if it has none."""
    made, first = named_by_file(place, id), named_by_file(other, id)
    if made is None:
        return ""
    if first is not None and _folders(made[0]) == _folders(first[0]):
        return _with_ending(place, id, other, taken)
    folders, number = _folders(made[0]), made[1]
    for begin in range(len(folders) - id.count("/") - 2, -1, -1):
        name = "/".join(folders[begin:]) + number
        if name not in taken:
            return name
    return ""


def _with_ending(place: str, id: str, other: str, taken: Container[str]) -> str:
    """The id with the ending of its file, which is not that of the other; empty if it is the same file."""
    number = (named_by_file(place, id) or ("", ""))[1]
    path, first = (one.removesuffix(f":{number[1:]}") if number else one for one in (place, other))
    if _folders(path) == _folders(first):
        return ""
    name = os.path.join(os.path.dirname(id[: len(id) - len(number)]), os.path.basename(path)) + number
    return name if name not in taken else ""


def _folders(path: str) -> list[str]:
    """The parts of a path, from the root on."""
    return [part for part in (path if is_url(path) else os.path.abspath(path)).split("/") if part]
