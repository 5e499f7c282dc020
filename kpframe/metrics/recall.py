"""The share of gold keyphrases that are found."""

from __future__ import annotations

from typing import ClassVar

from kpframe.metrics._cutoff import CutoffMetric, found_in
from kpframe.metrics._ratio import ratio
from kpframe.model import MatchedDocuments, Matches
from kpframe.stages import Counts

__all__ = ["Recall"]


class Recall(CutoffMetric):
    """Hits among the first k phrases over the number of gold keyphrases kept.

    Where several phrases may hit one gold keyphrase, or one phrase several, this counts gold keyphrases.
    Counts: hits, gold.
    """

    source: ClassVar[str] = "Yuan et al. 2020, section 5"

    def count(self, matches: Matches) -> Counts:
        """Hits among the first k, and the number of gold keyphrases."""
        return matches.found_at(self.cut(matches)), matches.gold

    def count_all(self, documents: MatchedDocuments) -> list[Counts]:
        """The same of many documents."""
        return list(zip(found_in(documents, self.k), documents.gold, strict=True))

    def value(self, counts: Counts) -> float:
        """Hits over gold; 0 without gold."""
        hits, gold = counts
        return ratio(hits, gold)
