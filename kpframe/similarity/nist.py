"""NIST of a pair of phrases."""

from __future__ import annotations

import math
from collections import Counter
from typing import ClassVar

from pydantic import Field

from kpframe.similarity._ngrams import ngrams
from kpframe.similarity._words import TranslationSimilarity, Words

__all__ = ["Nist"]

_BETA = math.log(0.5) / math.log(1.5) ** 2
"""Makes the penalty 1/2 where the hypothesis has two thirds of the words of its reference."""


class Nist(TranslationSimilarity):
    """The mean information of the matched n-grams, summed over their lengths, times a penalty.

    An n-gram carries log2(count of its first n − 1 words / its own count) bits, for one word
    log2(number of words / its count). The counts are those of the reference phrase alone; the paper does
    not say where theirs come from. Bits have no upper bound, so that values of phrases of different
    lengths can hardly be compared, and equal phrases of one word get 0: they carry no information.

    Lengths of n-grams that one of the phrases does not have are left out (nltk divides by zero there).
    """

    source: ClassVar[str] = "Doddington 2002; Kim, Baldwin & Kan 2010, section 3.1"
    short: ClassVar[str] = "n"
    bounded: ClassVar[bool] = False

    n: int = Field(5, ge=1, description="The greatest number of words of an n-gram.")

    def against(self, hypothesis: Words, reference: Words) -> float:
        """NIST in bits, at least 0."""
        means: list[float] = []
        shorter: Counter[tuple[str, ...]] = Counter({(): len(reference)})
        for n in range(1, min(self.n, len(hypothesis), len(reference)) + 1):
            grams = Counter(ngrams(reference, n))
            shared = Counter(ngrams(hypothesis, n)) & grams
            bits = (count * math.log2(shorter[gram[:-1]] / grams[gram]) for gram, count in shared.items())
            means.append(math.fsum(bits) / (len(hypothesis) - n + 1))
            shorter = grams
        ratio = min(len(hypothesis) / len(reference), 1.0)
        return math.fsum(means) * math.exp(_BETA * math.log(ratio) ** 2)
