"""Metrics over the first k phrases."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from kpframe.metrics._ratio import RatioMetric
from kpframe.model import Matches

__all__ = ["Cutoff", "CutoffMetric", "Denominator", "whole"]


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
