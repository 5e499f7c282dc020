"""Metrics that look at the ranks of hits."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import log2
from typing import Literal

from pydantic import Field

from kpframe.metrics._cutoff import CutoffMetric
from kpframe.model import Matches
from kpframe.statistics.pairing import paired

__all__ = ["RankedMetric", "all_hit_ranks", "discounts", "ideal_sums"]


class RankedMetric(CutoffMetric):
    """What metrics of a ranking share: the ranks of the hits that count, and the macro average alone.

    Where matching is many to many, a phrase counts as a hit if it and all better ones that count can have
    keyphrases of their own, so that a list never has more hits than there are gold keyphrases. Where
    matching weighs, a hit is a hit whatever it weighs; where hits are assigned anew for each cut-off
    (`soft`), those of the whole list count.
    """

    average: Literal["macro"] = Field(
        "macro", description="macro: mean of the documents' values; no other average is in use."
    )

    def hit_ranks(self, matches: Matches) -> Sequence[int]:
        """The ranks of the hits among the first k, counted from 1, in ascending order."""
        ranks = all_hit_ranks(matches)
        if self.k == "M" or not ranks:
            return ranks
        cut = self.cut(matches)
        return ranks if ranks[-1] <= cut else ranks[: bisect_right(ranks, cut)]


def all_hit_ranks(matches: Matches) -> Sequence[int]:
    """The ranks of the hits of the whole list."""
    return matches.ranks if matches.related is None else _one_to_one(matches.related)


def _one_to_one(related: Sequence[Sequence[int]]) -> list[int]:
    return [rank for rank, number in enumerate(paired(related), start=1) if number >= 0]


def discounts(ranks: int) -> Sequence[float]:
    """1 / log2(rank + 1), at the index of the rank, for at least the first `ranks` ranks; 0 at index 0."""
    return _table(ranks)[0]


def ideal_sums(ranks: int) -> Sequence[float]:
    """The sum of the first n discounts, at the index n, for n up to at least `ranks`."""
    return _table(ranks)[1]


def _table(ranks: int) -> tuple[Sequence[float], Sequence[float]]:
    return _SHORT if ranks <= _LENGTH else _made(1 << ranks.bit_length())


@cache
def _made(length: int) -> tuple[Sequence[float], Sequence[float]]:
    each = (0.0, *(1 / log2(rank + 1) for rank in range(1, length + 1)))
    return each, tuple(accumulate(each))


_LENGTH = 1024
_SHORT = _made(_LENGTH)
