"""Stages that change with the length of a text: in one chain at the same lengths, and without idle parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from spec_files import loaded, problems, tree_problems

from kpframe.errors import SpecError
from kpframe.files.resources import shipped_specs
from kpframe.spec import build, load_spec

CHAIN: dict[str, Any] = {
    "name": "g",
    "preprocessing": ["tokenize", "pos", "chunk"],
    "candidates": "tokens",
    "ranking": "frequency",
}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Specs are written to an empty folder."""
    monkeypatch.chdir(tmp_path)


def at(*bounds: int) -> dict[str, Any] | str:
    """A stage of any box that changes at these lengths."""
    if not bounds:
        return "by_length"
    own: dict[str, Any] = {"kind": "by_length", "bound": bounds[0]}
    return {**own, "above": at(*bounds[1:])} if bounds[1:] else own


@pytest.mark.parametrize(
    ("candidates", "ranking"),
    [((400,), (400,)), ((400, 900), (400,)), ((400,), (400, 900)), ((400, 900), (400, 900)), ((), (400,))],
)
def test_one_of_two_may_change_more_often(candidates: tuple[int, ...], ranking: tuple[int, ...]) -> None:
    """The same candidates may be ranked in several ways, and the other way round."""
    assert tree_problems({**CHAIN, "candidates": at(*candidates), "ranking": at(*ranking)}) == []
    assert tree_problems({**CHAIN, "ranking": at(*ranking)}) == []


def test_what_changes_at_other_lengths_is_refused() -> None:
    """At any depth; a finished run that has it is still read."""
    tree = {**CHAIN, "candidates": at(400, 900), "ranking": at(400, 800)}
    assert tree_problems(tree) == [
        "spec: ranking: changes at 400 and 800 tokens, and candidates at 400 and 900: what is made for short "
        "texts would meet what is made for long ones (candidates stands in spec); "
        "give both the same, as candidates.bound=N and ranking.bound=N"
    ]
    assert len(build(tree, purpose="read").configurations) == 1


@pytest.mark.parametrize("box", ["candidates", "ranking"])
def test_the_default_cannot_be_set_apart(box: str) -> None:
    """One `--set` of two is told, and both are no problem."""
    with pytest.raises(SpecError, match=f"--set {box}.bound=300"):
        load_spec("by-length", settings=[f"{box}.bound=300"], purpose="extract")
    both = ["candidates.bound=300", "ranking.bound=300"]
    assert load_spec("by-length", settings=both, purpose="extract").configurations


def test_the_default_says_each_length_once() -> None:
    """Whoever edits a copy changes one place; `--set` names both stages, in the files and below them."""
    text = shipped_specs()["by-length"].read_text(encoding="utf-8")
    for old, new in (("&long 400", "&long 300"), ("&paper 2500", "&paper 900")):
        assert text.count(old) == 1
        text = text.replace(old, new)
    made = loaded(text, purpose="extract").configurations[0]
    assert made.selection.bounds() == made.ranking.bounds() == {300, 900}
    settings = ["candidates.above.bound=700", "ranking.above.bound=700"]
    made = loaded(text, *settings, purpose="extract").configurations[0]
    assert made.selection.bounds() == made.ranking.bounds() == {300, 700}
    (line,) = problems(text, settings=settings[:1], purpose="extract")
    assert "--set candidates.above.bound=700" in line


def test_alternatives_are_told_where_they_stand() -> None:
    """Those of a sweep, and only the pairs that do not fit."""
    found = problems(
        """\
        preprocessing: [simple]
        sweep:
          candidates:
            a: {kind: by_length, bound: 400, below: tokens, above: tokens}
            b: {kind: by_length, bound: 300, below: tokens, above: tokens}
        ranking: {kind: by_length, bound: 400}
        """
    )
    assert len(found) == 1
    assert found[0].startswith("grid.yaml:6: ranking: changes at 400 tokens, and candidates at 300: ")
    assert "(sweep.candidates.b stands in grid.yaml:5)" in found[0]


@pytest.mark.parametrize("box", ["candidates", "ranking"])
def test_a_part_that_is_never_used_is_told(box: str) -> None:
    """A text that is long for the stage is never short for the part that has the long ones."""
    parts: list[tuple[dict[str, Any], str]] = [
        (
            {"bound": 900, "above": at(400)},
            "above changes at 400 tokens, and has none but texts above 900: its `below`",
        ),
        (
            {"bound": 400, "above": at(400)},
            "above changes at 400 tokens, and has none but texts above 400: its `below`",
        ),
        (
            {"bound": 400, "below": at(900)},
            "below changes at 900 tokens, and has none but texts below 400: its `above`",
        ),
    ]
    for parameters, told in parts:
        (line,) = tree_problems({**CHAIN, box: {"kind": "by_length", **parameters}})
        assert line.startswith(f"spec: {box}: {told} is never used; set both, as bound and ")
