"""What YAKE knows of the words of one text: five features and the weight that follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kpframe.language.words import is_wordlike
from kpframe.model import Annotations

__all__ = ["WordStatistics", "word_statistics"]

Floats = NDArray[np.float64]

_SHORT = 3
"""Words of fewer letters count as stop words."""


@dataclass(frozen=True, eq=False)
class WordStatistics:
    """The distinct words of a text, m of them, and arrays of shape m.

    `casing`, `position`, `frequency`, `relatedness` and `different` are the features of the paper;
    `weight` is low for words that matter. `occurrences` counts each word; `stops` are stop words.
    `pairs` counts neighbours: (word, next word within the window) → times.
    """

    number: Mapping[str, int]
    occurrences: NDArray[np.int64]
    stops: NDArray[np.bool_]
    casing: Floats
    position: Floats
    frequency: Floats
    relatedness: Floats
    different: Floats
    pairs: Mapping[tuple[int, int], int]

    @property
    def weight(self) -> Floats:
        """relatedness · position / (casing + (frequency + different) / relatedness)."""
        share = self.casing + self.frequency / self.relatedness + self.different / self.relatedness
        weights: Floats = self.relatedness * self.position / share
        return weights


def word_statistics(
    annotations: Annotations, tokens: Sequence[str], stop: Set[str], *, window: int, punctuation: bool
) -> WordStatistics:
    """Features of the words of a text; with `punctuation` its marks are words too, as in pke."""
    of_token = np.arange(len(tokens)) if punctuation else _words_only(annotations)
    number: dict[str, int] = {}
    ids = np.array([number.setdefault(tokens[i], len(number)) for i in of_token.tolist()], dtype=np.int64)
    count = len(number)
    occurrences = np.bincount(ids, minlength=count)
    listed = np.array([word in stop for word in number], dtype=np.bool_)
    stops = listed | np.array([len(word) < _SHORT for word in number], dtype=np.bool_)
    sizes = annotations.sentences[:, 1] - annotations.sentences[:, 0]
    sentences = np.repeat(np.arange(len(sizes)), sizes)[of_token]
    left, right = _neighbours(ids, _segments(sentences, of_token), window)
    spread = _variety(right, left, count) + _variety(left, right, count)
    where = _pairs(ids, sentences)
    return WordStatistics(
        number,
        occurrences,
        stops,
        _casing(annotations, of_token, ids, occurrences),
        _position(where, count),
        _frequency(occurrences, listed if punctuation else stops),
        1.0 + spread * occurrences / max(int(occurrences.max(initial=0)), 1),
        np.bincount(where[0], minlength=count) / max(len(annotations.sentences), 1),
        Counter(zip(left.tolist(), right.tolist(), strict=True)),
    )


def _words_only(annotations: Annotations) -> NDArray[np.int64]:
    flags = np.array(list(map(is_wordlike, annotations.vocabulary)), dtype=np.bool_)
    return np.flatnonzero(flags[annotations.words])


def _segments(sentences: NDArray[np.int64], of_token: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the run of words that each word is in: sentence ends and what is no word part them."""
    if not len(of_token):
        return of_token
    parted = (np.diff(of_token) != 1) | (np.diff(sentences) != 0)
    return np.concatenate(([0], np.cumsum(parted)))


def _neighbours(
    ids: NDArray[np.int64], segments: NDArray[np.int64], window: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of words at most `window` apart in a segment: the left ones and the right ones."""
    lefts, rights = [], []
    for gap in range(1, window + 1):
        together = segments[gap:] == segments[:-gap]
        lefts.append(ids[:-gap][together])
        rights.append(ids[gap:][together])
    return np.concatenate(lefts), np.concatenate(rights)


def _variety(of: NDArray[np.int64], neighbours: NDArray[np.int64], count: int) -> Floats:
    """For each word its distinct neighbours / all its neighbours, 0 without any."""
    if not len(of):
        return np.zeros(count)
    distinct = np.bincount(_pairs(of, neighbours)[0], minlength=count)
    varied: Floats = distinct / np.maximum(np.bincount(of, minlength=count), 1)
    return varied


def _pairs(left: NDArray[np.int64], right: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct pairs of numbers, ascending, as two columns; a pair as one number sorts faster."""
    many = int(right.max(initial=0)) + 1
    return np.divmod(np.unique(left * many + right), many)


def _casing(
    annotations: Annotations,
    of_token: NDArray[np.int64],
    ids: NDArray[np.int64],
    occurrences: NDArray[np.int64],
) -> Floats:
    """The greater of acronyms and of capitals inside sentences, / (1 + ln occurrences)."""
    vocabulary, words = annotations.vocabulary, annotations.words
    capital = np.array([word[:1].isupper() for word in vocabulary], dtype=np.bool_)
    acronym = np.array([len(word) > 1 and word.isupper() for word in vocabulary], dtype=np.bool_)
    if not len(ids):
        return np.zeros(0)
    first = np.zeros(len(words), dtype=np.bool_)
    first[annotations.sentences[:, 0]] = True
    acronyms = acronym[words[of_token]]
    capitals = capital[words[of_token]] & ~first[of_token] & ~acronyms
    count = len(occurrences)
    most = np.maximum(
        np.bincount(ids[acronyms], minlength=count), np.bincount(ids[capitals], minlength=count)
    )
    cased: Floats = most / (1.0 + np.log(occurrences))
    return cased


def _position(where: tuple[NDArray[np.int64], NDArray[np.int64]], count: int) -> Floats:
    """ln ln (3 + median of the numbers, from 0, of the sentences with the word)."""
    begins = np.searchsorted(where[0], np.arange(count + 1))
    sizes = np.diff(begins)
    low, high = begins[:-1] + (sizes - 1) // 2, begins[:-1] + sizes // 2
    if not count:
        return np.zeros(0)
    median = (where[1][low] + where[1][high]) / 2
    placed: Floats = np.log(np.log(3.0 + median))
    return placed


def _frequency(occurrences: NDArray[np.int64], stops: NDArray[np.bool_]) -> Floats:
    """Occurrences / (mean + standard deviation of those of all words but stop words)."""
    valid = occurrences[~stops]
    usual = float(valid.mean() + valid.std()) if len(valid) else 1.0
    relative: Floats = occurrences / usual
    return relative
