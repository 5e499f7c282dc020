"""Phraseness and informativeness of language models: Tomokiyo and Hurst."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.ranking._foreground import BackgroundRanking, Contrast, occurrences

__all__ = ["KlDivergence"]


class KlDivergence(BackgroundRanking):
    """What is lost by taking the words of a candidate one by one, and the background for the document.

    The pointwise divergence of two probabilities is p · ln(p / q).
    - Phraseness: p is the share of the candidate among the document's candidates of as many tokens, q the
      product of the shares of its words among the document's tokens (those with a letter or digit); 0
      for single words.
    - Informativeness: p as above, q the same share in the background, where what is missing
      counts as if it occurred once.

    The score is their sum, or with `mixture` γ the weighted sum γ · phraseness + (1 - γ) · informativeness.
    Probabilities are relative frequencies; the authors smooth theirs.
    """

    source: ClassVar[str] = "Tomokiyo & Hurst 2003, sections 4 and 5"

    part: Literal["both", "phraseness", "informativeness"] = Field("both", description="What is scored.")
    mixture: float | None = Field(
        None, ge=0, le=1, description="The weight γ of phraseness against informativeness; null: their sum."
    )

    def score(self, contrast: Contrast) -> list[float]:
        """The sum of both divergences for each candidate."""
        own, other = contrast.own, contrast.other
        tokens = contrast.candidates.tokens
        size = {n: occurrences(contrast.own_levels, n) for n in contrast.own_levels}
        background = {n: max(occurrences(contrast.other_levels, n), 1) for n in contrast.own_levels}
        scores = []
        for key, places in zip(contrast.candidates.keys, contrast.candidates.places_of, strict=True):
            words = key.count(" ") + 1
            share = own.phrases[key] / size[words]
            begin, end = places[0]
            alone = [max(own.words.get(token, 0), 1) / own.tokens for token in tokens[begin:end]]
            phraseness = share * (math.log(share) - sum(map(math.log, alone))) if end > begin + 1 else 0.0
            there = min(max(other.phrases.get(key, 0), 1) / background[words], 1.0)
            scores.append(self._mixed(phraseness, share * math.log(share / there)))
        return scores

    def _mixed(self, phraseness: float, informativeness: float) -> float:
        match self.part:
            case "phraseness":
                return phraseness
            case "informativeness":
                return informativeness
        if self.mixture is None:
            return phraseness + informativeness
        return self.mixture * phraseness + (1.0 - self.mixture) * informativeness
