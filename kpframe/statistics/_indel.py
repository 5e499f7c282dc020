"""How alike the strings of a list are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

__all__ = ["indel_similarities", "indel_sums"]

_CELLS = 2**20
"""So many distances of several lists are held at once; a longer list is alone."""
_SHORT = 64
"""The pairs of lists up to this length are remembered."""


def indel_similarities(phrases: Sequence[str]) -> list[float]:
    """For each pair of strings, 0 … 100: 100 · 2 · longest common subsequence / both lengths.

    Two empty strings give 100.
    """
    similar: list[list[float]] = _similar([phrases]).tolist() if len(phrases) > 1 else [[]]
    return similar[0]


def indel_sums(lists: Sequence[Sequence[str]]) -> list[float]:
    """For each list the sum of the similarities of all its pairs."""
    sums = [0.0] * len(lists)
    by_size: dict[int, list[int]] = {}
    for place, strings in enumerate(lists):
        by_size.setdefault(len(strings), []).append(place)
    for size, places in by_size.items():
        if size < 2:
            continue
        together = max(1, _CELLS // size**2)
        for begin in range(0, len(places), together):
            some = places[begin : begin + together]
            for place, found in zip(some, _similar([lists[p] for p in some]).tolist(), strict=True):
                sums[place] = math.fsum(found)
    return sums


def _similar(lists: Sequence[Sequence[str]]) -> Any:
    """For each of several lists of one size a row with the similarities of its pairs."""
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    left, right = _pairs(len(lists[0]))
    lengths = np.array([list(map(len, strings)) for strings in lists])
    both = lengths[:, left] + lengths[:, right]
    # From the distance, a whole number, so that the value is rounded once, whoever computes it.
    apart = [process.cdist(strings, strings, scorer=Indel.distance, dtype=np.int32) for strings in lists]
    common = both - np.array(apart)[:, left, right]
    return np.where(both > 0, 100.0 * common / np.maximum(both, 1), 100.0)


def _pairs(count: int) -> tuple[Any, Any]:
    return _remembered(count) if count <= _SHORT else np.tril_indices(count, -1)


@lru_cache(maxsize=_SHORT)
def _remembered(count: int) -> tuple[Any, Any]:
    return np.tril_indices(count, -1)
