"""No parameter of any stage takes a number that nothing can compute with."""

from __future__ import annotations

import math

import pytest
from families import every

from kpframe.errors import SpecError
from kpframe.spec import load_spec
from kpframe.stages import FOLDERS, PARTS, Stage
from kpframe.stages.registry import kinds, lookup

STAGES = [
    pytest.param(lookup(box, kind), id=f"{box}/{kind}") for box in (*FOLDERS, *PARTS) for kind in kinds(box)
]


@every("value", [10**20, math.inf, -math.inf, math.nan], ids=repr)
@every("stage", STAGES)
def test_every_parameter_refuses_huge_and_infinite_numbers(stage: type[Stage], value: float) -> None:
    """By its name, when it is made."""
    for name in stage.model_fields:
        if value == 10**20 and "float" in str(stage.model_fields[name].annotation):
            continue  # it is a finite one
        with pytest.raises(SpecError) as error:
            stage(**{**stage.example, name: value})
        assert name in {found.place.split(".")[1] for found in error.value.problems if "." in found.place}, (
            name
        )


@pytest.mark.parametrize(
    "setting",
    [
        "ranking.window=99999999999999999999",
        "ranking={kind: word_graph, window: 99999999999999999999}",
        "ranking={kind: expandrank, window: 99999999999999999999}",
        "ranking={kind: collabrank, window: 99999999999999999999}",
        "ranking={kind: collabrank, clusters: 99999999999999999999}",
        "metrics=[{kind: f1, k: 99999999999999999999}]",
    ],
)
def test_whole_numbers_have_a_bound_in_specs(setting: str) -> None:
    """With place and bound, before a text is read."""
    with pytest.raises(SpecError, match=r"must be between -2147483647 and 2147483647 \(given: 9{20}\)"):
        load_spec("textrank", settings=[setting], purpose="check")


@pytest.mark.parametrize("name", ["specificity", "cohesion"])
def test_floats_are_finite(name: str) -> None:
    """An infinite weight would make scores that are no numbers."""
    with pytest.raises(SpecError, match=f"ranking.{name}: must be a finite number"):
        load_spec("textrank", settings=[f"ranking={{kind: glossex, {name}: .inf}}"], purpose="check")


def test_what_is_handed_on_to_another_program_is_for_that_to_check() -> None:
    """An infinite C is right for a logistic regression: it says that weights are not held down."""
    model = "{sklearn: LogisticRegression, parameters: {C: .inf}}"
    settings = [f"ranking={{kind: classifier, features: [tf], model: {model}}}"]
    assert load_spec("classifier", settings=settings, purpose="check")


def test_what_is_large_and_possible_stays() -> None:
    """The greatest window, and a seed, which has a bound of its own."""
    for given in (f"cooccurrence, window: {2**31 - 1}", f"random, seed: {2**40}"):
        assert load_spec("textrank", settings=[f"ranking={{kind: {given}}}"], purpose="check")
