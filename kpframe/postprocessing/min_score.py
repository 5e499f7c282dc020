"""Keep phrases with a sufficient score."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from kpframe.model import Keyphrases
from kpframe.stages import Postprocessor

__all__ = ["MinScore"]


class MinScore(Postprocessor):
    """Keeps phrases whose score is at least `min`.

    Scores have the unit of the ranking that made them and are comparable only within one document
    and one configuration: a probability of Kea or a share may be cut at a fixed value, a tf.idf
    value hardly so.
    """

    source: ClassVar[str] = "a threshold on the score; no publication"
    short: ClassVar[str] = "min"

    min: float = Field(
        0.0, allow_inf_nan=False, description="Least score that is kept, in the ranking's own unit."
    )

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases with at least that score."""
        return keyphrases.kept(entry for entry in keyphrases if entry.score >= self.min)
