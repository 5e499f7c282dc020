"""Rank the candidates of a document by a trained model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import add
from typing import Any

from kpframe.errors import ResourceError, StageError
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking import _scikit_learn
from kpframe.ranking._coherence import FirstPass, with_coherence
from kpframe.ranking._encoding import binned, encoded, encoded_width
from kpframe.ranking._features import Column, TrainingCounts, describe, feature_matrix, tfidf
from kpframe.ranking._folded_counts import by_folded
from kpframe.ranking._naive_bayes import NaiveBayes
from kpframe.ranking._trained_state import TrainedState, checked
from kpframe.ranking._training import Recipe

__all__ = ["TrainedRanker", "restore", "strictly_descending"]

_CERTAIN = 1.0 - 1e-9
"""The greatest score: leaves room above for candidates of the same probability to differ."""

Standing = tuple[float, float, int]
"""What candidates are ordered by: -probability, -tf.idf, first token."""


@dataclass(frozen=True)
class TrainedRanker:
    """A trained model with the settings of today; nothing of how to rank is stored in the model."""

    recipe: Recipe
    drop_subphrases: bool
    counts: TrainingCounts
    cuts: Mapping[str, Sequence[float]] | None
    scales: Mapping[str, Sequence[float]]
    model: Any
    first: FirstPass | None = None

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by probability, tf.idf and first place."""
        recipe = self.recipe
        described = describe(candidates, recipe.features, recipe.form_stem)
        if not described.keys:
            return Keyphrases.ranked(candidates.keep(lambda key, places: False), [])
        if self.first is not None:
            base = feature_matrix(described, self.first.features, self.counts)
            best = self.first.best(described, base, self.counts)
            described = with_coherence(described, best, self.counts)
        matrix = feature_matrix(described, recipe.features, self.counts)
        standings = zip(
            (-probability for probability in self._probabilities(matrix)),
            (-value for value in tfidf(described, self.counts).tolist()),
            described.firsts,
            strict=True,
        )
        ordered = sorted(zip(standings, described.keys, strict=True), key=lambda item: item[0])
        scores = strictly_descending([-standing[0] for standing, _ in ordered])
        score_of = {key: score for (_, key), score in zip(ordered, scores, strict=True)}
        dropped = _subphrases(ordered) if self.drop_subphrases else frozenset()
        kept = candidates.keep(lambda key, places: key in score_of and key not in dropped)
        return Keyphrases.ranked(kept, [score_of[key] for key in kept.keys])

    def _probabilities(self, matrix: Column) -> list[float]:
        features = self.recipe.features
        if isinstance(self.model, NaiveBayes):
            return self.model.probabilities(binned(matrix, features, self.cuts or {}))
        if self.model is None:
            return [1.0] * len(matrix)
        examples = encoded(matrix, features, self.cuts, self.scales)
        return _scikit_learn.probabilities(self.model, examples)


def restore(state: Mapping[str, Any], recipe: Recipe, *, drop_subphrases: bool) -> TrainedRanker:
    """The ranker for a state that `train` returned.

    Raises StageError if it is for other features, ResourceError if it is damaged.
    """
    place = f"ranking: {recipe.kind}"
    trained = checked(TrainedState, state, place)
    if recipe.features != trained.features:
        raise StageError.at(
            place,
            f"the model was trained with the features {', '.join(trained.features)}",
            f"train it again, or do not ask for {', '.join(recipe.features)}",
        )
    bayes = recipe.sklearn is None
    problem = trained.problem(recipe.kind, recipe.features, bayes=bayes, discretise=recipe.discretise)
    if problem is not None:
        raise ResourceError.at(place, f"the model {problem}", "train it anew with `kpframe train`")
    numbers = {key: frozenset(found) for key, found in trained.documents_of.items()}
    df, gold_forms = by_folded(trained.df, max), by_folded(trained.gold_forms, add)
    counts = TrainingCounts(trained.documents, df, gold_forms, by_folded(numbers, frozenset.union))
    first = None
    if (state_of_first := trained.first_pass) is not None:
        learned = NaiveBayes(state_of_first.naive_bayes.classes, state_of_first.naive_bayes.bins)
        first = FirstPass(recipe.base, state_of_first.cuts, learned)
    model: Any = None
    if trained.naive_bayes is not None:
        model = NaiveBayes(trained.naive_bayes.classes, trained.naive_bayes.bins)
    elif recipe.sklearn is not None and trained.sklearn is not None:
        model = _scikit_learn.load(trained.sklearn, recipe.sklearn[0], encoded_width(recipe.features))
    return TrainedRanker(recipe, drop_subphrases, counts, trained.cuts, trained.scales, model, first)


def strictly_descending(probabilities: Sequence[float]) -> list[float]:
    """Descending probabilities, equal ones told apart by the least possible difference.

    From the last to the first, each value that is not above its successor is lifted to the next
    greater float, so that an order within equal probabilities survives sorting by score. The
    values stay within 1e-9 of the probabilities and below 1.
    """
    lifted: list[float] = []
    above = -math.inf
    for probability in reversed(probabilities):
        value = max(min(probability, _CERTAIN), math.nextafter(above, math.inf) if lifted else 0.0)
        lifted.append(value)
        above = value
    return lifted[::-1]


def _subphrases(ordered: Iterable[tuple[Standing, str]]) -> frozenset[str]:
    """Keys that are a part, token by token, of one ranked above them or equal in everything."""
    parts: set[str] = set()
    dropped: set[str] = set()
    for _, tied in groupby(ordered, key=lambda item: item[0]):
        keys = [key for _, key in tied]
        for key in keys:
            parts.update(_proper_parts(key))
        dropped.update(key for key in keys if key in parts)
    return frozenset(dropped)


def _proper_parts(key: str) -> Iterable[str]:
    tokens = key.split(" ")
    for length in range(1, len(tokens)):
        for begin in range(len(tokens) - length + 1):
            yield " ".join(tokens[begin : begin + length])
