"""Naive Bayes over discrete features with Laplace's correction, for two classes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["NaiveBayes"]


@dataclass(frozen=True, eq=False)
class NaiveBayes:
    """Counts of training examples, from which probabilities are derived.

    `classes` has the numbers of negative and positive examples; `bins[f][c][b]` is the number of
    examples of class c whose feature f lies in bin b. The prior of a class is (n_c + 1) / (n + 2),
    the probability of a bin in a class (count + 1) / (n_c + number of bins).
    """

    classes: tuple[int, int]
    bins: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]

    @classmethod
    def fit(cls, binned: NDArray[np.int64], labels: NDArray[np.int8], sizes: Sequence[int]) -> NaiveBayes:
        """Count examples: `binned` has shape (examples, features), `labels` are 0 or 1.

        `sizes` are the numbers of bins of each feature.
        """
        counted = []
        for column, size in zip(binned.T, sizes, strict=True):
            negative = np.bincount(column[labels == 0], minlength=size).tolist()
            positive = np.bincount(column[labels == 1], minlength=size).tolist()
            counted.append((tuple(negative), tuple(positive)))
        positives = int(labels.sum())
        return cls((len(labels) - positives, positives), tuple(counted))

    @cached_property
    def _evidence(self) -> tuple[float, list[list[float]]]:
        """Log odds of the positive class: of the prior, and of each bin of each feature."""
        negatives, positives = self.classes
        prior = math.log((positives + 1) / (negatives + 1))
        odds = []
        for negative, positive in self.bins:
            scale = math.log((negatives + len(negative)) / (positives + len(positive)))
            odds.append(
                [math.log((p + 1) / (n + 1)) + scale for n, p in zip(negative, positive, strict=True)]
            )
        return prior, odds

    def probabilities(self, binned: NDArray[np.int64]) -> list[float]:
        """The probability of the positive class for each row of bins; equal rows give equal values."""
        prior, odds = self._evidence
        known: dict[tuple[int, ...], float] = {}
        found = []
        for row in map(tuple, binned.tolist()):
            if row not in known:
                known[row] = _logistic(prior + math.fsum(odds[f][b] for f, b in enumerate(row)))
            found.append(known[row])
        return found

    def to_state(self) -> dict[str, Any]:
        """The counts as plain JSON values."""
        return {"classes": list(self.classes), "bins": [[list(c) for c in feature] for feature in self.bins]}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> NaiveBayes:
        """The classifier that `to_state` described."""
        negatives, positives = state["classes"]
        return cls((negatives, positives), tuple((tuple(n), tuple(p)) for n, p in state["bins"]))


def _logistic(log_odds: float) -> float:
    if log_odds >= 0:
        return 1.0 / (1.0 + math.exp(-log_odds))
    odds = math.exp(log_odds)
    return odds / (1.0 + odds)
