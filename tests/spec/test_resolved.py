"""The resolved spec: all defaults filled in, and itself a spec that says the same."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from spec_files import loaded, write

from kpframe.files.resources import shipped_specs
from kpframe.spec import Spec, build, load_spec
from kpframe.spec.grid import cell_names
from kpframe.spec.strict_yaml import Positions, read_yaml

DATA = Path(os.environ.get("KPFRAME_DATA", Path(__file__).parents[3] / "shared" / "datasets"))


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Specs are written to an empty folder."""
    monkeypatch.chdir(tmp_path)


def again(spec: Spec, purpose: Any = "check") -> Spec:
    """The spec that the resolved YAML of a spec describes."""
    return build(read_yaml(write(spec.to_yaml(), "resolved.yaml"), Positions()), purpose=purpose)


@cache
def shipped(name: str) -> Spec:
    if name.startswith("zesch2009-") and name != "zesch2009-base" and not DATA.is_dir():
        pytest.skip(f"the corpora are not in {DATA}; set KPFRAME_DATA")
    return load_spec(name, data=DATA, purpose="check")


ONE_EACH = [name for name in shipped_specs() if name != "zesch2009"]
"""That one has data sets: each of them resolves as the spec that it names."""


@pytest.mark.parametrize("name", ONE_EACH)
@pytest.mark.slow
def test_a_resolved_spec_resolves_to_itself(name: str) -> None:
    """The same YAML, and the same configurations in the same order."""
    spec = shipped(name)
    once = again(spec)
    assert once.to_yaml() == spec.to_yaml()
    assert [c.name for c in once.configurations] == [c.name for c in spec.configurations]
    assert [c.axes for c in once.configurations] == [c.axes for c in spec.configurations]
    assert cell_names(spec.resolved) == [c.name for c in spec.configurations]
    assert [c.to_spec() for c in once.configurations] == [c.to_spec() for c in spec.configurations]
    assert once.columns == spec.columns


@pytest.mark.parametrize("name", ONE_EACH)
@pytest.mark.slow
def test_every_parameter_is_in_it(name: str) -> None:
    """A default that changes later changes no resolved spec."""
    for configuration in shipped(name).configurations:
        for stage in (configuration.selection, configuration.ranking, *configuration.postprocessing):
            assert set(stage.to_spec()) == {"kind", *(type(stage).model_fields)}


def test_it_says_what_was_set_on_the_command_line() -> None:
    """And nothing of inheritance or variables."""
    spec = loaded(
        "extends: textrank\nname: own\nranking: {window: 5}\n",
        "postprocessing.token_length.max=2",
        "description=x",
    )
    assert spec.resolved["ranking"]["window"] == 5
    assert spec.resolved["postprocessing"][2] == {"kind": "token_length", "min": 1, "max": 2}
    assert list(spec.resolved) == [
        "name", "description", "documents", "preprocessing", "candidates", "ranking", "postprocessing",
        "matching", "metrics", "reports", "save",
    ]  # fmt: skip


def test_a_grid_remains_a_grid() -> None:
    """Tables and pages of the repeated run have its axes; what is not varied stands once."""
    spec = loaded(
        "candidates: tokens\nsweep: {ranking: {f: frequency, p: position}}\n"
        "systems: {n: {candidates: ngrams, ranking: p}}\n"
    )
    assert list(spec.resolved["sweep"]["ranking"]) == ["f", "p"]
    assert spec.resolved["sweep"]["ranking"]["p"]["kind"] == "position"
    assert spec.resolved["candidates"]["kind"] == "tokens"
    assert spec.resolved["systems"]["n"]["ranking"]["kind"] == "position"
    assert again(spec).to_yaml() == spec.to_yaml()
    assert cell_names(spec.resolved) == ["n", "f", "p"]


@pytest.mark.parametrize(
    "chain",
    [
        "sweep: {ranking: {f: frequency}}\ncandidates: tokens\n",
        "systems: {only: {ranking: frequency}}\ncandidates: tokens\n",
    ],
)
def test_a_grid_of_one_keeps_the_name_of_its_cell(chain: str) -> None:
    """Also when it is resolved again."""
    spec = loaded(chain)
    assert [c.name for c in again(spec).configurations] == [c.name for c in spec.configurations]


def test_texts_that_look_like_something_else_come_back_as_texts() -> None:
    """Numbers in quotes, words that YAML takes for truth values, line breaks, all of Unicode."""
    words = ["no", "1", "2.5", "null", "~", "a: b", "# c", " d ", "é", "機械", "😀", "x\ny", "'", '"']
    tree = {
        "name": "no",
        "description": "1",
        "candidates": {"kind": "vocabulary", "terms": ["a"]},
        "ranking": "frequency",
        "postprocessing": [{"kind": "stopwords", "add": words}],
    }
    spec = build(tree, purpose="check")
    assert again(spec).to_yaml() == spec.to_yaml()
    assert again(spec).resolved["postprocessing"][0]["add"] == words
    assert again(spec).name == "no"


def test_paths_in_it_are_found_from_the_same_working_directory() -> None:
    """The one in which the run was started."""
    write("text", "corpus/a.txt")
    text = "documents: {kind: text, path: ../corpus}\ncandidates: tokens\nranking: frequency\n"
    spec = load_spec(write(text, "specs/own.yaml"))
    reader = again(spec).reader
    assert reader is not None
    assert [document.id for document in reader.read()] == ["a"]
