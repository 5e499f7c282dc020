"""Precision at the rank that equals the number of gold keyphrases."""

from __future__ import annotations

from typing import ClassVar

from kpframe.metrics._cutoff import hits_in
from kpframe.metrics._ratio import RatioMetric, ratio
from kpframe.model import MatchedDocuments, Matches
from kpframe.stages import Counts

__all__ = ["RPrecision"]


class RPrecision(RatioMetric):
    """Hits among the first R phrases over R, where R is the number of gold keyphrases kept.

    R stays the denominator when fewer phrases are returned. With `exact` matching this is
    trec_eval's Rprec, with `approximate` the R-precision of Zesch and Gurevych. KPEval's
    "r-precision" (character substrings, many to one) and the similarity of two phrases that Kim et
    al. call R-precision are other things. Counts: hits, R.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 3"

    def count(self, matches: Matches) -> Counts:
        """Hits among the first R, and R."""
        return matches.hits_at(matches.gold), matches.gold

    def count_all(self, documents: MatchedDocuments) -> list[Counts]:
        """The same of many documents."""
        return list(zip(hits_in(documents, "O"), documents.gold, strict=True))

    def value(self, counts: Counts) -> float:
        """Hits over R; 0 without gold."""
        hits, gold = counts
        return ratio(hits, gold)
