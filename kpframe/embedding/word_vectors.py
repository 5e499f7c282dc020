"""Embed texts by a file of word vectors."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from kpframe.embedding._phrase_means import mean_vectors
from kpframe.errors import DataError, KpframeError
from kpframe.files.changes import while_unchanged
from kpframe.language.words import token_spans
from kpframe.stages import Embedding

__all__ = ["WordVectors"]


class WordVectors(Embedding):
    """The mean of the vectors of a text's words, in a plain file as GloVe, word2vec or fastText write.

    A line has a word and its numbers, parted by blanks; a first line with two numbers (how many words,
    how many dimensions) is passed over. A word that the file does not have as it is written is looked up
    case-folded, and else left out. The file is read once a process, into about 4 bytes a number and 100
    a word: half a minute and 1 GB for a million words of 200 dimensions.
    """

    source: ClassVar[str] = "Pennington, Socher & Manning 2014 (GloVe); Mikolov et al. 2013 (word2vec)"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(description="A UTF-8 text file of word vectors, plain or .gz.")

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A file that cannot be opened, or whose first lines are no vectors."""
        try:
            _first_vector(self.path)
        except KpframeError as error:
            yield from error.about("path")

    def encode(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Means over words; DataError, with the line, if the file cannot be used."""
        table = _loaded(self.path)
        words = [[text[begin:end] for begin, end in token_spans(text)] for text in texts]
        return mean_vectors(words, table.row, table.vectors)


@dataclass(frozen=True, eq=False)
class _Table:
    rows: dict[str, int]
    vectors: NDArray[np.float32]

    def row(self, word: str) -> int | None:
        found = self.rows.get(word)
        return self.rows.get(word.casefold()) if found is None else found


@while_unchanged(2)
def _loaded(path: str) -> _Table:
    rows: dict[str, int] = {}
    vectors: list[NDArray[np.float32]] = []
    for word, vector in _lines(path):
        if word not in rows:  # the first of two equal words is the more frequent one
            rows[word] = len(vectors)
            vectors.append(vector)
    if not vectors:
        raise DataError.at(path, "holds no vector", "give a file with a word and its numbers in each line")
    return _Table(rows, np.stack(vectors))


def _first_vector(path: str) -> None:
    if next(_lines(path), None) is None:
        raise DataError.at(path, "holds no vector", "give a file with a word and its numbers in each line")


def _lines(path: str) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Words and vectors; DataError for a line that has none, or one of another length than those before."""
    dimensions = 0
    try:
        opened = gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")  # noqa: SIM115
        with opened as file:
            for number, line in enumerate(file, start=1):
                word, _, numbers = line.decode("utf-8").rstrip().partition(" ")
                if not numbers and not word:
                    continue
                if number == 1 and word.isdigit() and numbers.strip().isdigit():
                    continue
                vector = _vector(numbers, dimensions, f"{path}:{number}")
                dimensions = len(vector)
                yield word, vector
    except UnicodeDecodeError:
        remedy = "give it as text: word2vec's binary files are not read"
        raise DataError.at(path, "is not UTF-8 text", remedy) from None
    except (OSError, EOFError) as error:
        raise _unreadable(path, getattr(error, "strerror", None) or str(error)) from None


def _vector(numbers: str, dimensions: int, place: str) -> NDArray[np.float32]:
    try:
        vector = np.array(numbers.split(), dtype=np.float32)
    except ValueError:
        vector = np.zeros(0, dtype=np.float32)
    if not len(vector) or not np.isfinite(vector).all():
        raise DataError.at(place, "is no word with its numbers", "repair or remove the line")
    if dimensions and len(vector) != dimensions:
        problem = f"has {len(vector)} numbers, those before it {dimensions}"
        raise DataError.at(place, problem, "repair or remove the line")
    return vector


def _unreadable(path: str, reason: str) -> KpframeError:
    return DataError.at(path, f"cannot be read ({reason})", "check the path")
