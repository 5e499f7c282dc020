"""Every id once: the second document with an id is left out, and both places are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kpframe.model import Document, Skipped

__all__ = ["Placed", "distinct"]

Placed = tuple[str, Document]
"""A document with the place where it stands."""


def distinct(entries: Iterable[Placed | Skipped]) -> Iterator[Document | Skipped]:
    """The documents in their order, without those whose id another one had before."""
    places: dict[str, str] = {}
    for entry in entries:
        if isinstance(entry, Skipped):
            yield entry
            continue
        place, document = entry
        if document.id in places:
            yield Skipped(place, f"the id {document.id!r} is already that of {places[document.id]}")
        else:
            places[document.id] = place
            yield document
