"""One ranking for short texts and another for long ones."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking
from kpframe.stages.bounds import Bounded
from kpframe.stages.parts import RankingPart

__all__ = ["ByLength"]


class ByLength(Bounded, Ranking):
    """Ranks by `below` in a text of fewer than `bound` tokens, by `above` in all others.

    Scores of short and of long texts have nothing to do with each other. Rankings that learn from documents
    cannot stand here; tf.idf can, with `idf: {from: file, …}`.
    """

    source: ClassVar[str] = "kpframe"
    leaves_out: ClassVar[bool] = True

    below: RankingPart = Field("position", validate_default=True, description="The ranking for short texts.")
    above: RankingPart = Field("frequency", validate_default=True, description="The ranking for long texts.")

    @model_validator(mode="after")
    def _learn_nothing(self) -> Self:
        for ranking in (self.below, self.above):
            if ranking.fits_on():
                raise ValueError(f"{ranking.kind} must learn from documents first, which it cannot here")
        return self

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by the ranking for such a text."""
        chosen = self.below if len(candidates.annotations) < self.bound else self.above
        return chosen.rank(candidates)
