"""Clusters of phrases that share a word, and the centroid of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar

from pydantic import Field

from kpframe.files.resources import manifest, read_words
from kpframe.language.normalize import fold
from kpframe.model import Candidates, Keyphrases, Place
from kpframe.stages import Ranking

__all__ = ["PhraseClusters"]


class PhraseClusters(Ranking):
    """One phrase of each cluster of phrases that share a word.

    Candidates with a word in common are in one cluster (single linkage), stop words apart. A
    cluster scores the occurrences of its phrases + the mean frequency of its distinct words in the
    text; its most frequent phrase, among equals the one with the greater summed frequency of words,
    then the first, gets the score, and the others are left out.

    The paper is known here through its description by Zesch and Gurevych alone, which gives the
    clusters and no formula: the formula is kpframe's. In long texts one frequent word after the
    other ties most phrases into a single cluster.
    """

    source: ClassVar[str] = "Bracewell, Ren & Kuriowa 2005, after Zesch & Gurevych 2009, section 2"

    stopwords: tuple[str, ...] = Field(
        ("en",), description="Names of shipped stop lists (en, de, …), whose words connect no phrases."
    )

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Stop lists that are not shipped."""
        known = sorted(name.removeprefix("stopwords/") for name in manifest() if name.startswith("stopwords/"))
        for name in self.stopwords:
            if name not in known:
                yield "stopwords", f"there is no stop list {name!r}", f"there are: {', '.join(known)}"

    def rank(self, candidates: Candidates) -> Keyphrases:
        """One candidate of each cluster, by the score of the cluster."""
        stop = {fold(word) for name in self.stopwords for word in read_words(f"stopwords/{name}")}
        tokens = candidates.tokens
        frequency = Counter(tokens)
        words = [
            dict.fromkeys(token for token in tokens[begin:end] if token not in stop)
            for begin, end in (places[0] for places in candidates.places_of)
        ]
        score_of: dict[str, float] = {}
        for cluster in _clusters(words):
            distinct = {word for number in cluster for word in words[number]}
            total = sum(len(candidates.places_of[number]) for number in cluster)
            mean = sum(frequency[word] for word in distinct) / len(distinct) if distinct else 0.0
            centroid = max(
                cluster,
                key=lambda number: (
                    len(candidates.places_of[number]),
                    sum(frequency[word] for word in words[number]),
                    -number,
                ),
            )
            score_of[candidates.keys[centroid]] = total + mean
        kept = candidates.keep(lambda key, places: key in score_of)
        return Keyphrases.ranked(kept, [score_of[key] for key in kept.keys])


def _clusters(words: Sequence[dict[str, None]]) -> list[list[int]]:
    """Numbers of candidates in groups that shared words connect, by their first members."""
    parent = list(range(len(words)))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    first: dict[str, int] = {}
    for number, own in enumerate(words):
        for word in own:
            low, high = sorted((root(first.setdefault(word, number)), root(number)))
            parent[high] = low
    groups: dict[int, list[int]] = {}
    for number in range(len(words)):
        groups.setdefault(root(number), []).append(number)
    return list(groups.values())
