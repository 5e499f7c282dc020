"""GlossEx: terms whose words belong to the domain, and stay together."""

from __future__ import annotations

import math
from typing import ClassVar

from pydantic import Field

from kpframe.ranking._foreground import BackgroundRanking, Contrast

__all__ = ["GlossEx"]


class GlossEx(BackgroundRanking):
    """Weighted sum of domain specificity and term cohesion, here with the document as the domain.

    - Specificity: the mean over a candidate's words of ln(share in the document / share in the
      background), over tokens with a letter or digit; a word that is missing there counts once.
    - Cohesion: tokens · f · log10 f / Σ occurrences of its words, where f is how often it occurs;
      0 for what occurs once.

    The authors rank the terms of a whole domain against general text; formulas and weights are
    given after later descriptions and have not been compared to the paper.
    """

    source: ClassVar[str] = "Park, Byrd & Boguraev 2002 (GlossEx)"

    specificity: float = Field(0.2, ge=0, description="The weight of domain specificity (alpha).")
    cohesion: float = Field(0.8, ge=0, description="The weight of term cohesion (beta).")

    def score(self, contrast: Contrast) -> list[float]:
        """The weighted sum for each candidate."""
        tokens = contrast.candidates.tokens
        scores = []
        for key, places in zip(contrast.candidates.keys, contrast.candidates.places_of, strict=True):
            begin, end = places[0]
            words = tokens[begin:end]
            times = contrast.own.phrases[key]
            # a token without letter or digit, or a key of several forms, could otherwise give 0
            own = [max(contrast.own.words.get(word, 0), 1) for word in words]
            specific = math.fsum(
                self._specificity(contrast, word, n) for word, n in zip(words, own, strict=True)
            )
            together = len(words) * times * math.log10(times) / sum(own)
            scores.append(self.specificity * specific / len(words) + self.cohesion * together)
        return scores

    @staticmethod
    def _specificity(contrast: Contrast, word: str, own: int) -> float:
        there = max(contrast.other.words.get(word, 0), 1) / max(contrast.other.tokens, 1)
        return math.log(own / max(contrast.own.tokens, 1) / min(there, 1.0))
