"""Normalised discounted cumulative gain."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kpframe.metrics._ranked import RankedMetric, all_hit_ranks, discounts, ideal_sums
from kpframe.metrics._ratio import ratio
from kpframe.model import Matches
from kpframe.stages import Counts

__all__ = ["Ndcg"]


class Ndcg(RankedMetric):
    """The sum of 1 / log2(rank + 1) over the hits among the first k, over the same sum for an ideal list.

    The ideal list has, from rank 1 on, as many hits as there are gold keyphrases (`gold`; at a number k
    at most k) or as the list itself has (`own`, at most k). `gold` is trec_eval's `ndcg` (at M) and
    `ndcg_cut` (at a number), and OpenNMT-kpg's `ndcg` (at M, with gold duplicates kept). `own` is
    KPEval's: it asks only whether the hits stand in front, and is blind to what was missed, so that one
    hit at rank 1 is perfect. In 0 … 1. Counts: the gain of the list, that of the ideal one.
    """

    source: ClassVar[str] = "Järvelin and Kekäläinen 2002, section 2; trec_eval, ndcg"

    ideal: Literal["gold", "own"] = Field(
        "gold",
        description="What a perfect list has in front: all gold keyphrases, or the list's own hits.",
    )

    def count(self, matches: Matches) -> Counts:
        """The discounted gain of the list, and of the ideal one."""
        ranks = self.hit_ranks(matches)
        gain = 0.0
        if ranks:
            discount = discounts(ranks[-1])
            for rank in ranks:
                gain += discount[rank]
        best = matches.gold if self.ideal == "gold" else len(all_hit_ranks(matches))
        if isinstance(self.k, int):
            best = min(self.k, best)
        return gain, ideal_sums(best)[best]

    def value(self, counts: Counts) -> float:
        """The gain over the ideal gain; 0 if that is 0."""
        gain, ideal = counts
        return ratio(gain, ideal)
