"""The harmonic mean of precision and recall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.metrics._cutoff import CutoffMetric, Denominator, cuts_of, found_in, hits_in, whole, wholes
from kpframe.metrics._ratio import ratio
from kpframe.model import MatchedDocuments, Matches
from kpframe.stages import Counts

__all__ = ["F1"]


class F1(CutoffMetric):
    """The harmonic mean of precision and recall over the first k phrases.

    The macro average is the mean of the documents' F1 (OpenNMT-kpg, pke, DKPro, trec_eval's set_F);
    `means` is the harmonic mean of macro precision and macro recall (KPEval, Kundu et al.), which is
    higher or lower by several points on the same hits. The micro average is F1 of summed counts. See
    `precision` for `denominator`. `digits` rounds precision and recall as SemEval-2010's scorer does.
    Counts: hits, denominator of precision, gold keyphrases hit, gold.
    """

    source: ClassVar[str] = "Yuan et al. 2020, section 5 (F1@k, F1@O, F1@M)"

    average: Literal["macro", "micro", "means"] = Field(  # type: ignore[assignment]
        "macro",
        description="macro: mean of the documents' values; means: harmonic mean of mean precision and mean "
        "recall; micro: one value of summed counts.",
    )
    denominator: Denominator = Field(
        "hard",
        description="Below k predictions: precision is over k (hard) or over the predictions (soft); "
        "nonempty: over k, but over 0 where there is none.",
    )
    digits: int | None = Field(
        None,
        ge=0,
        description="Round precision and recall, in per cent, to this many decimals first; null: not at all.",
    )

    def count(self, matches: Matches) -> Counts:
        """Hits among the first k, precision's denominator, gold keyphrases hit, and all of them."""
        cut = self.cut(matches)
        denominator = whole(cut, matches.predicted, self.denominator)
        return matches.hits_at(cut), denominator, matches.found_at(cut), matches.gold

    def count_all(self, documents: MatchedDocuments) -> list[Counts]:
        """The same of many documents."""
        denominators = wholes(cuts_of(documents, self.k), documents.predicted, self.denominator)
        hits, found = hits_in(documents, self.k), found_in(documents, self.k)
        return list(zip(hits, denominators, found, documents.gold, strict=True))

    def value(self, counts: Counts) -> float:
        """Twice the hits over the sum of both denominators; 0 if that is 0."""
        hits, denominator, found, gold = counts
        if hits == found and self.digits is None:
            return ratio(2 * hits, denominator + gold)
        return self.join(self.parts(counts))

    def parts(self, counts: Counts) -> tuple[float, ...]:
        """Precision and recall."""
        hits, denominator, found, gold = counts
        precision, recall = ratio(hits, denominator), ratio(found, gold)
        if self.digits is None:
            return precision, recall
        return round(100 * precision, self.digits) / 100, round(100 * recall, self.digits) / 100

    def join(self, parts: Sequence[float]) -> float:
        """The harmonic mean, 0 if precision and recall are 0."""
        precision, recall = parts
        return ratio(2 * precision * recall, precision + recall)
