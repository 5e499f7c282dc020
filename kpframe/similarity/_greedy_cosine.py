"""The arithmetic of BERTScore: greedy matching of token vectors by cosine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["GreedyScore", "TokenVectors", "greedy_score"]


@dataclass(frozen=True, eq=False)
class TokenVectors:
    """The tokens of a phrase: vectors (tokens × dimensions) and weights (tokens), none negative."""

    vectors: NDArray[np.float64]
    weights: NDArray[np.float64]


class GreedyScore(NamedTuple):
    """Precision over the tokens of the prediction, recall over those of the gold, their F; in −1 … 1."""

    precision: float
    recall: float
    f: float


def greedy_score(predicted: TokenVectors, gold: TokenVectors) -> GreedyScore:
    """The weighted mean, over the tokens of one side, of the greatest cosine to a token of the other.

    Tokens of weight 0 count for nothing themselves, but others may match them. A side without weight,
    and F where P or R is not positive, are 0. Source: Zhang et al. 2020, section 3, equation 1.
    """
    import numpy as np

    cosines = _directions(predicted.vectors) @ _directions(gold.vectors).T
    if not (predicted.weights.any() and gold.weights.any()):
        return GreedyScore(0.0, 0.0, 0.0)
    precision = float(np.average(cosines.max(axis=1), weights=predicted.weights))
    recall = float(np.average(cosines.max(axis=0), weights=gold.weights))
    both = min(precision, recall) > 0.0
    return GreedyScore(precision, recall, 2.0 * precision * recall / (precision + recall) if both else 0.0)


def _directions(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The vectors, each of length 1; a vector of zeros stays."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0.0, lengths, 1.0))
