"""Stages made in Python with what they do not take: told as in specs, of the class and the parameter."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest
from contract_cases import needed
from families import every
from pydantic import ValidationError

from kpframe.errors import Problem, SpecError
from kpframe.metrics.f1 import F1
from kpframe.ranking.cooccurrence import Cooccurrence
from kpframe.ranking.tfidf import TfIdf
from kpframe.spec import Split
from kpframe.stages import FOLDERS, PARTS, Stage
from kpframe.stages.registry import kinds, lookup
from kpframe.stages.wrong_parameters import wrong_parameters

ALL = [(folder, kind) for folder in (*FOLDERS, *PARTS) for kind in kinds(folder)]

WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    1.5,
    float("nan"),
    "no such value",
    [None],
    {"no": "such"},
    object(),
)


def told(cls: type[Stage], **parameters: Any) -> tuple[Problem, ...]:
    """What the constructor says."""
    with pytest.raises(SpecError) as caught:
        cls(**parameters)
    assert isinstance(caught.value, ValueError)
    assert caught.value.__cause__ is None and caught.value.__suppress_context__
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems
    return caught.value.problems


@every(("folder", "kind"), ALL)
def test_an_unknown_parameter_is_told_of_its_class(folder: str, kind: str) -> None:
    """Of every kind; `kind` itself is a word of specs, which Python has as a class."""
    cls = lookup(folder, kind)
    for name in ("no_such_parameter", "kind"):
        place = f"{cls.__name__}.{name}"
        (found,) = (one for one in told(cls, **{**needed(folder, kind), name: 1}) if one.place == place)
        assert found.problem == "unknown parameter"
        assert found.remedy not in ("", "did you mean 'kind'?")
        assert not re.search(r"takes: .*\bkind\b", found.remedy)


@every(("folder", "kind"), ALL)
def test_a_wrong_value_is_told_in_the_words_of_specs(folder: str, kind: str) -> None:
    """Each parameter of every kind, with values of all types: what a spec refuses, and in its words."""
    cls = lookup(folder, kind)
    for name, field in cls.model_fields.items():
        for value in WRONG:
            given = {**needed(folder, kind), field.alias or name: value}
            try:
                cls.model_validate(given)
            except ValidationError as error:
                expected = wrong_parameters(cls, error, given)
            else:
                continue
            found = told(cls, **given)
            places = [".".join(map(str, (cls.__name__, *one.at))) for one in expected]
            assert [one.place for one in found] == places
            assert [(one.problem, one.remedy) for one in found] == [(o.problem, o.remedy) for o in expected]
            assert all(one.remedy for one in found)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (
            lambda: Cooccurrence(window=1),
            "Cooccurrence.window: must be at least 2 (given: 1); it means: Units in the window: ",
        ),
        (lambda: TfIdf(idf=None), "TfIdf.idf: must be a mapping (given: null); it means: "),  # type: ignore[arg-type]
        (lambda: TfIdf(idf={"from": "x"}), "TfIdf.idf.from: must be "),  # type: ignore[arg-type]
        (lambda: F1() @ 0, "F1.k: must be a whole number of at least 1"),
        (lambda: F1(5), "F1: takes parameters by their names; as F1(k=…)"),  # type: ignore[misc]
        (lambda: Split(train=2), "Split: "),
    ],
)
def test_what_is_told_names_class_and_parameter(made: Any, message: str) -> None:
    """Also of a short form, of what stands below a parameter, and of parts of a spec."""
    with pytest.raises(SpecError, match=re.escape(message)) as caught:
        made()
    assert isinstance(caught.value, ValueError)
