"""The recall that the ranking could reach at best."""

from __future__ import annotations

from typing import ClassVar

from kpframe.metrics._cutoff import found_in
from kpframe.metrics._ratio import RatioMetric, ratio
from kpframe.model import MatchedDocuments, Matches
from kpframe.stages import Counts

__all__ = ["MaxRecall"]


class MaxRecall(RatioMetric):
    """Hits anywhere in the list over the number of gold keyphrases kept.

    What selection and post-processing leave for the ranking to find: the distance to R-precision is
    the ranking's, the distance to 1 is not. Counts: hits, gold.
    """

    source: ClassVar[str] = "DKPro Keyphrases, maximum recall"

    def count(self, matches: Matches) -> Counts:
        """Hits of the whole list, and the number of gold keyphrases."""
        return matches.found_at(matches.predicted), matches.gold

    def count_all(self, documents: MatchedDocuments) -> list[Counts]:
        """The same of many documents."""
        return list(zip(found_in(documents, "M"), documents.gold, strict=True))

    def value(self, counts: Counts) -> float:
        """Hits over gold; 0 without gold."""
        hits, gold = counts
        return ratio(hits, gold)
