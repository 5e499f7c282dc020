"""BLEU of a pair of phrases."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.similarity._ngrams import ngrams, overlap
from kpframe.similarity._words import TranslationSimilarity, Words

__all__ = ["Bleu"]


class Bleu(TranslationSimilarity):
    """The geometric mean of the n-gram precisions of the hypothesis, times a brevity penalty.

    Kim et al. take the longer phrase as the reference "to avoid the length penalty". With standard BLEU
    that does the opposite: a hypothesis that is shorter than its reference is what the brevity penalty
    punishes. Two words of a phrase of four get e^−1 = .3679, and for parts of a phrase BLEU is nothing but
    a function of the ratio of lengths. `brevity_penalty: false` gives what they say, though hardly what
    they computed.

    Phrases are short: most have no 4-grams. With `effective_order` only the orders that the hypothesis
    has count, so that equal phrases get 1, as in sacrebleu; without it an order without matches makes
    the product 0 (unless smoothed), and BLEU-4 of two equal phrases of two words is 0 (nltk: 1.5e-154),
    or .3162 with `smoothing: epsilon`.
    """

    source: ClassVar[str] = "Papineni et al. 2002; Kim, Baldwin & Kan 2010, section 3.1"
    short: ClassVar[str] = "n"

    n: int = Field(1, ge=1, le=9, description="The greatest number of words of an n-gram.")
    effective_order: bool = Field(
        True, description="Count only the orders of which the hypothesis has n-grams; false: all up to `n`."
    )
    smoothing: Literal["zero", "epsilon", "add_one"] = Field(
        "zero",
        description="An order without matches counts 0 (zero) or .1 matches (epsilon; Chen & Cherry 2014, "
        "method 1); add_one: one match and one n-gram more for every order from 2 on (method 2).",
    )
    brevity_penalty: bool = Field(
        True,
        description="Multiply by e^(1 − r/h) if the hypothesis (h words) is shorter than its reference (r).",
    )

    def against(self, hypothesis: Words, reference: Words) -> float:
        """BLEU in 0 … 1; 0 if no word is shared, smoothed or not."""
        logarithms: list[float] = []
        for n in range(1, self.n + 1):
            found = ngrams(hypothesis, n)
            if self.effective_order and not found:
                break
            precision = self._precision(n, overlap(found, ngrams(reference, n)) if found else 0, len(found))
            if precision == 0.0:
                return 0.0
            logarithms.append(math.log(precision))
        longer = len(reference) / len(hypothesis)
        penalty = min(0.0, 1.0 - longer) if self.brevity_penalty else 0.0
        return math.exp(math.fsum(logarithms) / len(logarithms) + penalty)

    def _precision(self, n: int, matches: int, total: int) -> float:
        if n > 1 and self.smoothing == "add_one":
            return (matches + 1) / (max(total, 1) + 1)
        if n > 1 and self.smoothing == "epsilon" and not matches:
            return 0.1 / max(total, 1)
        return matches / max(total, 1)
