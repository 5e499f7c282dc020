"""Learn from documents with gold keyphrases which candidates are keyphrases."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpframe.errors import StageError
from kpframe.model import Candidates
from kpframe.ranking import _scikit_learn
from kpframe.ranking._encoding import bin_sizes, binned, encoded, learn_cuts, learn_scales
from kpframe.ranking._features import Column, Description, Feature, TrainingCounts, describe, feature_matrix
from kpframe.ranking._labels import label, stemmed
from kpframe.ranking._naive_bayes import NaiveBayes

__all__ = ["Observation", "Recipe", "observe", "train"]

_log = logging.getLogger("kpframe.ranking")


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
    reach = _reach(kept, len(seen), recipe)
    counts = TrainingCounts(
        len(kept),
        Counter(key for observation in kept for key in observation.keys),
        Counter(form for observation in kept for form in observation.gold_forms) if recipe.form_stem else {},
    )
    matrix = np.vstack(
        [
            feature_matrix(observation.description, recipe.features, counts, observation.gold_forms)
            for observation in kept
        ]
    )
    labels = np.array([y for observation in kept for y in observation.positive], dtype=np.int8)
    return {
        "kind": recipe.kind,
        "features": list(recipe.features),
        "documents": counts.documents,
        "df": dict(counts.with_key),
        "gold_forms": dict(counts.as_gold),
        "reach": reach,
        **_learned(matrix, labels, recipe),
    }


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


def _reach(kept: Sequence[Observation], seen: int, recipe: Recipe) -> dict[str, int]:
    """How many gold keyphrases are candidates: logged, kept in the state, StageError for none."""
    if not kept:
        raise StageError.at(
            "training",
            f"none of the {seen} training documents has gold keyphrases",
            "train on documents with gold keyphrases",
        )
    gold = sum(observation.gold for observation in kept)
    reached = sum(sum(observation.positive) for observation in kept)
    if reached == 0:
        raise StageError.at(
            "training",
            f"no candidate equals any of the {gold} gold keyphrases in {len(kept)} training documents",
            "check that the gold belongs to these texts, allow longer candidates, or lower the selection's "
            "min_frequency",
        )
    _log.info(
        "training: candidates reach %s of %s gold keyphrases (%.1f %%) in %s documents",
        *(f"{reached:,}", f"{gold:,}", 100.0 * reached / gold, f"{len(kept):,}"),
    )
    return {"reached": reached, "gold": gold, "documents": len(kept), "without_gold": seen - len(kept)}
