"""The share of predicted phrases that are right."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from kpframe.metrics._cutoff import CutoffMetric, Denominator, cuts_of, hits_in, whole, wholes
from kpframe.metrics._ratio import ratio
from kpframe.model import MatchedDocuments, Matches
from kpframe.stages import Counts

__all__ = ["Precision"]


class Precision(CutoffMetric):
    """Hits among the first k phrases over k.

    If fewer than k phrases are predicted, the `hard` denominator stays k and the `soft` one is the
    number of phrases there are. Hard is the default: it is what P@k means in information retrieval
    (trec_eval), what KPEval and OpenNMT-kpg's `precision_hard` compute, and it gives nothing away
    to a system that says little; Yuan et al.'s own figures follow from it, though their equation
    has the soft one, as OpenNMT-kpg's `precision`, pke and DKPro do. At M both are the number of
    predictions. At O the hard denominator is the number of gold keyphrases, so precision, recall
    and F1 at O are one number. `nonempty` is KPEval's: hard, but a document without any prediction adds 0
    to a micro average instead of k. Counts: hits, denominator.
    """

    source: ClassVar[str] = "Yuan et al. 2020, section 5 (equations 5, 14)"

    denominator: Denominator = Field(
        "hard",
        description="Below k predictions: hard divides by k, soft by the number of predictions; nonempty: "
        "by k, but by 0 where there is none.",
    )

    def count(self, matches: Matches) -> Counts:
        """Hits among the first k, and what they are divided by."""
        cut = self.cut(matches)
        return matches.hits_at(cut), whole(cut, matches.predicted, self.denominator)

    def count_all(self, documents: MatchedDocuments) -> list[Counts]:
        """The same of many documents."""
        cuts = cuts_of(documents, self.k)
        return list(
            zip(
                hits_in(documents, self.k),
                wholes(cuts, documents.predicted, self.denominator),
                strict=True,
            )
        )

    def value(self, counts: Counts) -> float:
        """Hits over the denominator; 0 if it is 0."""
        hits, denominator = counts
        return ratio(hits, denominator)
