"""Whatever is in a file or a tree: a spec, or an error that says what is wrong. Never anything else."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kpframe.errors import SpecError
from kpframe.spec import Spec, build, load_spec
from kpframe.spec.settings import apply_settings
from kpframe.spec.strict_yaml import Positions, read_yaml
from kpframe.stages import FOLDERS
from kpframe.stages.registry import kinds, lookup

pytestmark = [pytest.mark.slow, pytest.mark.acceptance]

FAST = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None)
ALL_KINDS = sorted({kind for folder in FOLDERS for kind in kinds(folder)})
ALL_PARAMETERS = sorted(
    {name for folder in FOLDERS for kind in kinds(folder) for name in lookup(folder, kind).model_fields}
)
ODD = [
    "",
    " ",
    "..",
    "a/b",
    "2/3",
    "1/0",
    "precision@5",
    "top@²",
    "f1@",
    "-",
    "~",
    "a\0b",
    "\ud800",
    "[",
    "é",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples."""
    return tmp_path_factory.mktemp("fuzzed")


words = st.sampled_from([*ODD, *ALL_KINDS, *ALL_PARAMETERS])
scalars = st.none() | st.booleans() | st.integers(-3, 2000) | st.floats() | words | st.text(max_size=8)
values = st.recursive(
    scalars, lambda v: st.lists(v, max_size=3) | st.dictionaries(words, v, max_size=3), max_leaves=6
)
yaml_like = st.text(st.sampled_from("ab:-[]{}&*!#|>'\"?,%@\n\t 01.~\0é\ud800"), max_size=40)


def written(folder: Path, content: bytes) -> Path:
    """A file with this content."""
    path = folder / "any.yaml"
    path.write_bytes(content)
    return path


@cache
def whole_specs() -> tuple[dict[str, Any], ...]:
    """Resolved specs from which mutations start: a chain, a grid, a sweep with training."""
    chain = load_spec("textrank", purpose="check").resolved
    grid = copy.deepcopy(load_spec("quickstart", purpose="check").resolved)
    grid["systems"] = dict(list(grid["systems"].items())[:3])
    sweep = {
        **{key: value for key, value in chain.items() if key != "ranking"},
        "split": {"train": "2/3", "by": "hash", "seed": 1},
        "sweep": {"ranking": {"a": "frequency", "b": {"kind": "tfidf", "idf": {"from": "training"}}}},
        "reference": {
            "resource": "reference/zesch2009_table3",
            "columns": {"r_precision/exact": "inspec_exact"},
            "source": "s",
        },
        "model": "models/tfidf-demo",
    }
    return chain, grid, sweep


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values inside a value."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        yield (*path, key)
        yield from paths(member, (*path, key))


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """A spec with one or two values replaced, added or taken away."""
    tree = copy.deepcopy(draw(st.sampled_from(whole_specs())))
    for _ in range(draw(st.integers(1, 2))):
        path = draw(st.sampled_from(list(paths(tree))))
        holder: Any = tree
        for key in path[:-1]:
            holder = holder[key]
        change = draw(st.sampled_from(["replace", "add", "remove"]))
        if change == "remove" and isinstance(holder, dict):
            del holder[path[-1]]
        elif change == "add" and isinstance(holder, dict):
            holder[draw(words)] = draw(values)
        else:
            holder[path[-1]] = draw(values)
    return tree


def built(tree: dict[str, Any], purpose: Any) -> Spec | None:
    """The spec, or None after an error that has something to say."""
    spec, error = outcome(lambda: build(tree, purpose=purpose))
    assert spec is not None or (error.problems and all(problem.problem for problem in error.problems))
    return spec


def outcome(attempt: Callable[[], Any]) -> tuple[Any, SpecError]:
    """The result of a call, or the SpecError that it raised (one without problems, if none)."""
    try:
        return attempt(), SpecError([])
    except SpecError as error:
        return None, error


@settings(FAST, max_examples=80)
@given(st.dictionaries(words, values), st.sampled_from(["run", "extract", "check"]))
def test_any_tree_is_a_spec_or_an_error(tree: dict[str, Any], purpose: str) -> None:
    """Nothing but SpecError ever leaves the builder."""
    built(tree, purpose)


@settings(FAST, max_examples=150)
@given(tree=mutated(), purpose=st.sampled_from(["run", "extract", "check"]))
def test_a_spec_with_a_mistake_is_a_spec_or_an_error(
    folder: Path, tree: dict[str, Any], purpose: str
) -> None:
    """And what is still a spec resolves to YAML that resolves to itself."""
    spec = built(tree, purpose)
    if spec is not None:
        text = spec.to_yaml()
        again = read_yaml(written(folder, text.encode()), Positions())
        assert build(again, purpose=purpose).to_yaml() == text  # type: ignore[arg-type]


@settings(FAST, max_examples=120)
@given(content=st.binary(max_size=60) | yaml_like.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_a_mapping_or_an_error(folder: Path, content: bytes) -> None:
    """Also those that look like YAML."""
    path = written(folder, content)
    tree, error = outcome(lambda: read_yaml(path, Positions()))
    assert isinstance(tree, dict) or str(error).startswith(str(path))


@settings(FAST, max_examples=100)
@given(st.text(st.sampled_from("ab:-[]{}&*!#'\"?,\n 01.~\0²"), max_size=20), words, words)
def test_any_setting_is_applied_or_an_error(text: str, first: str, second: str) -> None:
    """A value of any form at any path."""
    assume("=" not in first + second)
    for path in (f"{first}.{second}", f"postprocessing.{first}", first):
        tree = copy.deepcopy(whole_specs()[0])
        setting = f"{path}={text}"
        _, error = outcome(lambda: apply_settings(tree, Positions(), [setting]))  # noqa: B023
        assert not error.problems or str(error).startswith("--set ")
