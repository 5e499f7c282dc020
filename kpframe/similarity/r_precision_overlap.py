"""R-precision of a pair of phrases: the share of words that they have in common."""

from __future__ import annotations

from typing import ClassVar

from kpframe.similarity._ngrams import overlap
from kpframe.similarity._words import Words, WordSimilarity

__all__ = ["RPrecisionOverlap"]


class RPrecisionOverlap(WordSimilarity):
    """Overlapping words over the words of the longer phrase.

    Of all measures that Kim et al. tried it agrees best with human judgement. Not to be confused
    with the R-precision of ranked lists, nor with that of Zesch and Gurevych, after whom they named
    it. The order of the words plays no part; a repeated word overlaps as often as both phrases have it.
    """

    source: ClassVar[str] = "Kim, Baldwin & Kan 2010, section 3.2"
    symmetric: ClassVar[bool] = True

    def compare_words(self, predicted: Words, gold: Words) -> float:
        """The share of the longer phrase, in 0 … 1."""
        return overlap(predicted, gold) / max(len(predicted), len(gold))
