"""What is kept of a collection so that documents can lend each other their words.

Of each document: how often its words stand in it (for the similarity of documents), and where those of its
graph stand (for their meetings), so that what is kept grows with the length of the texts and not with the
number of pairs of words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, model_validator

from kpframe.ranking._document_frequencies import DocumentFrequencies
from kpframe.ranking._graph import Graph, Indexes
from kpframe.ranking._trained_state import MOST, Count, checked
from kpframe.ranking._words import Words

__all__ = ["CollectionWords", "DocumentWords", "joined"]

_DECIMALS = 12
"""Similarities that agree so far are equal, and such neighbours are ordered by their ids."""


class _Kept(BaseModel):
    """One document of a state: strings by their numbers, places by the steps between them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    terms: list[Count]
    counts: list[Count]
    words: list[Count]
    owners: list[Count]
    steps: list[Count]
    sentences: list[Count]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(self.terms) != len(self.counts) or len(self.owners) != len(self.steps):
            raise ValueError("lists that belong together differ in length")
        if len(set(self.terms)) < len(self.terms) or len(set(self.words)) < len(self.words):
            raise ValueError("a word stands twice")
        if max(self.owners, default=-1) >= len(self.words):
            raise ValueError("a token belongs to a word that is not there")
        last, end = sum(self.steps), sum(self.sentences)
        if 0 in self.steps[1:] or end > MOST or (self.steps and last >= end):
            raise ValueError("places do not ascend, or lie behind the last sentence")
        return self


class _State(BaseModel):
    """What `to_state` gives; CollabRank adds clusters."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    strings: list[str]
    documents: list[_Kept]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(set(self.strings)) < len(self.strings):
            raise ValueError("strings: a word stands twice")
        if any(max((*kept.terms, *kept.words), default=-1) >= len(self.strings) for kept in self.documents):
            raise ValueError("documents: a number of a word that is not there")
        return self


@dataclass(frozen=True)
class DocumentWords:
    """One document: its id, the counts of its words, the words of its graph, where its sentences end."""

    id: str
    counts: Mapping[str, int]
    words: Words
    sentence_ends: Indexes


@dataclass(frozen=True, eq=False)
class CollectionWords:
    """All documents of a collection, in the order of their ids."""

    documents: tuple[DocumentWords, ...]

    @classmethod
    def of(cls, documents: Iterable[DocumentWords]) -> CollectionWords:
        """The collection of `documents`."""
        return cls(tuple(sorted(documents, key=lambda document: document.id)))

    def to_state(self) -> dict[str, Any]:
        """Plain JSON values: strings once, for each document their numbers, counts and steps."""
        number: dict[str, int] = {}

        def coded(strings: Iterable[str]) -> list[int]:
            return [number.setdefault(string, len(number)) for string in strings]

        documents = [
            {
                "id": document.id,
                "terms": coded(document.counts),
                "counts": list(document.counts.values()),
                "words": coded(document.words.names),
                "owners": document.words.owners.tolist(),
                "steps": _steps(document.words.positions),
                "sentences": _steps(document.sentence_ends),
            }
            for document in self.documents
        ]
        return {"strings": list(number), "documents": documents}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> CollectionWords:
        """The collection that `to_state` gave; ResourceError if it is damaged."""
        found = checked(_State, state, "collection")
        strings = found.strings
        return cls(
            tuple(
                DocumentWords(
                    kept.id,
                    dict(zip((strings[term] for term in kept.terms), kept.counts, strict=True)),
                    Words(
                        tuple(strings[word] for word in kept.words),
                        _summed(kept.steps),
                        np.array(kept.owners, dtype=np.int64),
                    ),
                    _summed(kept.sentences),
                )
                for kept in found.documents
            )
        )

    @cached_property
    def _frequencies(self) -> DocumentFrequencies:
        counted = Counter(word for document in self.documents for word in document.counts)
        return DocumentFrequencies(len(self.documents), counted)

    @cached_property
    def _number(self) -> dict[str, int]:
        """The columns of `vectors`."""
        return {word: column for column, word in enumerate(self._frequencies.of_token)}

    @cached_property
    def vectors(self) -> Any:
        """A sparse row of tf · ln(N / df) for each document, of length 1 (or 0), shape (documents, words)."""
        from scipy.sparse import csr_array

        rows = [self._vector(document.counts) for document in self.documents]
        starts = np.cumsum([0, *(len(columns) for columns, _ in rows)])
        columns = np.array([column for columns, _ in rows for column in columns], dtype=np.int64)
        values = np.array([value for _, values in rows for value in values])
        return csr_array((values, columns, starts), shape=(len(rows), len(self._number)))

    def _vector(self, counts: Mapping[str, int]) -> tuple[list[int], list[float]]:
        """Columns and values of a document; words of no document of the collection only make it longer."""
        weights = {word: count * self._frequencies.idf(word) for word, count in counts.items()}
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values())) or 1.0
        known = [
            (self._number[word], w / length) for word, w in weights.items() if word in self._number and w
        ]
        return [column for column, _ in known], [value for _, value in known]

    def similar(self, document: DocumentWords) -> list[tuple[int, float]]:
        """(index, cosine) of all other documents that are similar at all, the most similar first."""
        columns, values = self._vector(document.counts)
        dense = np.zeros(len(self._number))
        dense[columns] = values
        cosines = (self.vectors @ dense).round(_DECIMALS).tolist() if self.documents else []
        found = [
            (index, cosine)
            for index, cosine in enumerate(cosines)
            if cosine > 0.0 and self.documents[index].id != document.id
        ]
        return sorted(found, key=lambda pair: -pair[1])


def _steps(ascending: Indexes) -> list[int]:
    """The differences of ascending numbers, which are shorter to write."""
    return [b - a for a, b in pairwise([0, *ascending.tolist()])]


def _summed(steps: Sequence[int]) -> Indexes:
    return np.array(list(accumulate(steps)), dtype=np.int64)


def joined(parts: Sequence[tuple[Words, Graph, float]]) -> tuple[tuple[str, ...], Graph]:
    """The words of several documents, the first document's first, and the weighted sum of their graphs."""
    number: dict[str, int] = {}
    maps = [np.array([number.setdefault(n, len(number)) for n in words.names]) for words, _, _ in parts]
    pairs = [(m[graph.left], m[graph.right]) for m, (_, graph, _) in zip(maps, parts, strict=True) if len(m)]
    weights = [graph.weights * weight for words, graph, weight in parts if words.names]
    if not pairs:
        none = np.zeros(0, dtype=np.int64)
        return (), Graph(0, none, none, np.zeros(0))
    one, other = (np.concatenate([pair[side] for pair in pairs]) for side in (0, 1))
    nodes = len(number)
    codes, inverse = np.unique(np.minimum(one, other) * nodes + np.maximum(one, other), return_inverse=True)
    left, right = np.divmod(codes, nodes)
    summed = np.bincount(inverse, np.concatenate(weights), len(codes)).astype(np.float64)
    return tuple(number), Graph(nodes, left, right, summed)
