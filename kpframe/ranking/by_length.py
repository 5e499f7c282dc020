"""One ranking for short texts and another for long ones."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking
from kpframe.stages.bounds import never_used
from kpframe.stages.parts import RankingPart

__all__ = ["ByLength"]


class ByLength(Ranking):
    """Ranks by `below` in a text of fewer than `bound` tokens, by `above` in all others.

    Scores of short and of long texts have nothing to do with each other. Rankings that learn from documents
    cannot stand here; tf.idf can, with `idf: {from: file, …}`.
    """

    source: ClassVar[str] = "kpframe"
    leaves_out: ClassVar[bool] = True

    bound: int = Field(400, ge=1, description="The number of tokens from which a text is long.")
    below: RankingPart = Field("position", validate_default=True, description="The ranking for short texts.")
    above: RankingPart = Field("frequency", validate_default=True, description="The ranking for long texts.")

    @model_validator(mode="after")
    def _learn_nothing(self) -> Self:
        for ranking in (self.below, self.above):
            if ranking.fits_on():
                raise ValueError(f"{ranking.kind} must learn from documents first, which it cannot here")
        return self

    @model_validator(mode="after")
    def _no_idle_part(self) -> Self:
        if problem := never_used(self.bound, self.below, self.above):
            raise ValueError(problem)
        return self

    def bounds(self) -> frozenset[int]:
        """Its own, and those of both parts."""
        return super().bounds() | {self.bound}

    def requires(self) -> frozenset[str]:
        """What either ranking reads."""
        return self.below.requires() | self.above.requires()

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by the ranking for such a text."""
        chosen = self.below if len(candidates.annotations) < self.bound else self.above
        return chosen.rank(candidates)
