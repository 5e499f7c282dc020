"""Mean reciprocal rank."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kpframe.metrics._ranked import RankedMetric
from kpframe.metrics._ratio import ratio
from kpframe.model import Matches
from kpframe.stages import Counts

__all__ = ["MeanReciprocalRank"]


class MeanReciprocalRank(RankedMetric):
    """1 / rank of the first hit among the first k phrases, or its mean over all those hits.

    0 without a hit. `first` is what the name means elsewhere (trec_eval's `recip_rank`): how soon a
    reader sees something right. `all` is OpenNMT-kpg's `mrr`: of two lists with the same first hit, the
    one with more hits below it has the *lower* value, and all of n gold keyphrases in front give
    (1 + 1/2 + … + 1/n) / n. In 0 … 1. Counts: the sum of 1 / rank, the number of hits in it.
    """

    source: ClassVar[str] = "Voorhees 1999, TREC-8 question answering track; trec_eval, recip_rank"

    of: Literal["first", "all"] = Field(
        "first", description="Of which hits the reciprocal rank is taken: the first, or the mean of all."
    )

    def count(self, matches: Matches) -> Counts:
        """The sum of 1 / rank over the hits that are looked at, and their number."""
        ranks = self.hit_ranks(matches)
        if not ranks:
            return 0.0, 0
        if self.of == "first":
            return 1 / ranks[0], 1
        total = 0.0
        for rank in ranks:
            total += 1 / rank
        return total, len(ranks)

    def value(self, counts: Counts) -> float:
        """The mean of 1 / rank; 0 without a hit."""
        total, hits = counts
        return ratio(total, hits)
