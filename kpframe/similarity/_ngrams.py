"""Word n-grams and how many of them two phrases share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["ngrams", "overlap"]

Item = TypeVar("Item")


def ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """All runs of `n` words, in order; none if there are fewer words."""
    return [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]


def overlap(left: Sequence[Item], right: Sequence[Item]) -> int:
    """How many items both sequences have, an item as often as it stands in both."""
    if len(left) > len(right):
        left, right = right, left
    if len(left) == 1:
        return int(left[0] in right)
    return (Counter(left) & Counter(right)).total()
