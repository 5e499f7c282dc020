"""Batches of documents that bound both their number and their size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["batched"]

Item = TypeVar("Item")

MAX_ITEMS = 32
MAX_CHARACTERS = 60_000


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
