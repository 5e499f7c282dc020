"""Parameters of all registered stages, given values of wrong kinds: what is wrong is told in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from contract_cases import needed
from families import every
from spec_files import CHAIN, problems, tree_problems

from kpframe.errors import Problem
from kpframe.spec.stages import StageBuilder
from kpframe.spec.strict_yaml import Positions
from kpframe.stages import FOLDERS, PARTS, Stage
from kpframe.stages.registry import kinds, lookup

WRONG: list[Any] = [
    *(None, [], {}, "", "x", 3, -1, 0.5, True, float("nan"), 10**20),
    *([[1]], [None], {"kind": "nope"}, {"kind": None}, {"x": 1}),
]
"""Some are right for some parameters; what is wrong must be told."""

FOREIGN = re.compile(
    r"(?i)input should|extra inputs|validation|field required|valid (string|integer|number|list|dict|tuple)|"
    r"unable to|instance of|nonetype|<class|\b(str|int|bool|dict|tuple|frozenset)\b(?!')|pydantic"
)
"""What pydantic and Python say, and people who write specs do not."""


def foreign(problem: str) -> bool:
    """Whether words of a problem are not those of specs; values of parameters are quoted."""
    return FOREIGN.search(re.sub("'[^']*'", "", problem)) is not None


stages = [(folder, kind) for folder in (*FOLDERS, *PARTS) for kind in kinds(folder)]


def told(folder: str, kind: str, name: str, value: Any) -> list[Problem]:
    builder = StageBuilder(Positions())
    given = {**needed(folder, kind), "kind": kind, name: value}
    builder.stage(folder, given, (folder,), Stage)  # type: ignore[type-abstract]
    return builder.problems


def values_of(folder: str, kind: str) -> Iterator[tuple[str, Any]]:
    """Each parameter, and each below a parameter, with each wrong value."""
    for name, field in lookup(folder, kind).model_fields.items():
        for value in WRONG:
            yield field.alias or name, value
            yield field.alias or name, {"path": value, "from": value}


@every(("folder", "kind"), stages)
def test_a_value_of_a_wrong_kind_is_told_in_plain_words(folder: str, kind: str) -> None:
    """With the place, and with a remedy."""
    for name, value in values_of(folder, kind):
        for problem in told(folder, kind, name, value):
            assert problem.place.startswith(f"spec: {folder}"), f"{name}={value!r}: {problem}"
            assert problem.remedy, f"{name}={value!r}: {problem}"
            assert not foreign(problem.problem), f"{name}={value!r}: {problem}"


@every(
    "key",
    [*FOLDERS, "split", "sweep", "systems", "reference", "printed", "preset", "measures", "save", "model"],
)
def test_a_part_of_a_spec_of_a_wrong_kind_is_told_in_plain_words(key: str) -> None:
    """Boxes, and what is no box."""
    for value in WRONG:
        for line in tree_problems({**CHAIN, key: value}):
            assert line.startswith("spec: "), line
            assert "; " in line, line
            assert not foreign(line.partition(";")[0]), line


@pytest.mark.parametrize("value", ["null", "[]", "x", "3"])
def test_a_mapping_is_told_with_what_it_has(value: str) -> None:
    """`--set ranking.idf=null` too."""
    for text, settings in ((f"tfidf, idf: {value}", []), ("tfidf", [f"ranking.idf={value}"])):
        (line,) = problems(f"candidates: tokens\nranking: {{kind: {text}}}\n", settings=settings)
        assert "ranking.idf: must be a mapping" in line
        assert line.endswith("; it has: from, path, resource, form")


def test_a_union_is_told_once() -> None:
    """With all that may stand there; or, where one branch takes such values, what is wrong with it."""
    (line,) = tree_problems(
        {**CHAIN, "matching": {"kind": "soft", "similarity": {"kind": "rouge", "n": "x"}}}
    )
    assert "matching.0.similarity.n: must be a whole number or 'L' (given: 'x'); it means: " in line
    (line,) = tree_problems({**CHAIN, "matching": {"kind": "soft", "similarity": {"kind": "rouge", "n": 0}}})
    assert "matching.0.similarity.n: must be at least 1 (given: 0); it means: " in line


def test_all_that_is_wrong_with_a_part_is_told() -> None:
    """Not only the first thing."""
    part = {"kind": "cooccurrence", "window": 1, "weigth": 2}
    found = tree_problems({**CHAIN, "ranking": {"kind": "by_length", "above": part}})
    assert [line.partition(": must")[0].partition(": unknown")[0] for line in found] == [
        "spec: ranking.above.window",
        "spec: ranking.above.weigth",
    ]
