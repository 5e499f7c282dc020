"""The area under the curve of precision over recall."""

from __future__ import annotations

from typing import ClassVar

from kpframe.metrics._ranked import RankedMetric
from kpframe.metrics._ratio import ratio
from kpframe.model import Matches
from kpframe.stages import Counts

__all__ = ["PrAuc"]


class PrAuc(RankedMetric):
    """The area under precision and recall after each of the first k phrases, by trapezoids.

    The curve begins at recall 0 with precision 1, has a point after each phrase, and falls to precision
    0 at the last recall. In 0 … 1; below average precision (`map`) unless the curve is flat, since between
    two points the lower precision counts half. At M this is OpenNMT-kpg's `auc`, which keeps gold
    duplicates. It is one curve per document, never one of pooled scores. Counts: the area in units of
    one gold keyphrase, gold.
    """

    source: ClassVar[str] = "OpenNMT-kpg-release, kp_evaluate, auc"

    def count(self, matches: Matches) -> Counts:
        """The area times the number of gold keyphrases, and that number."""
        area = 0.0
        for number, rank in enumerate(self.hit_ranks(matches), start=1):
            # Recall grows only at a hit; before rank 1 the curve stands at precision 1.
            before = (number - 1) / (rank - 1) if rank > 1 else 1.0
            area += (number / rank + before) / 2
        return area, matches.gold

    def value(self, counts: Counts) -> float:
        """The area; 0 without gold."""
        area, gold = counts
        return ratio(area, gold)
