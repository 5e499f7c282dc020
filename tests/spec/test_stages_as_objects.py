"""Stages written in Python instead of YAML: handed over as they are, and printed as a spec spells them."""

from __future__ import annotations

import pytest
import yaml

import kpframe as kp
from kpframe.errors import SpecError
from kpframe.matching.exact import Exact
from kpframe.metrics.f1 import F1
from kpframe.metrics.r_precision import RPrecision
from kpframe.ranking.cooccurrence import Cooccurrence
from kpframe.spec.stages import make_stage
from kpframe.stages import Metric, Stage

GOLD, PREDICTED = {"1": ["neural network", "graph"]}, {"1": ["graph", "tree"]}


@pytest.mark.parametrize(
    ("stage", "printed"),
    [
        (RPrecision(), "r_precision"),
        (F1(k=5), "f1@5"),
        (F1() @ 5, "f1@5"),
        (F1(k=5, average="micro"), '{kind: f1, k: 5, average: "micro"}'),
        (F1(average="micro") @ 7, '{kind: f1, k: 7, average: "micro"}'),
        (Exact(absent="keep"), '{kind: exact, absent: "keep"}'),
    ],
)
def test_a_stage_prints_as_a_spec_spells_it(stage: Stage, printed: str) -> None:
    """What is the default is left out."""
    assert repr(stage) == printed


@pytest.mark.parametrize(
    "stage", [F1(k=5), F1(k="M", average="micro"), Exact(absent="keep"), Cooccurrence(window=5)]
)
def test_what_is_printed_is_read_back(stage: Stage) -> None:
    """By the builder that reads specs."""
    assert make_stage(stage.folder, yaml.safe_load(repr(stage)), "here", type(stage)) == stage


def test_a_stage_without_a_short_form_has_none() -> None:
    """As in a spec, where `r_precision@5` is a mistake."""
    with pytest.raises(TypeError):
        RPrecision() @ 5


def test_scores_of_objects_are_those_of_words() -> None:
    """Metrics and matchings are taken as they are; without texts no gold can be dropped."""
    named = kp.score(GOLD, PREDICTED, metrics=["f1@5"], matching="exact")
    made = kp.score(GOLD, PREDICTED, metrics=[F1() @ 5], matching=Exact())
    assert [(one.value, one.signature) for one in made] == [(one.value, one.signature) for one in named]


def test_an_object_of_another_box_is_refused() -> None:
    """A matching is no metric."""
    with pytest.raises(SpecError, match="exact cannot stand here"):
        kp.score(GOLD, PREDICTED, metrics=Exact())
    with pytest.raises(SpecError, match="exact cannot stand here"):
        make_stage("metrics", Exact(), "here", Metric)  # type: ignore[type-abstract]
