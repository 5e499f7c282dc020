"""The vector of a text as the mean of those of its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["mean_vectors"]


def mean_vectors(
    texts: Sequence[Sequence[str]], row_of: Callable[[str], int | None], vectors: NDArray[np.float32]
) -> NDArray[np.float64]:
    """A row for each text, given as its words: the mean of the known ones, or zeros if there is none.

    `row_of` tells the row of `vectors` that a word has, None for an unknown word.
    """
    made = np.zeros((len(texts), vectors.shape[1]))
    for number, words in enumerate(texts):
        rows = [row for word in words if (row := row_of(word)) is not None]
        if rows:
            made[number] = vectors[rows].astype(np.float64).mean(axis=0)
    return made
