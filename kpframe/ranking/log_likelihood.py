"""Phrases that are more frequent than chance would have it: Dunning's log-likelihood."""

from __future__ import annotations

import math
from typing import ClassVar

from kpframe.ranking._foreground import BackgroundRanking, Contrast, occurrences

__all__ = ["LogLikelihood"]


class LogLikelihood(BackgroundRanking):
    """How surely a candidate's frequency in the document differs from that in the background.

    G² = 2 (a ln(a / E1) + b ln(b / E2)) with a and b occurrences in the document and in the background,
    E1 = c (a + b) / (c + d) and E2 = d (a + b) / (c + d), c and d the occurrences of all candidates. It is
    negative where a candidate is rarer in the document than in the background. Without a background
    (a collection of one document) all scores are 0.
    """

    source: ClassVar[str] = "Dunning 1993; Rayson & Garside 2000; Zesch & Gurevych 2009, section 2"

    def score(self, contrast: Contrast) -> list[float]:
        """Signed G² of each candidate."""
        own, other = occurrences(contrast.own_levels), occurrences(contrast.other_levels)
        phrases = contrast.own.phrases
        return [
            _signed(phrases[key], contrast.other.phrases.get(key, 0), own, other)
            for key in contrast.candidates.keys
        ]


def _signed(a: int, b: int, c: int, d: int) -> float:
    expected = c * (a + b) / (c + d)
    value = a * math.log(a / expected)
    if b:
        value += b * math.log(b / (d * (a + b) / (c + d)))
    return 2.0 * value if a >= expected else -2.0 * value
