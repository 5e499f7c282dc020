"""Metrics over the first k phrases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from kpframe.metrics._ratio import RatioMetric
from kpframe.model import MatchedDocuments, Matches

__all__ = ["Cutoff", "CutoffMetric", "Denominator", "cuts_of", "found_in", "hits_in", "whole", "wholes"]


def _one_message(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    """Tell what a cut-off is, instead of one complaint for each branch of the union."""
    try:
        return handler(value)
    except ValidationError:
        raise ValueError(
            "must be a whole number of at least 1, M (all phrases) or O (as many as there is gold)"
        ) from None


Cutoff = Annotated[Annotated[int, Field(ge=1)] | Literal["M", "O"], WrapValidator(_one_message)]
Denominator = Literal["hard", "soft", "nonempty"]


class CutoffMetric(RatioMetric):
    """What metrics with a cut-off share."""

    short: ClassVar[str] = "k"

    k: Cutoff = Field(
        "M",
        description="How many phrases count, from the best: a number; M: all; O: as many as there are "
        "gold keyphrases.",
    )

    def cut(self, matches: Matches) -> int:
        """The number of ranks that count for a document, whether phrases stand there or not."""
        k = self.k
        if k == "M":
            return matches.predicted
        return matches.gold if k == "O" else k


def whole(cut: int, predicted: int, denominator: Denominator) -> int:
    """What precision divides by: the cut-off, or the number of predictions where that is less."""
    if denominator == "hard":
        return cut
    if denominator == "soft":
        return min(cut, predicted)
    return cut if predicted else 0


def wholes(cuts: Sequence[int], predicted: Sequence[int], denominator: Denominator) -> Sequence[int]:
    """`whole` of many documents."""
    if denominator == "hard":
        return cuts
    return [whole(cut, number, denominator) for cut, number in zip(cuts, predicted, strict=True)]


def cuts_of(documents: MatchedDocuments, k: int | str) -> Sequence[int]:
    """The number of ranks that count at a cut-off, for each document."""
    if k == "M":
        return documents.predicted
    return documents.gold if k == "O" else [int(k)] * len(documents)


def hits_in(documents: MatchedDocuments, k: int | str) -> Sequence[float]:
    """`hits_at` a cut-off, for each document; for all metrics that ask."""
    return documents.once(_hits, k)


def found_in(documents: MatchedDocuments, k: int | str) -> Sequence[float]:
    """`found_at` a cut-off, for each document; for all metrics that ask."""
    return documents.once(_found, k)


def _hits(documents: MatchedDocuments, k: int | str) -> Sequence[float]:
    return [one.hits_at(cut) for one, cut in zip(documents, cuts_of(documents, k), strict=True)]


def _found(documents: MatchedDocuments, k: int | str) -> Sequence[float]:
    return [one.found_at(cut) for one, cut in zip(documents, cuts_of(documents, k), strict=True)]
