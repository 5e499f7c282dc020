"""Cells that were taken out of a finished run, or exchanged: nobody takes the run for whole."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kpframe.cli import main

pytestmark = pytest.mark.slow

SPEC = """
name: birds
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
candidates: ngrams
sweep: {ranking: {freq: frequency, place: position, weight: tfidf}}
metrics: [r_precision]
reports: [json]
"""
LINES = (
    '{"id": "a", "text": "red kites hunt herons", "gold": ["red kites"]}\n'
    '{"id": "b", "text": "owls", "gold": ["owls"]}\n'
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run of three cells."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "corpus.jsonl").write_text(LINES)
    (folder / "spec.yaml").write_text(SPEC)
    with pytest.MonkeyPatch.context() as there:
        there.chdir(folder)
        there.setenv("KPFRAME_CACHE", str(folder / "cache"))
        assert main(["run", "spec.yaml", "--out", "out", "--quiet", "--no-page"]) == 0
    return folder


@pytest.fixture
def cells(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cells of a copy, beside which commands run."""
    shutil.copytree(finished / "out", tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "out" / "cells"


def exchange(cells: Path) -> None:
    """The folders of two cells under each other's name."""
    (cells / "freq").rename(cells / "aside")
    (cells / "place").rename(cells / "freq")
    (cells / "aside").rename(cells / "place")


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the status says of the run behind its time."""
    assert main(["status", "out", *words]) == 0
    return capsys.readouterr().out


def test_status_names_what_is_missing(cells: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In words and as JSON; before, it is finished."""
    assert told(capsys).startswith("out: finished 2")
    shutil.rmtree(cells / "freq")
    said = told(capsys)
    assert said.startswith("out: changed, since it finished 2")
    assert said.endswith(
        "2 documents, 3 configurations; not there: freq; the same command computes them anew\n"
    )
    state = json.loads(told(capsys, "--format", "json"))["out"]
    assert (state["state"], state["missing"], state["altered"]) == ("changed", ["freq"], [])


def test_status_names_what_was_exchanged_or_lacks_a_file(
    cells: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By keys and names of files; it reads no large ones."""
    exchange(cells)
    assert "; damaged, or no longer those of the run: freq, place; the same" in told(capsys)
    exchange(cells)
    assert told(capsys).startswith("out: finished 2")
    (cells / "weight" / "scores.jsonl").unlink()
    assert "; damaged, or no longer those of the run: weight; the same" in told(capsys)


def test_compare_names_the_cells_that_are_not_those_of_the_run(
    cells: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not more scores that are lacking."""
    exchange(cells)
    assert main(["compare", "out"]) == 2
    assert capsys.readouterr().err == (
        "error: r_precision/exact: there are not two systems with a score (not finished, or not those of "
        "their run: freq, place); run the experiment again, or give another run\n"
    )


def test_readers_tell_which_cells_are_not_those_of_the_run(
    cells: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is left out, what is asked for by name, and a run that has no other."""
    exchange(cells)
    assert main(["analyse", "out"]) in (0, 1)
    assert "out: has cells that are not those of this run, left out: freq, place" in capsys.readouterr().err
    assert main(["analyse", "out", "--cell", "freq"]) == 2
    told = "error: out: has cells that are not those of this run: freq; run the experiment again\n"
    assert capsys.readouterr().err == told
    shutil.rmtree(cells / "weight")
    assert main(["compare", "out"]) == 2
    told = "error: out: has cells that are not those of this run: freq, place; run the experiment again\n"
    assert capsys.readouterr().err == told
