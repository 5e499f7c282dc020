"""Keep phrases of some length in characters."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from kpframe.model import Keyphrases
from kpframe.postprocessing._bounds import LengthFilter

__all__ = ["CharLength"]


class CharLength(LengthFilter):
    """Keeps phrases whose surface form has `min` to `max` characters, both inclusive.

    Characters are code points, spaces between words among them. By default only phrases of a
    single character go.
    """

    source: ClassVar[str] = "DKPro Keyphrases, length filter on characters"

    min: int = Field(2, ge=1, description="Least length that is kept, in characters.")
    max: int | None = Field(
        None, ge=1, description="Greatest length that is kept, in characters; null: no limit."
    )

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases within the bounds."""
        return keyphrases.kept(entry for entry in keyphrases if self.admits(len(entry.surface)))
