"""`kpframe compare`: finished runs put to the test, end to end."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from command_line import FAST, run

from kpframe import Experiment

pytestmark = pytest.mark.slow

DEMO = f"{FAST}documents: {{kind: jsonl, resource: corpora/demo}}\nmatching: exact\n"
GRID = """\
extends: demo.yaml
name: grid
ranking: null
metrics: [r_precision, {kind: f1, k: 5, average: micro}]
sweep: {ranking: {frequency: frequency, random: random}}
"""
COLUMN = "r_precision/exact"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of two rankings, of which each test gets a copy."""
    folder = tmp_path_factory.mktemp("finished")
    for name, text in (("demo.yaml", DEMO), ("grid.yaml", GRID)):
        (folder / name).write_text(text)
    Experiment.load(folder / "grid.yaml").run(out=folder / "runs" / "grid", cache=folder / ".cache")
    return folder


@pytest.fixture(autouse=True)
def in_a_folder(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a finished run of two rankings."""
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    monkeypatch.delenv("KPFRAME_DATA", raising=False)


def test_two_rankings_are_compared_in_every_column(capsys: pytest.CaptureFixture[str]) -> None:
    """A better one is told from chance; the scores are those of the summary."""
    status, out, err = run(capsys, "compare", "runs/grid")
    assert (status, err) == (0, "")
    tables = out.split("\n\n")
    assert tables[0] == f"{COLUMN}: 2 systems, against the best of them, frequency"
    assert "f1(average=micro)@5/exact: 2 systems, against the best of them, frequency" in out
    assert "36 of 36 documents compared" in out
    assert all(len(line) <= 100 for line in out.splitlines())
    with Path("runs/grid/summary.csv").open(newline="") as file:
        summary = {row["cell"]: float(row[COLUMN]) for row in csv.DictReader(file)}
    for cell, value in summary.items():
        assert f"{cell:<9}  {value:.4f}" in out
    random = next(line for line in out.splitlines() if line.startswith("random"))
    assert random.split()[2].endswith("*")


def test_the_scores_of_a_comparison_are_those_of_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    """To the last digit, in every column."""
    found = json.loads(run(capsys, "compare", "runs/grid", "--format", "json").out)
    with Path("runs/grid/summary.csv").open(newline="") as file:
        rows = {row["cell"]: row for row in csv.DictReader(file)}
    assert [comparison["column"] for comparison in found] == [COLUMN, "f1(average=micro)@5/exact"]
    for comparison in found:
        for system in comparison["systems"]:
            assert system["score"] == float(rows[system["system"]][comparison["column"]])


def test_a_comparison_says_the_same_every_time(capsys: pytest.CaptureFixture[str]) -> None:
    """The seed is part of the command; another one draws otherwise."""
    arguments = ("compare", "runs/grid", "--permutations", "500")
    first = run(capsys, *arguments).out
    assert run(capsys, *arguments).out == first
    assert "seed 7" in run(capsys, *arguments, "--seed", "7").out


@pytest.mark.parametrize("test", ["randomisation", "t", "wilcoxon", "bootstrap"])
def test_every_test_finds_the_better_ranking(capsys: pytest.CaptureFixture[str], test: str) -> None:
    """With each correction there is."""
    for correction in ("holm", "bonferroni", "bh", "none"):
        options = ("--column", COLUMN, "--test", test, "--correction", correction, "--format", "json")
        (found,) = json.loads(run(capsys, "compare", "runs/grid", *options).out)
        assert (found["test"], found["correction"]) == (test, correction)
        assert found["contrasts"][0]["significant"]


def test_the_format_follows_the_ending_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    """Unless it is given."""
    for name, begin in (
        ("a.md", "## "),
        ("a.tex", "% needs"),
        ("a.csv", "column,"),
        ("a.json", "["),
        ("a", "r_p"),
    ):
        status, out, err = run(capsys, "compare", "runs/grid", "--out", name)
        assert (status, out, err) == (0, "", f"wrote {name}\n")
        assert Path(name).read_text().startswith(begin)
    run(capsys, "compare", "runs/grid", "--out", "b", "--format", "csv", "--quiet")
    rows = list(csv.DictReader(io.StringIO(Path("b").read_text())))
    assert [(row["system"], row["baseline"]) for row in rows] == [("random", "frequency")] * 2


def test_two_runs_are_compared_under_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    """On the documents that both have, and what is left out is said."""
    run(capsys, "run", "demo.yaml", "--set", "metrics=[r_precision]", "--limit", "30", "--quiet")
    status, out, err = run(capsys, "compare", "runs/grid", "runs/fast", "--baseline", "grid/random")
    assert status == 0
    assert f"{COLUMN}: 3 systems, against grid/random" in out
    assert "fast/fast" in out
    assert "6 documents not in every system" in out
    assert err == "not in every run, and not compared: f1(average=micro)@5/exact\n"


def test_all_pairs_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """Under a heading for each better system."""
    _, out, _ = run(capsys, "compare", "runs/grid", "--column", COLUMN, "--all-pairs")
    assert f"{COLUMN}: all pairs of 2 systems\n\nagainst frequency (0." in out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nowhere"], "nowhere: there is no such folder; give the folder that `kpframe run` wrote to"),
        (["."], ".: is not the folder of a run; give the folder that `kpframe run` wrote to"),
        (["runs/grid", "runs/grid"], "runs/grid: is given twice; leave one out"),
        (
            ["runs/grid", "--column", "r_precison/exact"],
            "column 'r_precison/exact': grid has none of this name; did you mean 'r_precision/exact'?",
        ),
        (
            ["runs/grid", "--baseline", "randon"],
            "baseline 'randon': is no system of r_precision/exact; did you mean 'random'?",
        ),
        (
            ["runs/grid", "--baseline", "random", "--all-pairs"],
            "baselines: have no effect where all pairs are compared; leave one of both out",
        ),
        (
            ["runs/grid", "--test", "t"],
            "f1(average=micro)@5/exact: is one value of all documents together, not a mean over documents, "
            "so the t-test cannot test it; use the test randomisation or bootstrap, or leave this column out",
        ),
    ],
)
def test_what_cannot_be_compared_is_an_error(
    capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    """Place, problem and remedy, and the status of bad input."""
    assert run(capsys, "compare", *arguments) == (2, "", f"error: {problem}\n")


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("--level", "5", "must be a number between 0 and 1, as 0.05, not '5'"),
        ("--seed", "-1", "must be a whole number of at least 0 in digits 0 to 9, not '-1'"),
    ],
)
def test_numbers_that_cannot_be_are_refused(
    capsys: pytest.CaptureFixture[str], option: str, value: str, problem: str
) -> None:
    """The option, what it takes, and what was given."""
    done = run(capsys, "compare", "runs/grid", option, value)
    assert done.status == 2
    assert done.err.endswith(f"argument {option}: {problem}\n")


def test_a_single_system_is_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to compare it with."""
    run(capsys, "run", "demo.yaml", "--limit", "3", "--quiet")
    assert run(capsys, "compare", "runs/fast").err == (
        "error: r_precision/exact: there are not two systems with a score; give another run, or more scores\n"
    )
