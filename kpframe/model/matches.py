"""Which predicted phrase hits which gold keyphrase."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from kpframe.model.asked_once import AskedOnce

__all__ = ["MatchedDocuments", "Matches", "Phrase"]


class Phrase(NamedTuple):
    """A phrase by its normalised tokens; `last` is the last token only case-folded, `surface` as given."""

    tokens: tuple[str, ...]
    last: str
    surface: str = ""


@dataclass(frozen=True)
class Matches:
    """The outcome of matching one document: all that metrics read.

    `hits[i]` is the index, among the kept gold keyphrases, of the one that the phrase of rank i + 1
    hits, or -1. `rules[i]` names the rule (`exact`, `morph`, …) or is empty. `gold` counts the kept
    gold keyphrases, `dropped` those left out because they are not in the text (or only they are asked for).

    A gold keyphrase is hit at most once, unless `related` is given: then matching is many to many,
    and `related[i]` has all gold keyphrases that the phrase of rank i + 1 hits (`hits[i]` the first).

    `phrases` and `keyphrases` are what was compared: the kept predictions by rank, and the variants of
    each kept gold keyphrase. `given` has the predictions as they came, and `positions[i]` the index
    among them of the phrase of rank i + 1; `scores[i]`, where scores are known, is its score.
    """

    hits: tuple[int, ...]
    rules: tuple[str, ...]
    gold: int
    dropped: int = 0
    phrases: tuple[Phrase, ...] = ()
    keyphrases: tuple[tuple[Phrase, ...], ...] = ()
    positions: tuple[int, ...] = ()
    given: tuple[str, ...] = ()
    scores: tuple[float, ...] | None = None
    related: tuple[tuple[int, ...], ...] | None = None

    def scored(self, scores: Sequence[float]) -> Matches:
        """The same, with the scores of the predictions that were given."""
        if len(self.positions) != len(self.hits):
            return self
        return replace(self, scores=tuple([scores[position] for position in self.positions]))

    @property
    def predicted(self) -> int:
        """How many phrases were predicted."""
        return len(self.hits)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the phrases that hit, counted from 1, in ascending order."""
        return tuple([rank for rank, hit in enumerate(self.hits, start=1) if hit >= 0])

    @cached_property
    def _found(self) -> list[int]:
        seen: set[int] = set()
        counts = [0]
        for numbers in self.related or ():
            seen.update(numbers)
            counts.append(len(seen))
        return counts

    def hits_at(self, k: int) -> float:
        """How many of the first `k` phrases hit; where matching weighs, the sum of their weights."""
        return bisect_right(self.ranks, k)

    def found_at(self, k: int) -> float:
        """How many gold keyphrases the first `k` phrases hit; the same, unless `related` is given."""
        if self.related is None:
            return self.hits_at(k)
        counts = self._found
        return counts[k] if k < len(counts) else counts[-1]


class MatchedDocuments(tuple[Matches, ...], AskedOnce):
    """The outcomes of several documents under one matching, which metrics may count together."""

    @cached_property
    def gold(self) -> list[int]:
        """The numbers of kept gold keyphrases."""
        return [one.gold for one in self]

    @cached_property
    def predicted(self) -> list[int]:
        """The numbers of predicted phrases."""
        return [len(one.hits) for one in self]
