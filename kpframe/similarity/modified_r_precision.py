"""R-precision of a pair of phrases in which words count more the nearer they are to the head."""

from __future__ import annotations

import math
from collections import Counter
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.similarity._words import Words, WordSimilarity

__all__ = ["ModifiedRPrecision"]


class ModifiedRPrecision(WordSimilarity):
    """The weight of the overlapping words over that of all words of one phrase.

    Word i of N weighs 1/(N − i + 1), so that the last word, the head of an English noun phrase, weighs
    1: of A B C, A B has 5/11 and B C 9/11. The paper does not say whose weights count if the predicted
    phrase is the longer one; `longer` follows the denominator of its R-precision. Of a word that
    stands in the weighing phrase more often than in the other, the occurrences nearest to the head count.
    """

    source: ClassVar[str] = "Kim, Baldwin & Kan 2010, section 3.3"

    weights: Literal["longer", "reference"] = Field(
        "longer",
        description="Whose words weigh: those of the longer phrase (of equally long ones the gold "
        "keyphrase), or always those of the gold keyphrase.",
    )

    def compare_words(self, predicted: Words, gold: Words) -> float:
        """The share of weight, in 0 … 1."""
        if self.weights == "longer" and len(predicted) > len(gold):
            weighing, other = predicted, gold
        else:
            weighing, other = gold, predicted
        left = Counter(other)
        matched: list[float] = []
        weights = [1.0 / distance for distance in range(1, len(weighing) + 1)]
        for word, weight in zip(reversed(weighing), weights, strict=True):
            if left[word] > 0:
                left[word] -= 1
                matched.append(weight)
        return math.fsum(matched) / math.fsum(weights)
