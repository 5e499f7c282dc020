"""Learn from documents with gold keyphrases which candidates are keyphrases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpframe.model import Candidates
from kpframe.ranking import _scikit_learn
from kpframe.ranking._coherence import FirstPass, with_coherence
from kpframe.ranking._encoding import bin_sizes, binned, encoded, learn_cuts, learn_scales
from kpframe.ranking._features import (
    COHERENCE,
    Column,
    Description,
    Feature,
    TrainingCounts,
    describe,
    feature_matrix,
)
from kpframe.ranking._folded_counts import ByFolded, folded_keys
from kpframe.ranking._labels import label, reach, stemmed
from kpframe.ranking._naive_bayes import NaiveBayes

__all__ = ["Observation", "Recipe", "observe", "train"]


@dataclass(frozen=True)
class Recipe:
    """What a supervised ranking learns from, and how.

    `sklearn` names a classifier of scikit-learn and its parameters; None is Naive Bayes over bins.
    """

    kind: str
    features: tuple[Feature, ...]
    stem: str
    discretise: bool = True
    sklearn: tuple[str, Mapping[str, Any]] | None = None

    @property
    def form_stem(self) -> str | None:
        """The stemming of candidates' forms, None if no feature needs them."""
        return self.stem if "keyphraseness" in self.features else None

    @property
    def base(self) -> tuple[Feature, ...]:
        """The features of the first pass."""
        return tuple(name for name in self.features if name not in COHERENCE)

    @property
    def coherent(self) -> bool:
        """Whether there is a second pass."""
        return len(self.base) < len(self.features)


@dataclass(frozen=True, slots=True)
class Observation:
    """What training keeps of one document; `keys` are all candidates."""

    keys: tuple[str, ...]
    description: Description
    positive: tuple[bool, ...]
    gold: int
    gold_forms: tuple[str, ...]


def observe(candidates: Candidates, recipe: Recipe) -> Observation | None:
    """Describe and label the candidates of a training document; None if it has no gold."""
    gold = candidates.document.gold
    if not gold:
        return None
    described = describe(candidates, recipe.features, recipe.form_stem)
    language = candidates.document.language
    surface_of = dict(zip(candidates.keys, candidates.surfaces, strict=True))
    forms = described.forms or (stemmed(surface_of[key], recipe.stem, language) for key in described.keys)
    labels = label(forms, gold, recipe.stem, language)
    return Observation(candidates.keys, described, labels.positive, labels.gold, labels.forms)


def train(observations: Iterable[Observation | None], recipe: Recipe) -> dict[str, Any]:
    """The state of a trained ranking, as plain JSON values.

    Raises StageError if there is nothing to learn from.
    """
    seen = list(observations)
    kept = [observation for observation in seen if observation is not None]
    reached = reach(kept, len(seen))
    counts = TrainingCounts(
        len(kept),
        ByFolded(Counter(key for observation in kept for key in folded_keys(observation.keys))),
        Counter(form for observation in kept for form in observation.gold_forms) if recipe.form_stem else {},
    )
    labels = np.array([y for observation in kept for y in observation.positive], dtype=np.int8)
    second: dict[str, Any] = {}
    if recipe.coherent:
        counts = replace(counts, documents_of=_documents_of(kept))
        kept, first = _second_pass(kept, labels, recipe, counts)
        numbers = {key: sorted(found) for key, found in counts.documents_of.items()}
        second = {"first_pass": first.to_state(), "documents_of": numbers}
    matrix = _matrix(kept, recipe.features, counts)
    return {
        **second,
        "kind": recipe.kind,
        "features": list(recipe.features),
        "documents": counts.documents,
        "df": dict(counts.with_key),
        "gold_forms": dict(counts.as_gold),
        "reach": reached,
        **_learned(matrix, labels, recipe),
    }


def _matrix(kept: Sequence[Observation], features: Sequence[Feature], counts: TrainingCounts) -> Column:
    return np.vstack([feature_matrix(one.description, features, counts, one.gold_forms) for one in kept])


def _documents_of(kept: Sequence[Observation]) -> dict[str, frozenset[int]]:
    """For each key the numbers of the documents with it."""
    found: dict[str, list[int]] = {}
    for number, observation in enumerate(kept):
        for key in folded_keys(observation.keys):
            found.setdefault(key, []).append(number)
    return ByFolded({key: frozenset(numbers) for key, numbers in found.items()})


def _second_pass(
    kept: Sequence[Observation], labels: NDArray[np.int8], recipe: Recipe, counts: TrainingCounts
) -> tuple[list[Observation], FirstPass]:
    """The documents with the features of coherence, and the first pass that these come from."""
    first = FirstPass.learn(_matrix(kept, recipe.base, counts), labels, recipe.base)
    made = []
    for number, one in enumerate(kept):
        described = one.description
        if described.keys:
            own = feature_matrix(described, recipe.base, counts, one.gold_forms)
            best = first.best(described, own, counts, own=True)
            described = with_coherence(described, best, counts, number)
        else:
            described = with_coherence(described, [], counts)
        made.append(replace(one, description=described))
    return made, first


def _learned(matrix: Column, labels: NDArray[np.int8], recipe: Recipe) -> dict[str, Any]:
    """Cuts, scales and the trained model."""
    features = recipe.features
    cuts = learn_cuts(matrix, labels, features) if recipe.discretise else None
    if recipe.sklearn is None:
        assert cuts is not None
        model = NaiveBayes.fit(binned(matrix, features, cuts), labels, bin_sizes(features, cuts))
        return {"cuts": cuts, "naive_bayes": model.to_state()}
    scales = learn_scales(matrix, features)
    state: dict[str, Any] = {"cuts": cuts, "scales": scales, "sklearn": None}
    if not labels.all():  # many classifiers refuse a single class; without negatives all are certain
        name, parameters = recipe.sklearn
        examples = encoded(matrix, features, cuts, scales)
        trained = _scikit_learn.fit(_scikit_learn.build(name, parameters), examples, labels)
        state["sklearn"] = _scikit_learn.saved(trained)
    return state
