"""The harmonic mean of precision and recall."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from kpframe.metrics._cutoff import CutoffMetric, Denominator
from kpframe.metrics._ratio import ratio
from kpframe.model import Matches
from kpframe.stages import Counts

__all__ = ["F1"]


class F1(CutoffMetric):
    """The harmonic mean of precision and recall over the first k phrases.

    The macro average is the mean of the documents' F1 (OpenNMT-kpg, pke, DKPro, trec_eval's set_F),
    not the harmonic mean of macro precision and macro recall (KPEval, Kundu et al.), which is higher
    or lower by several points on the same hits. The micro average is F1 of summed counts. See
    `precision` for `denominator`. Counts: hits, denominator of precision, gold.
    """

    source: ClassVar[str] = "Yuan et al. 2020, section 5 (F1@k, F1@O, F1@M)"

    denominator: Denominator = Field(
        "hard", description="Below k predictions: precision is over k (hard) or over the predictions (soft)."
    )

    def count(self, matches: Matches) -> Counts:
        """Hits among the first k, the denominator of precision, and the number of gold keyphrases."""
        cut = self.cut(matches)
        whole = cut if self.denominator == "hard" else min(cut, matches.predicted)
        return matches.hits_at(cut), whole, matches.gold

    def value(self, counts: Counts) -> float:
        """Twice the hits over the sum of both denominators; 0 if that is 0."""
        hits, whole, gold = counts
        return ratio(2 * hits, whole + gold)
