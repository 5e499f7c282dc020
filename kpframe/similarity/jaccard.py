"""Jaccard's coefficient of the words of two phrases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from kpframe.similarity._ngrams import ngrams
from kpframe.similarity._words import Words, WordSimilarity

__all__ = ["Jaccard"]


class Jaccard(WordSimilarity):
    """The n-grams that both phrases have over those that either has, as sets.

    The sets hold the n-grams of all lengths from 1 to `n` together: with `n: 2` it is the similarity
    of the partial scores of OpenNMT-kpg. With `n: 1` the order of the words plays no part.
    """

    source: ClassVar[str] = "Jaccard 1912; OpenNMT-kpg, partial scores (n: 2)"
    short: ClassVar[str] = "n"
    symmetric: ClassVar[bool] = True

    n: int = Field(1, ge=1, description="The greatest number of words of an n-gram; shorter ones count too.")

    def compare_words(self, predicted: Words, gold: Words) -> float:
        """Shared over all distinct n-grams, in 0 … 1."""
        return _shared(self._grams(predicted), self._grams(gold))

    def matrix(self, predicted: Sequence[str], gold: Sequence[str]) -> list[list[float]]:
        """A row for each predicted phrase with its similarity to each gold keyphrase."""
        columns = [self._grams(self.words(keyphrase)) for keyphrase in gold]
        # Most pairs have no word in common, and those need no comparison.
        having: dict[tuple[str, ...], list[int]] = {}
        for column, grams in enumerate(columns):
            for gram in grams:
                having.setdefault(gram, []).append(column)
        rows = []
        for phrase in predicted:
            row = [0.0] * len(columns)
            own = self._grams(self.words(phrase))
            for column in {column for gram in own for column in having.get(gram, ())}:
                row[column] = _shared(own, columns[column])
            rows.append(row)
        return rows

    def _grams(self, words: Words) -> set[tuple[str, ...]]:
        return {gram for n in range(1, self.n + 1) for gram in ngrams(words, n)}


def _shared(left: set[tuple[str, ...]], right: set[tuple[str, ...]]) -> float:
    return len(left & right) / len(left | right)
