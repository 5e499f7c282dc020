"""Mean average precision."""

from __future__ import annotations

from typing import ClassVar

from kpframe.metrics._ranked import RankedMetric
from kpframe.metrics._ratio import ratio
from kpframe.model import Matches
from kpframe.stages import Counts

__all__ = ["MeanAveragePrecision"]


class MeanAveragePrecision(RankedMetric):
    """The sum of h(i) / i over the hits at ranks i up to k, over the number of gold keyphrases.

    h(i) is the number of hits among the first i phrases. In 0 … 1: 1 if all gold keyphrases stand
    before everything else; at a cut-off below the number n of gold keyphrases at most k / n. At M this
    is trec_eval's `map` and KPEval's MAP@M; OpenNMT-kpg's `ap` keeps gold duplicates in n (matching
    `duplicates: keep`). DKPro's 11-point MAP interpolates over rank / number of predictions instead of
    recall, and is something else. Counts: the sum, gold.
    """

    source: ClassVar[str] = "Voorhees and Harman 2005, TREC, chapter 3; trec_eval, map"

    def count(self, matches: Matches) -> Counts:
        """The sum of the precisions at the hits, and the number of gold keyphrases."""
        total = 0.0
        for number, rank in enumerate(self.hit_ranks(matches), start=1):
            total += number / rank
        return total, matches.gold

    def value(self, counts: Counts) -> float:
        """The sum over gold; 0 without gold."""
        total, gold = counts
        return ratio(total, gold)
