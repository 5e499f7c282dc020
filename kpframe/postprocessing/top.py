"""Keep the best phrases only."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from kpframe.model import Keyphrases
from kpframe.stages import Postprocessor

__all__ = ["Top"]

_THIRD = 1 / 3


class Top(Postprocessor):
    """Keeps the best `number` phrases, or the best `share` of them.

    A share is a share of the phrases that reach this step, rounded up, so that while there is a phrase, one
    is kept; or down, if `rounding` says so, so that of very few none may be left. Where fewer than `number`
    exist, all are kept. Without either parameter the best third is kept, as TextRank does; TextRank takes a
    third of the words of its graph before it merges them, so this step stands before `join_runs` or
    `merge_adjacent` where TextRank is to be followed.
    """

    source: ClassVar[str] = "Mihalcea and Tarau 2004, section 3.1"
    short: ClassVar[str] = "number"

    number: int | None = Field(None, ge=1, description="How many phrases are kept at most.")
    share: float | None = Field(
        None,
        gt=0,
        le=1,
        description="The share of the phrases that is kept; a third if number is null too.",
    )
    rounding: Literal["up", "down"] = Field(
        "up", description="Which whole number of phrases a share is, where it lies between two."
    )

    @model_validator(mode="before")
    @classmethod
    def _third_by_default(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("number") is None and given.get("share") is None:
            return {**given, "share": _THIRD}
        return given

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if self.number is not None and self.share is not None:
            raise ValueError("number and share exclude one another, give one of them")
        return self

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The best phrases."""
        return keyphrases.kept(keyphrases.entries[: self._limit(len(keyphrases))])

    def _limit(self, count: int) -> int:
        if self.share is None:
            return count if self.number is None else self.number
        # The decimal that was written, not its nearest double: 0.1 of 30 phrases are 3, never 4.
        exact = Fraction(repr(self.share)) * count
        return math.ceil(exact) if self.rounding == "up" else math.floor(exact)
