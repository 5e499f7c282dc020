"""Choose phrases that are relevant and unlike those chosen before."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from kpframe.model import Keyphrases
from kpframe.stages import Postprocessor
from kpframe.stages.parts import EmbeddingPart

__all__ = ["MarginalRelevance"]

Floats = NDArray[np.float64]


class MarginalRelevance(Postprocessor):
    """Maximal marginal relevance: the next phrase is the one with the best balance of relevance and novelty.

    The balance is (1 - d) · relevance - d · redundancy, where relevance is the phrase's score so far (a
    cosine, after `embedrank`), redundancy its greatest cosine to a phrase chosen before (0 for the first
    phrase), and d is `diversity`. The balance becomes the score; where it would exceed that of the phrase
    before it, which negative cosines can bring about, the score is the nearest below that one. Ties are
    won by the better rank. Phrases beyond `top` are dropped. Time grows with phrases × `top`.

    KeyBERT does this with d = .2 or more on plain cosines; EmbedRank++ with d = .5 on standardised ones
    (`standardise`): relevance, and the similarities of all phrases to one chosen before, each become
    .5 + (x - mean) / standard deviation.
    """

    source: ClassVar[str] = "Carbonell & Goldstein 1998; Bennani-Smires et al. 2018, section 3.3"
    short: ClassVar[str] = "diversity"
    paths: ClassVar[tuple[str, ...]] = ("embedding.path",)

    diversity: float = Field(0.5, ge=0, le=1, description="The weight of redundancy; 0 changes no order.")
    embedding: EmbeddingPart = Field(
        "trigrams",
        validate_default=True,
        description="What gives the vectors of phrases; the same as in the ranking, if that has one.",
    )
    standardise: bool = Field(
        False, description="Whether relevance and redundancy are standardised, as EmbedRank does."
    )
    top: int = Field(100, ge=1, description="At most so many phrases are chosen.")

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The chosen phrases, in the order of their choice."""
        entries = keyphrases.entries
        if not entries:
            return keyphrases
        words = keyphrases.annotations.folded_words
        phrases = [" ".join(words[begin:end]) for (begin, end), *_ in (entry.places for entry in entries)]
        rows = self.embedding.directions(phrases)
        scores = np.array([entry.score for entry in entries])
        relevance = _standardised(scores) if self.standardise else scores
        chosen = self._chosen(relevance, rows)
        return keyphrases.kept([entries[number]._replace(score=score) for number, score in chosen])

    def _chosen(self, relevance: Floats, rows: Floats) -> list[tuple[int, float]]:
        """Numbers of phrases with their balance, in the order of choice."""
        found: list[tuple[int, float]] = []
        redundancy = np.full(len(rows), -np.inf)
        free = np.ones(len(rows), dtype=np.bool_)
        last = np.inf
        for _ in range(min(self.top, len(rows))):
            balance = (1 - self.diversity) * relevance
            if found:
                balance = balance - self.diversity * redundancy
            # Eleven digits: in those after them only the order of summing shows.
            best = int(np.argmax(np.where(free, np.round(balance, 11), -np.inf)))
            last = min(float(balance[best]), float(np.nextafter(last, -np.inf)))
            found.append((best, last))
            free[best] = False
            likeness = (rows * rows[best]).sum(axis=1)
            if self.standardise:
                others = np.arange(len(rows)) != best
                likeness[others] = _standardised(likeness[others])
            redundancy = np.maximum(redundancy, likeness)
        return found


def _standardised(values: Floats) -> Floats:
    """.5 plus distances from the mean in standard deviations; .5 for all where all are equal."""
    spread = float(values.std()) if len(values) else 0.0
    # Equal values can differ in their last digit from the mean of them.
    if spread <= 1e-12 * float(np.abs(values).max(initial=0.0)):
        return np.full(len(values), 0.5)
    found: Floats = 0.5 + (values - values.mean()) / spread
    return found
