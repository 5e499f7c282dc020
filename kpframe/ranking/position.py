"""Rank candidates by where they first stand."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking

__all__ = ["Position"]


class Position(Ranking):
    """The earlier a candidate first occurs, the better: a strong baseline for news and abstracts.

    The score is (n - begin) / n, where n is the length of the text: 1 at its beginning, above 0 at
    its end; or, with `score: place`, the place itself, negative. Candidates that begin at the same place
    are equal.
    """

    source: ClassVar[str] = "the position ranking of DKPro Keyphrases, the paper's framework"

    unit: Literal["characters", "tokens"] = Field(
        "characters", description="What places and the length of the text are counted in."
    )
    score: Literal["share", "place"] = Field(
        "share", description="share: (n - begin) / n; place: -begin, 0 for what begins the text."
    )

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by their first occurrence."""
        annotations = candidates.annotations
        firsts = [places[0][0] for places in candidates.places_of]
        if self.unit == "tokens":
            length = len(annotations)
        else:
            begins, _ = annotations.offsets
            firsts = [begins[first] for first in firsts]
            length = len(annotations.text)
        if self.score == "place":
            return Keyphrases.ranked(candidates, [float(-first) for first in firsts])
        return Keyphrases.ranked(candidates, [(length - first) / length for first in firsts])
