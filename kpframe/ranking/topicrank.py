"""Rank topics, groups of candidates that share words, by the graph of their distances in the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._graph import Indexes
from kpframe.ranking._matrix_pagerank import matrix_pagerank
from kpframe.ranking._rounding import significant
from kpframe.ranking._topics import Linkage, MaxCandidates, Threshold, nearness, refuse_too_many, topics_of
from kpframe.ranking._words import Stemmer
from kpframe.stages import Ranking

__all__ = ["TopicRank"]


class TopicRank(Ranking):
    """Candidates that share words are a topic; topics are ranked by PageRank, and each gives one keyphrase.

    Topics are clusters by the Jaccard distance of the sets of (stemmed) words. The graph is complete; two
    topics are linked by Σ 1/gap over all pairs of their candidates' places, so that what stands near each
    other belongs together, without any window. The keyphrase of a topic is its member that stands first in
    the text, or the most frequent one; its other members are not ranked at all.

    Meant for the longest runs of nouns and adjectives. Time and memory are quadratic in the number of
    candidates, so a text with more than `max_candidates` is refused; a paper of 10,000 words has about 2000
    and takes less than a second.
    """

    source: ClassVar[str] = "Bougouin, Boudin & Daille 2013 (IJCNLP), section 3"
    leaves_out: ClassVar[bool] = True

    threshold: Threshold = 0.74
    linkage: Linkage = Field("average", description="How far apart two groups are, by their members.")
    stem: Stemmer | None = Field(
        "porter",
        description="Words with equal stems are the same when topics are made; null: equal words are.",
    )
    keyphrase: Literal["first", "frequent"] = Field(
        "first",
        description="The member that stands for its topic: the first in the text, or the most frequent (of "
        "equally frequent ones the first).",
    )
    damping: float = Field(
        0.85, gt=0.0, le=0.999, description="Probability of following a link in PageRank, 0 … 0.999."
    )
    max_candidates: MaxCandidates = 5000

    def rank(self, candidates: Candidates) -> Keyphrases:
        """One candidate of each topic, best first; StageError for too many candidates."""
        refuse_too_many(candidates, self.max_candidates, self.kind)
        topics = topics_of(candidates, self.stem, threshold=self.threshold, linkage=self.linkage)
        scores = significant(matrix_pagerank(nearness(candidates, topics), damping=self.damping).tolist())
        chosen = self._representatives(candidates, topics)
        score_of = {candidates.keys[index]: scores[topics[index]] for index in chosen}
        kept = candidates.keep(lambda key, places: key in score_of)
        return Keyphrases.ranked(kept, [score_of[key] for key in kept.keys])

    def _representatives(self, candidates: Candidates, topics: Indexes) -> Sequence[int]:
        """The index of one candidate of each topic."""
        times = np.bincount(np.array(candidates.owners, dtype=np.int64), minlength=len(candidates))
        best: dict[int, int] = {}
        for index, topic in enumerate(topics.tolist()):  # keys are in order of first occurrence
            known = best.setdefault(topic, index)
            if self.keyphrase == "frequent" and times[index] > times[known]:
                best[topic] = index
        return list(best.values())
