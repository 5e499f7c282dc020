"""Rank candidates by how often they occur."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking

__all__ = ["Frequency"]


class Frequency(Ranking):
    """The number of a candidate's occurrences; every place counts, overlapping ones too."""

    source: ClassVar[str] = "Luhn 1957; the tf ranking of DKPro Keyphrases, the paper's framework"

    normalize: bool = Field(
        False, description="Whether scores are shares of all candidates' occurrences, so that they sum to 1."
    )

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by number of occurrences."""
        total = len(candidates.places) if self.normalize else 1
        return Keyphrases.ranked(candidates, [len(places) / total for places in candidates.places_of])
