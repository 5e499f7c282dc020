"""How many there are of something, in the mean of the documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.metrics._ratio import RatioMetric
from kpframe.model import Matches
from kpframe.stages import Counts

__all__ = ["Number"]


class Number(RatioMetric):
    """The mean number per document of what `of` names: 0 or more, not bounded by 1.

    All documents count, also those without gold. `predicted` are the phrases that metrics see: distinct
    after normalisation and not empty, and of the present or the absent subset alone where matching parts
    them (with `absent: keep`, Yuan et al.'s number of unique predictions); `given` all as they came;
    `gold` the kept gold keyphrases and `dropped` those left out; `hit` the phrases that hit. `no_hit`
    and `empty` are 1 for a document without a hit or without phrases and 0 for others: their mean is a
    share of documents, in 0 … 1. Counts: the number.
    """

    source: ClassVar[str] = "Yuan et al. 2020, section 6.2 (number of unique predictions)"
    compared: ClassVar[bool] = False
    short: ClassVar[str] = "of"
    needs_gold: ClassVar[bool] = False
    bounded: ClassVar[bool] = False

    average: Literal["macro"] = Field("macro", description="macro: mean of the documents' numbers.")
    of: Literal["hit", "predicted", "given", "gold", "dropped", "no_hit", "empty"] = Field(
        "hit",
        description="What is counted: phrases that hit, that count, or that were given; gold keyphrases kept "
        "or dropped; documents without a hit or without phrases.",
    )

    def count(self, matches: Matches) -> Counts:
        """The number."""
        return (_COUNTERS[self.of](matches),)

    def value(self, counts: Counts) -> float:
        """The number as it is."""
        return float(counts[0])


_COUNTERS: Mapping[str, Callable[[Matches], int]] = {
    "hit": lambda matches: len(matches.ranks),
    "predicted": lambda matches: matches.predicted,
    "given": lambda matches: len(matches.given),
    "gold": lambda matches: matches.gold,
    "dropped": lambda matches: matches.dropped,
    "no_hit": lambda matches: int(not matches.ranks),
    "empty": lambda matches: int(not matches.hits),
}
