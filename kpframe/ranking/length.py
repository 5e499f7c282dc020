"""Rank candidates by their length: a floor like `random`."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking

__all__ = ["Length"]


class Length(Ranking):
    """The longest candidates first; equally long ones in the order of the text.

    Nothing but the candidates themselves is used, so that a system which does no better has learned
    nothing from the text.
    """

    source: ClassVar[str] = "a baseline; longest phrases win under TextRank's sum of words too"

    unit: Literal["tokens", "characters"] = Field("tokens", description="What length is counted in.")

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by length."""
        if self.unit == "characters":
            return Keyphrases.ranked(candidates, map(len, candidates.surfaces))
        return Keyphrases.ranked(candidates, [places[0][1] - places[0][0] for places in candidates.places_of])
