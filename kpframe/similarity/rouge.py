"""ROUGE of a pair of phrases."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from kpframe.similarity._ngrams import ngrams, overlap
from kpframe.similarity._words import Words, WordSimilarity

__all__ = ["Rouge"]


class Rouge(WordSimilarity):
    """The F-measure of shared n-grams, or of the longest common subsequence of words.

    Kim et al. use ROUGE-1. Phrases of fewer than n words have no n-grams and get 0, also when they are
    equal, as in Lin's program. As precision and recall weigh alike, it does not matter which phrase
    is the reference.
    """

    source: ClassVar[str] = "Lin 2004, sections 2 and 3; Kim, Baldwin & Kan 2010, section 3.1"
    short: ClassVar[str] = "n"
    symmetric: ClassVar[bool] = True

    n: Annotated[int, Field(ge=1)] | Literal["L"] = Field(
        1, description="Words of an n-gram (ROUGE-1, ROUGE-2, …), or L for the longest common subsequence."
    )

    def compare_words(self, predicted: Words, gold: Words) -> float:
        """2 × shared / (units of both phrases), in 0 … 1."""
        if self.n == "L":
            return 2.0 * _common_subsequence(predicted, gold) / (len(predicted) + len(gold))
        left, right = ngrams(predicted, self.n), ngrams(gold, self.n)
        return 2.0 * overlap(left, right) / (len(left) + len(right)) if left and right else 0.0


def _common_subsequence(left: Words, right: Words) -> int:
    """The length of the longest sequence of words that both have in order, gaps allowed."""
    row = [0] * (len(right) + 1)
    for word in left:
        diagonal = 0
        for column, other in enumerate(right, start=1):
            longest = diagonal + 1 if word == other else max(row[column], row[column - 1])
            diagonal, row[column] = row[column], longest
    return row[-1]
