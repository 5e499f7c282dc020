"""Matches that have a similarity for each phrase and gold keyphrase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from math import fsum

from kpframe.model import Matches

__all__ = ["AssignedMatches", "WeightedMatches", "Weights", "assign"]

Weights = tuple[tuple[float, ...], ...]
"""A row for each phrase with its similarity to each gold keyphrase; 0 where they do not match."""

_PAIR = 1e-9
"""A bonus for each pair, so that of equal sums the one of more pairs is taken, whatever the solver does."""


@dataclass(frozen=True)
class WeightedMatches(Matches):
    """Matches in which a hit counts as much as the two phrases are alike."""

    weights: Weights = ()

    @cached_property
    def _sums(self) -> list[float]:
        """The sum of what the hits weigh, after each rank."""
        rows = zip(self.hits, self.weights, strict=True)
        return list(accumulate((row[hit] if hit >= 0 else 0.0 for hit, row in rows), initial=0.0))

    @cached_property
    def _found_sums(self) -> list[float]:
        """The sum, over gold keyphrases, of the greatest similarity so far, after each rank."""
        if self.related is None:
            return self._sums
        best = [0.0] * self.gold
        sums = [0.0]
        for numbers, row in zip(self.related, self.weights, strict=True):
            for number in numbers:
                best[number] = max(best[number], row[number])
            sums.append(fsum(best))  # exact, so that the order of gold cannot show
        return sums

    def hits_at(self, k: int) -> float:
        """What the hits of the first `k` phrases weigh together."""
        return self._sums[min(k, self.predicted)]

    def found_at(self, k: int) -> float:
        """What the gold keyphrases weigh that the first `k` phrases hit, each at its best."""
        return self._found_sums[min(k, self.predicted)]


@dataclass(frozen=True)
class AssignedMatches(Matches):
    """One-to-one matches with the greatest sum of similarities, for each number of phrases by itself.

    `hits` is the assignment of the whole list. That of fewer phrases may be another one, and is made
    when it is asked for.
    """

    weights: Weights = ()
    weighted: bool = False
    _at: dict[int, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    def hits_at(self, k: int) -> float:
        """The pairs in the best assignment of the first `k` phrases: their number, or what they weigh."""
        cut = min(k, self.predicted)
        if cut not in self._at:
            rows = self.weights[:cut]
            hits = self.hits if cut == self.predicted else assign(rows)
            pairs = [row[hit] for row, hit in zip(rows, hits, strict=True) if hit >= 0]
            self._at[cut] = fsum(pairs) if self.weighted else len(pairs)
        return self._at[cut]

    def found_at(self, k: int) -> float:
        """The same, as matching is one to one."""
        return self.hits_at(k)


def assign(rows: Sequence[Sequence[float]], order: Sequence[int] = ()) -> tuple[int, ...]:
    """For each row the column that it gets, or -1: the greatest sum, and at ties the most pairs above 0.

    `order` has the place of each column among equal ones.
    """
    hits = [-1] * len(rows)
    used = [place for place, row in enumerate(rows) if any(row)]
    if not used:
        return tuple(hits)
    from scipy.optimize import linear_sum_assignment

    # Columns by what is in them: of equal sums the solver takes one by where the columns stand.
    places = order or range(len(rows[0]))
    numbers = sorted(
        range(len(rows[0])), key=lambda number: ([rows[place][number] for place in used], places[number])
    )
    gains = [[rows[place][n] + _PAIR if rows[place][n] > 0 else 0.0 for n in numbers] for place in used]
    for row, column in zip(*linear_sum_assignment(gains, maximize=True), strict=True):
        if gains[row][column] > 0:
            hits[used[row]] = numbers[int(column)]
    return tuple(hits)
