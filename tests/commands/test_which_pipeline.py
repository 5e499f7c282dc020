"""The table of `examples/which_pipeline.py` has the figures of `kpframe run`, and nothing of its own."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

import kpframe as kp

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "which_pipeline.py"


def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """What the example prints."""
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), *arguments])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    return capsys.readouterr().out


def rows(output: str) -> dict[str, list[str]]:
    """The rows of the tables by their first cell, without marks."""
    lines = [line.strip("|").split("|") for line in output.splitlines() if line.startswith("| ")]
    return {name.strip(): [cell.strip(" *°") for cell in cells] for name, *cells in lines}


def of_a_run(name: str, out: Path, *settings: str) -> list[str]:
    """What the experiment gives on the same third, as the table shows it."""
    split = "split={train: 2/3, seed: 2009}"
    present = "exact(normalize=porter,absent=split)"
    matching = "matching=[approximate, exact, {kind: exact, normalize: porter, absent: split}]"
    measured = [split, matching, "metrics=[r_precision, f1@5, f1@10]", *settings]
    run = kp.Experiment.load(name, settings=measured).run(out=out / name)
    columns = ("r_precision/approximate", "r_precision/exact", f"f1@5/{present}", f"f1@10/{present}")
    return [f"{run.summary.value(name, column):.3f}".removeprefix("0") for column in columns]


def test_the_figures_are_those_of_a_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """For each pipeline; document frequencies are of the training part there, as they are here."""
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    table = rows(printed(capsys, monkeypatch))
    assert table["textrank"][:4] == of_a_run("textrank", tmp_path)
    assert table["noun-phrases"][:4] == of_a_run("noun-phrases", tmp_path)
    assert table["tfidf"][:4] == of_a_run("tfidf", tmp_path, "ranking.idf.from=training")
    assert table["kea"][:4] == of_a_run("kea", tmp_path)


def test_what_a_pipeline_needs_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A language model if it has annotators of one, and what it learns from unless it is shipped trained."""
    table = rows(printed(capsys, monkeypatch, "--limit", "12", "--development"))
    assert {name: cells[-1] for name, cells in table.items() if name != "pipeline"} == {
        "textrank": "language model",
        "noun-phrases": "language model",
        "tfidf": "language model, texts",
        "tfidf, shipped model": "language model",
        "kea": "texts with gold",
        "kea, shipped model": "nothing",
    }


def test_a_learning_curve_ends_with_all_training_documents(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is only one way to draw them, and where the score is that of the table."""
    curve = rows(printed(capsys, monkeypatch, "--learning-curve", "kea"))
    assert list(curve) == ["documents", "10", "24"]
    assert curve["24"] == ["0.278 (0.278–0.278)", "0.257 (0.257–0.257)"]


def test_an_unknown_corpus_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That says where the known ones are listed."""
    with pytest.raises(SystemExit, match="2"):
        printed(capsys, monkeypatch, "nope")
    assert capsys.readouterr().err.endswith("error: nope: see `kpframe data list`\n")
