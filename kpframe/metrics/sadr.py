"""The gain of hits that fades only behind as many ranks as there are gold keyphrases."""

from __future__ import annotations

from typing import ClassVar

from kpframe.metrics._ranked import RankedMetric, discounts
from kpframe.metrics._ratio import ratio
from kpframe.model import Matches
from kpframe.stages import Counts

__all__ = ["Sadr"]


class Sadr(RankedMetric):
    """The sum of gains over the hits among the first k, over the number n of gold keyphrases.

    A hit gains 1 up to rank n, and 1 / log2(rank - n + 2) behind it: .63 at rank n + 1, .5 at n + 2. So
    the order within the first n ranks plays no part, as in R-precision, and later hits still count. In
    0 … 1; never below R-precision, never above recall. At M this is OpenNMT-kpg's `sadr`, which keeps
    gold duplicates in n. Counts: the gain, gold.
    """

    source: ClassVar[str] = "OpenNMT-kpg-release, kp_evaluate, sadr"

    def count(self, matches: Matches) -> Counts:
        """The gain of the hits, and the number of gold keyphrases."""
        ranks, gold = self.hit_ranks(matches), matches.gold
        gain = 0.0
        if ranks:
            discount = discounts(max(ranks[-1] - gold + 1, 0))
            for rank in ranks:
                gain += 1.0 if rank <= gold else discount[rank - gold + 1]
        return gain, gold

    def value(self, counts: Counts) -> float:
        """The gain over gold; 0 without gold."""
        gain, gold = counts
        return ratio(gain, gold)
