"""Precision, recall and F1 that count how alike phrases are instead of which are equal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from kpframe.metrics._cutoff import CutoffMetric
from kpframe.metrics._ratio import ratio
from kpframe.model import Matches
from kpframe.stages import Counts
from kpframe.stages.parts import SimilarityPart, part, part_text

__all__ = ["SoftKeyScore"]

_DEFAULT = "kmr"
_ROUNDING = 1e-9


class SoftKeyScore(CutoffMetric):
    """SoftKeyScore: each phrase counts by its similarity to the nearest one of the other list.

    Precision is the mean, over the first k phrases, of the greatest similarity to a gold keyphrase;
    recall the mean, over the gold keyphrases, of the greatest similarity to one of those phrases; f1
    their harmonic mean (equations 4 to 6). A greatest similarity below `threshold` counts as 0; one that
    equals it, up to rounding (2 of 5 words for .4), is kept. Of a keyphrase's variants the nearest counts.
    Of the matching only its lists are used: how alike two phrases are is told by `similarity` from what
    is written, so that the kind of matching plays no part.

    The paper's table 2 does not follow its equations but an older function of the authors' program: both
    sums are divided by the length of the longer list, and f1 is the plain mean of the two
    (`denominator: longer`). That gives .375, .5 and .083 where the equations give .429, .571 and .1.
    The paper leaves documents out where either side is empty (`empty: either`).

    In 0 … 1. A perfect list has 1 under a similarity that gives 1 to equal phrases (METEOR does not), and
    at k below the number of gold keyphrases as its precision. The macro average is the mean of the
    documents' values, `means` takes the harmonic mean of mean precision and mean recall, micro that of
    summed counts. Counts: the sum over phrases, what it is divided by, the sum over gold, what that is
    divided by.
    """

    paths: ClassVar[tuple[str, ...]] = ("similarity.corpus",)
    source: ClassVar[str] = "Kundu et al. 2023, section 3 (equations 4 to 6)"

    average: Literal["macro", "micro", "means"] = Field(  # type: ignore[assignment]
        "macro",
        description="macro: mean of the documents' values; means: made of mean precision and mean recall; "
        "micro: one value of summed counts.",
    )
    similarity: SimilarityPart = Field(
        _DEFAULT,  # type: ignore[assignment]
        description="How alike two phrases are: a kind of similarity, bounded by 1.",
    )
    threshold: float = Field(0.4, ge=0, le=1, description="A greatest similarity below this counts as 0.")
    of: Literal["f1", "precision", "recall"] = Field("f1", description="Which of the three is the value.")
    denominator: Literal["own", "longer"] = Field(
        "own",
        description="What the sums are divided by: own: precision by the number of phrases, recall by that "
        "of gold keyphrases; longer: both by the larger number, and f1 is their mean.",
    )

    @model_validator(mode="after")
    def _within_one(self) -> SoftKeyScore:
        if not self.similarity.bounded:
            raise ValueError(f"similarity: {self.similarity.kind} is not bounded by 1")
        return self

    def label(self) -> str:
        """The short name; the similarity as it is written in a spec, unless it is the default."""
        default = self.similarity == part("similarity", _DEFAULT)
        written = _DEFAULT if default else part_text(self.similarity)
        return super(SoftKeyScore, self.model_copy(update={"similarity": written})).label()

    def count(self, matches: Matches) -> Counts:
        """The sums of greatest similarities over phrases and over gold, each with its denominator."""
        phrases = matches.phrases[: self.cut(matches)]
        predicted, gold = len(phrases), matches.gold
        rows = self._rows(matches, [phrase.surface for phrase in phrases])
        whole = (predicted, gold) if self.denominator == "own" else (max(predicted, gold),) * 2
        if not rows or not gold:
            return 0.0, whole[0], 0.0, whole[1]
        return self._kept(map(max, rows)), whole[0], self._kept(map(max, zip(*rows, strict=True))), whole[1]

    def _rows(self, matches: Matches, phrases: Sequence[str]) -> list[list[float]]:
        """For each phrase its similarity to each gold keyphrase, that is to the nearest variant."""
        variants = [variant.surface for group in matches.keyphrases for variant in group]
        if not phrases or not variants:
            return []
        rows = self.similarity.matrix(phrases, variants)
        if len(variants) == matches.gold:
            return rows
        ends, end = [], 0
        for group in matches.keyphrases:
            ends.append((end, end := end + len(group)))
        return [[max(row[begin:end], default=0.0) for begin, end in ends] for row in rows]

    def _kept(self, greatest: Iterable[float]) -> float:
        least = self.threshold - _ROUNDING
        return fsum([similarity for similarity in greatest if similarity >= least])

    def value(self, counts: Counts) -> float:
        """The one of the three that is asked for; 0 where there is nothing to divide by."""
        return self.join(self.parts(counts))

    def parts(self, counts: Counts) -> tuple[float, ...]:
        """Precision and recall, or the one of them that is asked for."""
        predicted, phrases, found, gold = counts
        precision, recall = ratio(predicted, phrases), ratio(found, gold)
        return {"f1": (precision, recall), "precision": (precision,), "recall": (recall,)}[self.of]

    def join(self, parts: Sequence[float]) -> float:
        """Of precision and recall the harmonic mean (0 if both are 0), with `longer` the mean."""
        if len(parts) == 1:
            return parts[0]
        precision, recall = parts
        if self.denominator == "longer":
            return (precision + recall) / 2
        return ratio(2 * precision * recall, precision + recall)
