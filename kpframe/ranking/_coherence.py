"""How well a candidate goes with the best ones: a first pass, and association by documents that have both."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpframe.ranking._encoding import bin_sizes, binned, learn_cuts
from kpframe.ranking._features import COHERENCE, Column, Description, Feature, TrainingCounts, tfidf
from kpframe.ranking._naive_bayes import NaiveBayes

__all__ = ["FirstPass", "with_coherence"]


@dataclass(frozen=True)
class FirstPass:
    """Naive Bayes over the features that are none of coherence."""

    features: tuple[Feature, ...]
    cuts: Mapping[str, Sequence[float]]
    model: NaiveBayes

    @classmethod
    def learn(cls, matrix: Column, labels: NDArray[np.int8], features: tuple[Feature, ...]) -> FirstPass:
        """Learn from candidates (shape (candidates, features)) and which of them are keyphrases."""
        cuts = learn_cuts(matrix, labels, features)
        model = NaiveBayes.fit(binned(matrix, features, cuts), labels, bin_sizes(features, cuts))
        return cls(features, cuts, model)

    def best(
        self, described: Description, matrix: Column, counts: TrainingCounts, *, own: bool = False
    ) -> list[str]:
        """The keys of the best candidates, as many as there are features of coherence."""
        probabilities = self.model.probabilities(binned(matrix, self.features, self.cuts))
        weights = tfidf(described, counts, own=own).tolist()
        standings = zip((-p for p in probabilities), (-w for w in weights), described.firsts, strict=True)
        ordered = sorted(zip(standings, described.keys, strict=True))
        return [key for _, key in ordered[: len(COHERENCE)]]

    def to_state(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"cuts": dict(self.cuts), "naive_bayes": self.model.to_state()}


def with_coherence(
    described: Description, best: Sequence[str], counts: TrainingCounts, own: int | None = None
) -> Description:
    """The candidates with the features of coherence.

    The i-th is the rank of a candidate by its association with the i-th of the `best`, from 0 for the closest
    to 1; equal ones share the mean of their ranks. Association is pointwise mutual information over the
    training documents, log(N · both / (one · other)); what is in no document together is last. `own` is the
    number of the document among them, which is then left out of the counts.
    """
    found: dict[str, Column] = {}
    for place, name in enumerate(COHERENCE):
        other = best[place] if place < len(best) else None
        found[name] = _shares([_association(key, other, counts, own) for key in described.keys])
    return replace(described, columns={**described.columns, **found})


def _association(key: str, other: str | None, counts: TrainingCounts, own: int | None) -> float:
    if other is None:
        return 0.0
    one, two = (counts.documents_of.get(name, frozenset()) for name in (key, other))
    both = len(one & two) - (own is not None)
    if both <= 0:
        return -math.inf
    # A document in training has all of its own candidates: it is in every one of these counts.
    rest = len(one) - (own is not None), len(two) - (own is not None)
    return math.log(both / (rest[0] * rest[1]))


def _shares(values: Sequence[float]) -> Column:
    """The rank of each value from 0 for the greatest to 1 for the least; equal ones share their mean."""
    if len(values) < 2:
        return np.zeros(len(values))
    _, inverse, times = np.unique(-np.array(values), return_inverse=True, return_counts=True)
    before = np.cumsum(times) - times
    ranks: Column = (before + (times - 1) / 2)[inverse]
    return ranks / (len(values) - 1)
