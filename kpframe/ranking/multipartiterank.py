"""Rank candidates in a graph whose parts are topics, with a bonus for what stands first in each."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._graph import Indexes, Weights
from kpframe.ranking._matrix_pagerank import matrix_pagerank
from kpframe.ranking._rounding import significant
from kpframe.ranking._topics import Linkage, MaxCandidates, Threshold, nearness, refuse_too_many, topics_of
from kpframe.ranking._words import Stemmer
from kpframe.stages import Ranking

__all__ = ["MultipartiteRank"]


class MultipartiteRank(Ranking):
    """PageRank over candidates that are linked to all of other topics, and to none of their own.

    Topics and weights are those of `topicrank`, but the nodes are the candidates. The links to the
    candidate that stands first in its topic are made stronger by what leads to the others of its topic,
    times `alpha` · e^(1 / (1 + place)), place in tokens from 0; so the first mention of a topic wins, the
    more so at the beginning of the text, and the order within a topic is known too.

    Meant for the longest runs of nouns and adjectives. Time and memory are quadratic in the number of
    candidates, so a text with more than `max_candidates` is refused; a paper of 10,000 words has about 2000
    and takes less than a second.
    """

    source: ClassVar[str] = "Boudin 2018 (NAACL), section 2"
    leaves_out: ClassVar[bool] = True

    alpha: float = Field(
        1.1, ge=0.0, le=100.0, description="Strength of the bonus for the first of a topic; 0: none."
    )
    threshold: Threshold = 0.74
    linkage: Linkage = Field("average", description="How far apart two groups are, by their members.")
    stem: Stemmer | None = Field(
        "porter",
        description="Words with equal stems are the same when topics are made; null: equal words are.",
    )
    damping: float = Field(
        0.85, gt=0.0, le=0.999, description="Probability of following a link in PageRank, 0 … 0.999."
    )
    max_candidates: MaxCandidates = 5000

    def rank(self, candidates: Candidates) -> Keyphrases:
        """All candidates, best first; StageError for too many candidates."""
        refuse_too_many(candidates, self.max_candidates, self.kind)
        topics = topics_of(candidates, self.stem, threshold=self.threshold, linkage=self.linkage)
        weights = nearness(candidates, np.arange(len(candidates)))
        weights[topics[:, None] == topics[None, :]] = 0.0
        self._prefer_first(weights, topics, candidates)
        scores = matrix_pagerank(weights, damping=self.damping)
        return Keyphrases.ranked(candidates, significant(scores.tolist()))

    def _prefer_first(self, weights: Weights, topics: Indexes, candidates: Candidates) -> None:
        """Strengthen, in place, the links to the first candidate of each topic."""
        numbers, first, sizes = np.unique(topics, return_index=True, return_counts=True)
        added = []
        for topic, leader in zip(numbers[sizes > 1], first[sizes > 1], strict=True):
            others = np.flatnonzero(topics == topic)[1:]
            place = candidates.places_of[leader][0][0]
            bonus = self.alpha * np.exp(1.0 / (1.0 + place))
            added.append((leader, weights[others].sum(axis=0) * bonus))
        for leader, bonuses in added:  # only now: bonuses are made of the weights before any bonus
            weights[:, leader] += bonuses
