"""Keep phrases of some length in tokens."""

from __future__ import annotations

import math
from typing import ClassVar

from pydantic import Field

from kpframe.language.words import phrase_tokens
from kpframe.model import Annotations, Keyphrases, Ranked
from kpframe.postprocessing._bounds import LengthFilter

__all__ = ["TokenLength"]


class TokenLength(LengthFilter):
    """Keeps phrases whose surface form has `min` to `max` tokens, both inclusive.

    The tokens are those of the text. A form that does not stand in the text (the label of a
    vocabulary) is tokenised by itself. The default is the paper's: 97.7 to 99.2 % of the gold
    keyphrases of its collections have 1 to 4 tokens.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 4"

    min: int = Field(1, ge=1, description="Least length that is kept, in tokens.")
    max: int | None = Field(4, ge=1, description="Greatest length that is kept, in tokens; null: no limit.")

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases within the bounds."""
        annotations, least = keyphrases.annotations, self.min
        most = math.inf if self.max is None else self.max
        kept = [entry for entry in keyphrases.entries if least <= _tokens(entry, annotations) <= most]
        return keyphrases if len(kept) == len(keyphrases) else keyphrases.kept(kept)


def _tokens(entry: Ranked, annotations: Annotations) -> int:
    surface = annotations.surface
    _, shown, _, places = entry
    for begin, end in places:
        if surface(begin, end) == shown:
            return end - begin
    return len(phrase_tokens(shown))
