"""One ranking for short texts and another for long ones."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking
from kpframe.stages.parts import RankingPart

__all__ = ["ByLength"]


class ByLength(Ranking):
    """Ranks by `short` in a text of fewer than `tokens` tokens, by `long` in all others.

    Scores of short and of long texts have nothing to do with each other. Rankings that learn from documents
    cannot stand here; tf.idf can, with `idf: {from: file, …}`.
    """

    source: ClassVar[str] = "kpframe"
    leaves_out: ClassVar[bool] = True

    tokens: int = Field(400, ge=1, description="The number of tokens from which a text is long.")
    short: RankingPart = Field("position", validate_default=True, description="The ranking for short texts.")
    long: RankingPart = Field("frequency", validate_default=True, description="The ranking for long texts.")

    @model_validator(mode="after")
    def _learn_nothing(self) -> Self:
        for ranking in (self.short, self.long):
            if ranking.fits_on():
                raise ValueError(f"{ranking.kind} must learn from documents first, which it cannot here")
        return self

    def requires(self) -> frozenset[str]:
        """What either ranking reads."""
        return self.short.requires() | self.long.requires()

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by the ranking for such a text."""
        chosen = self.short if len(candidates.annotations) < self.tokens else self.long
        return chosen.rank(candidates)
