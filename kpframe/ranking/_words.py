"""The words of a text that are nodes of a graph, and phrases scored by theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kpframe.language.parts_of_speech import tagged
from kpframe.language.stems import stemmer_of
from kpframe.language.words import has_letter_or_digit
from kpframe.model import Annotations, Candidates
from kpframe.ranking._graph import Graph, Indexes, Weights, token_graph

__all__ = ["PhraseScore", "Stemmer", "WordClass", "Words", "phrase_scores", "token_strings", "words_of"]

PhraseScore = Literal["sum", "mean", "max", "product"]
Stemmer = Literal["porter", "snowball", "lancaster"]
WordClass = Literal["alphanumeric", "any"]


@dataclass(frozen=True, eq=False)
class Words:
    """Some tokens of a text: `positions` (ascending), and for each the index of its string in `names`.

    `names` are distinct, in the order of their first occurrence.
    """

    names: tuple[str, ...]
    positions: Indexes
    owners: Indexes

    @cached_property
    def _graphs(self) -> dict[tuple[int, bool, bool], Graph]:
        """The graphs of `graph_of` so far."""
        return {}

    def graph_of(
        self, annotations: Annotations, *, window: int, cross_sentences: bool, consecutive: bool = False
    ) -> Graph:
        """The graph of the words of this text, which many rankings share; made once."""
        asked = (window, cross_sentences, consecutive)
        if asked not in self._graphs:
            ends = None if cross_sentences else annotations.sentences[:, 1].astype(np.int64)
            self._graphs[asked] = self.graph(window=window, sentence_ends=ends, consecutive=consecutive)
        return self._graphs[asked]

    def graph(self, *, window: int, sentence_ends: Indexes | None, consecutive: bool = False) -> Graph:
        """The graph of their meetings; `consecutive` counts the window along these words alone."""
        positions = np.arange(len(self.positions)) if consecutive else self.positions
        if consecutive and sentence_ends is not None:
            sentence_ends = np.searchsorted(self.positions, sentence_ends)
        return token_graph(
            self.owners, positions, len(self.names), window=window, sentence_ends=sentence_ends
        )

    def counts(self) -> Weights:
        """For each name the number of its tokens."""
        return np.bincount(self.owners, minlength=len(self.names)).astype(np.float64)

    def totals(self, values: Weights) -> Weights:
        """For each name the sum of the values of its tokens."""
        return np.bincount(self.owners, values, len(self.names)).astype(np.float64, copy=False)


def token_strings(candidates: Candidates, stem: Stemmer | None) -> list[str]:
    """What identifies each token of the text: the candidates' own level, or its stem."""
    if stem is None:
        return candidates.tokens
    return list(map(stemmer_of(candidates.document.language, stem), candidates.tokens))


def words_of(
    candidates: Candidates,
    stem: Stemmer | None,
    pos: Sequence[str] | None,
    tokens: WordClass = "any",
) -> Words:
    """The tokens with one of the parts of speech `pos`, or for None those that are part of a candidate.

    With `tokens: alphanumeric` only those with a letter or a digit. They are known by `token_strings`.
    """
    annotations = candidates.annotations
    if pos is None:
        return _words(annotations, token_strings(candidates, stem), _covered(candidates), tokens)
    language = candidates.document.language if stem else ""
    return annotations.once(_tagged_words, candidates.level, stem, language, tuple(pos), tokens)


def _tagged_words(
    annotations: Annotations,
    level: str,
    stem: Stemmer | None,
    language: str,
    pos: tuple[str, ...],
    tokens: WordClass,
) -> Words:
    strings = annotations.folded_words if level == "words" else annotations.folded_lemmas
    reduced = list(map(stemmer_of(language, stem), strings)) if stem else strings
    return _words(annotations, reduced, tagged(annotations, pos), tokens)


def _words(
    annotations: Annotations, strings: Sequence[str], chosen: NDArray[np.bool_], tokens: WordClass
) -> Words:
    if tokens == "alphanumeric":
        visible = np.array(list(map(has_letter_or_digit, annotations.vocabulary)), dtype=np.bool_)
        chosen = chosen & visible[annotations.words]
    positions = np.flatnonzero(chosen)
    named = list(map(strings.__getitem__, positions.tolist()))
    names = tuple(dict.fromkeys(named))
    number = dict(zip(names, range(len(names)), strict=True))
    return Words(names, positions, np.array(list(map(number.__getitem__, named)), dtype=np.int64))


def phrase_scores(candidates: Candidates, words: Words, scores: Weights, combine: PhraseScore) -> Weights:
    """For each key its score from those of its words; the best place counts where its forms differ.

    A token that is none of the `words` has the score 0.
    """
    if not candidates:
        return np.zeros(0)
    of_token = np.zeros(len(candidates.annotations) + 1)
    of_token[words.positions] = scores[words.owners]
    places = np.fromiter(chain.from_iterable(candidates.places), np.int64, 2 * len(candidates.places))
    folded = {"max": np.maximum, "product": np.multiply}.get(combine, np.add)
    of_place = folded.reduceat(of_token, places)[::2]
    if combine == "mean":
        of_place = of_place / (places[1::2] - places[::2])
    best = np.full(len(candidates), -np.inf)
    np.maximum.at(best, np.array(candidates.owners), of_place)
    return best


def _covered(candidates: Candidates) -> NDArray[np.bool_]:
    """For each token whether some candidate holds it."""
    depth = np.zeros(len(candidates.annotations) + 1, dtype=np.int64)
    for side, change in ((0, 1), (1, -1)):
        np.add.at(depth, [place[side] for place in candidates.places], change)
    covered: NDArray[np.bool_] = np.cumsum(depth[:-1]) > 0
    return covered
