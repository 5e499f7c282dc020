"""Batches of documents that bound both their number and their size."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from kpframe.model import Document

__all__ = ["LONG", "batched", "document_batches", "long_ones_told"]

Item = TypeVar("Item")


class _WithId(Protocol):
    @property
    def id(self) -> str: ...


Named = TypeVar("Named", bound=_WithId)

MAX_ITEMS = 32
MAX_CHARACTERS = 60_000

LONG = 3_000_000
"""Characters of a text from which on it is told beforehand: it takes ten seconds and more."""
_TOLD = 3
"""Long texts that are told one by one."""

_log = logging.getLogger("kpframe")


def long_ones_told(items: Iterable[Named], size: Callable[[Named], int]) -> Iterator[Named]:
    """The items; of a very long one it is told when it comes, since nothing is seen until it is done."""
    count = 0
    for item in items:
        if (characters := size(item)) >= LONG:
            count += 1
            if count <= _TOLD:
                _log.info("document %r has %s characters, which may take minutes", item.id, f"{characters:,}")
            elif count == _TOLD + 1:
                _log.info("more documents are as long, and are not told")
        yield item


def batched(
    items: Iterable[Item], size: Callable[[Item], int], *, at_most: int | None = None
) -> Iterator[list[Item]]:
    """Lists of at most 32 consecutive items and, unless one alone has more, 60,000 characters.

    `at_most` is a smaller number of items, for work of which the results are larger than the items.
    """
    most = MAX_ITEMS if at_most is None else max(1, min(MAX_ITEMS, at_most))
    batch: list[Item] = []
    characters = 0
    for item in items:
        length = size(item)
        if batch and (len(batch) == most or characters + length > MAX_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(item)
        characters += length
    if batch:
        yield batch


def document_batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Documents in batches by the length of their texts; very long ones are told."""
    return batched(long_ones_told(documents, _length), _length)


def _length(document: Document) -> int:
    return len(document.text)
