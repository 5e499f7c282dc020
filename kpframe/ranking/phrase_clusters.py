"""Clusters of phrases that share a word, and the centroid of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from kpframe.language.stop_lists import file_checksums, list_limits, list_problems, stop_words
from kpframe.model import AUTO, Candidates, Keyphrases, Place
from kpframe.stages import Ranking

__all__ = ["PhraseClusters"]

_CONTENT = frozenset({"NOUN", "PROPN", "ADJ"})


class PhraseClusters(Ranking):
    """One phrase of each cluster of phrases that share a word.

    Candidates with a word in common are in one cluster (single linkage), stop words apart. A
    cluster scores the occurrences of its phrases + the mean frequency of its distinct words, stop
    words apart. Its centroid gets the score, and its other phrases are left out: the phrase with the
    greatest occurrences × mean number of phrases of the cluster that hold each of its words (stop
    words too), the first of them in the text.

    The paper is known here through its description by Zesch and Gurevych alone, which gives the
    clusters and no formula: the formula is kpframe's. In long texts one frequent word after the
    other ties most phrases into a single cluster.
    """

    source: ClassVar[str] = "Bracewell, Ren & Kuriowa 2005, after Zesch & Gurevych 2009, section 2"
    leaves_out: ClassVar[bool] = True

    frequencies: Literal["all", "content"] = Field(
        "all",
        description="Which tokens the frequency of a word counts: all, or those tagged as noun, proper noun "
        "or adjective.",
    )
    stopwords: tuple[str, ...] = Field(
        (AUTO,),
        description="Stop lists, whose words connect no phrases: language codes (en, de, hi, …), "
        "paths of files with an entry a line, or auto, the list of the document's language.",
    )

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Stop lists that do not exist."""
        for problem, remedy in list_problems(self.stopwords):
            yield "stopwords", problem, remedy

    def limits(self, language: str) -> Iterator[str]:
        """Stop lists that are those of other languages."""
        yield from list_limits(self.stopwords, language)

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the checksums of files of stop words."""
        files = file_checksums(self.stopwords)
        return {**super().identity(languages), **({"sha256": files} if files else {})}

    def requires(self) -> frozenset[str]:
        """Parts of speech, if frequencies ask for them."""
        return frozenset({"pos"} if self.frequencies == "content" else ())

    def rank(self, candidates: Candidates) -> Keyphrases:
        """One candidate of each cluster, by the score of the cluster."""
        words = [tuple(candidates.tokens[b:e]) for b, e in (places[0] for places in candidates.places_of)]
        frequency = self._frequency(candidates)
        score_of: dict[str, float] = {}
        stop = stop_words(self.stopwords, candidates.document.language)
        for cluster in _clusters(words, stop):
            distinct = {word for number in cluster for word in words[number]} - stop
            total = sum(len(candidates.places_of[number]) for number in cluster)
            mean = sum(frequency[word] for word in distinct) / max(len(distinct), 1)
            centroid = _centroid(cluster, words, candidates.places_of)
            score_of[candidates.keys[centroid]] = total + mean
        kept = candidates.keep(lambda key, places: key in score_of)
        return Keyphrases.ranked(kept, [score_of[key] for key in kept.keys])

    def _frequency(self, candidates: Candidates) -> Counter[str]:
        if self.frequencies == "all":
            return Counter(candidates.tokens)
        annotations = candidates.annotations
        annotations.require("pos")
        assert annotations.pos is not None
        tagged = zip(candidates.tokens, annotations.strings(annotations.pos), strict=True)
        return Counter(token for token, tag in tagged if tag in _CONTENT)


def _centroid(
    cluster: Sequence[int], words: Sequence[tuple[str, ...]], places_of: Sequence[Sequence[Place]]
) -> int:
    """The phrase with the greatest occurrences × mean number of phrases that share its words."""
    holders = Counter(word for number in cluster for word in words[number])

    def shared(number: int) -> float:
        own = words[number]
        return len(places_of[number]) * sum(holders[word] for word in own) / len(own)

    return max(cluster, key=lambda number: (shared(number), -number))


def _clusters(words: Sequence[tuple[str, ...]], stop: frozenset[str]) -> list[list[int]]:
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
            if word in stop:
                continue
            low, high = sorted((root(first.setdefault(word, number)), root(number)))
            parent[high] = low
    groups: dict[int, list[int]] = {}
    for number in range(len(words)):
        groups.setdefault(root(number), []).append(number)
    return list(groups.values())
