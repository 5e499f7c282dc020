"""The words around the words of a corpus: an index, and vectors made of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from kpframe.language.stems import stemmer
from kpframe.language.words import is_wordlike, token_spans
from kpframe.model.folding import fold

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Weights = NDArray[np.float64]

__all__ = ["Context", "ContextIndex", "SparseVector", "build_index", "mean_vector"]

Context = int | Literal["sentence", "document"]
"""What surrounds a phrase: so many words on each side, or the sentence or document that it stands in."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[^\W_a-zß-öø-ÿ])")
"""White space after a closing mark and before what is no small letter."""


@dataclass(frozen=True, eq=False)
class SparseVector:
    """A vector of length 1 by its non-zero entries (or of no entries at all): ascending ids, weights."""

    ids: Numbers
    weights: Weights

    def cosine(self, other: SparseVector) -> float:
        """The cosine of the angle between both, in 0 … 1 as no weight is negative; 0 without entries."""
        import numpy as np

        _, here, there = np.intersect1d(self.ids, other.ids, assume_unique=True, return_indices=True)
        return min(float(self.weights[here] @ other.weights[there]), 1.0)


@dataclass(frozen=True, eq=False)
class ContextIndex:
    """A corpus as one row of word numbers, cut into units (sentences or documents).

    Word w stands at `places[first[w] : first[w + 1]]`; unit u has the words `starts[u]` to
    `starts[u + 1] − 1`, and the word at place p is in `unit_of[p]`. `idf` is ln(units / units with the
    word), and 0 for punctuation.
    """

    numbers: Mapping[str, int]
    words: Numbers
    places: Numbers
    first: Numbers
    starts: Numbers
    unit_of: Numbers
    idf: Weights
    _vectors: dict[tuple[tuple[str, ...], int | None], SparseVector] = field(default_factory=dict)

    def occurrences(self, phrase: tuple[str, ...]) -> Numbers:
        """The places at which a phrase begins, inside one unit, in ascending order."""
        import numpy as np

        numbers = [self.numbers.get(word, -1) for word in phrase]
        if not phrase or -1 in numbers:
            return np.zeros(0, dtype=np.int64)
        rarest = min(range(len(numbers)), key=lambda k: self.first[numbers[k] + 1] - self.first[numbers[k]])
        held = self.places[self.first[numbers[rarest]] : self.first[numbers[rarest] + 1]]
        begins = held - rarest
        begins = begins[(begins >= 0) & (begins + len(numbers) <= len(self.words))]
        for offset, number in enumerate(numbers):
            begins = begins[self.words[begins + offset] == number]
        inside = self.unit_of[begins] == self.unit_of[begins + len(numbers) - 1]
        return np.asarray(begins[inside])

    def vector(self, phrase: tuple[str, ...], window: int | None) -> SparseVector:
        """The tf.idf weights of the words around all occurrences; kept, as phrases come again.

        `window` limits the words on each side. The occurrence itself is not part of its context.
        """
        key = (phrase, window)
        if key not in self._vectors:
            if len(self._vectors) >= 20_000:
                self._vectors.pop(next(iter(self._vectors)))
            self._vectors[key] = self._counted(phrase, window)
        return self._vectors[key]

    def _counted(self, phrase: tuple[str, ...], window: int | None) -> SparseVector:
        import numpy as np

        begins = self.occurrences(phrase)
        ends = begins + len(phrase)
        left, right = self.starts[self.unit_of[begins]], self.starts[self.unit_of[begins] + 1]
        if window is not None:
            left, right = np.maximum(left, begins - window), np.minimum(right, ends + window)
        around = np.concatenate([_ranges(left, begins), _ranges(ends, right)])
        counts = np.bincount(self.words[around], minlength=len(self.idf))
        return _unit_vector(counts * self.idf)


def build_index(documents: Iterable[str], *, sentences: bool, stem: bool) -> ContextIndex:
    """The index of documents, cut into sentences or not."""
    import numpy as np

    numbers: dict[str, int] = {}
    reduce = stemmer("porter" if stem else "casefold")
    row: list[int] = []
    starts = [0]
    for unit in _units(documents, sentences):
        folded = fold(unit)
        for begin, end in token_spans(folded):
            row.append(numbers.setdefault(reduce(folded[begin:end]), len(numbers)))
        if len(row) > starts[-1]:
            starts.append(len(row))
    words, bounds = np.array(row, dtype=np.int64), np.array(starts, dtype=np.int64)
    unit_of = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    size = len(numbers)
    frequencies = np.bincount(np.unique(unit_of * size + words) % size if size else words, minlength=size)
    weighs = np.array([is_wordlike(word) for word in numbers], dtype=np.float64)
    idf = np.log((len(bounds) - 1) / np.maximum(frequencies, 1)) * weighs if size else weighs
    places = np.argsort(words, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(words, minlength=size))])
    return ContextIndex(numbers, words, places, first, bounds, unit_of, idf)


def mean_vector(vectors: list[SparseVector]) -> SparseVector:
    """The direction of the sum of vectors that have entries."""
    import numpy as np

    if not vectors:
        return SparseVector(np.zeros(0, dtype=np.int64), np.zeros(0))
    ids, where = np.unique(np.concatenate([v.ids for v in vectors]), return_inverse=True)
    weights = np.zeros(len(ids))
    np.add.at(weights, where, np.concatenate([v.weights for v in vectors]))
    return _scaled(ids, weights)


def _units(documents: Iterable[str], sentences: bool) -> Iterator[str]:
    for document in documents:
        yield from _SENTENCE_END.split(document) if sentences else (document,)


def _ranges(begins: Numbers, ends: Numbers) -> Numbers:
    """All whole numbers from each begin up to its end, in one row."""
    import numpy as np

    lengths = ends - begins
    before = np.concatenate([[0], np.cumsum(lengths)[:-1]]) if len(lengths) else lengths
    total = int(lengths.sum())
    return np.repeat(begins - before, lengths) + np.arange(total)


def _unit_vector(weights: Weights) -> SparseVector:
    import numpy as np

    ids = np.nonzero(weights)[0]
    return _scaled(ids, weights[ids])


def _scaled(ids: Numbers, weights: Weights) -> SparseVector:
    import numpy as np

    length = float(np.sqrt(weights @ weights))
    return SparseVector(ids, weights / length if length else weights)
