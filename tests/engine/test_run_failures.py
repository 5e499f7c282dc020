"""Documents that fail, workers that die, and texts that nobody expects."""

from __future__ import annotations

import json
from pathlib import Path

import engine_stages
import pytest
from engine_runs import SINGLE, TWO, corpus, events, experiment, leftovers, lines, outcome, run

from kpframe import Document
from kpframe.cli import main
from kpframe.engine import batches
from kpframe.engine.executors import DEATH
from kpframe.stages import registry

pytestmark = pytest.mark.slow

BREAKS = {
    "cleaner": (
        "preprocessing: [simple]",
        "preprocessing: [poisoned-cleaner, simple]",
        "preprocessing",
        True,
    ),
    "annotator": (
        "preprocessing: [simple]",
        "preprocessing: [simple, poisoned-annotator]",
        "preprocessing",
        True,
    ),
    "whole pass": (
        "preprocessing: [simple]",
        "preprocessing: [simple, {kind: poisoned-annotator, whole: true}]",
        "preprocessing",
        True,
    ),
    "selection": (
        "candidates: tokens",
        "candidates: poisoned-selection",
        "candidates poisoned-selection",
        True,
    ),
    "ranking": ("bad: frequency", "bad: poisoned-ranking", "ranking poisoned-ranking", False),
    "postprocessor": (
        "metrics:",
        "postprocessing: [poisoned-postprocessor]\nmetrics:",
        "postprocessing poisoned-postprocessor",
        True,
    ),
}
"""What is put in place of what, the stage that is told, and whether both cells are struck."""


@pytest.fixture(autouse=True)
def stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The failing stages are known in these tests alone."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    engine_stages.register()


def poisoned(count: int = 6, bad: int = 2) -> list[Document]:
    """A small corpus with one document that some stage cannot stand."""
    documents = corpus(count)
    old = documents[bad]
    documents[bad] = Document(old.id, f"{engine_stages.BAD} {old.text}", gold=old.gold)
    return documents


@pytest.mark.parametrize("part", sorted(BREAKS))
@pytest.mark.parametrize("items", [32, 1])
def test_a_document_that_fails_is_recorded_and_in_no_average(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, items: int
) -> None:
    """The others are as in a run without it, in all cells, also those in which nothing failed."""
    monkeypatch.setattr(batches, "MAX_ITEMS", items)
    old, new, stage, both = BREAKS[part]
    assert old in TWO
    made = run(tmp_path, TWO.replace(old, new), poisoned())
    cells = ["bad", "good"] if both else ["bad"]
    error = "RuntimeError: cannot stand this text"
    assert made.failed == 1
    assert list(made.summary.failures) == [
        {"id": "d2", "stage": stage, "error": error, "cell": cell} for cell in cells
    ]
    assert [{k: v for k, v in event.items() if k != "time"} for event in events(made.folder, "failure")] == [
        {"event": "failure", **failure} for failure in made.summary.failures
    ]
    for cell in cells:
        assert lines(made.folder, cell)["d2"] == {"id": "d2", "keyphrases": [], "error": f"{stage}: {error}"}
    assert "1 document failed and is in no average" in made.summary.notes
    assert json.loads((made.folder / "summary.json").read_text())["failures"] == list(made.summary.failures)
    without = run(tmp_path / "without", TWO, [d for d in poisoned() if d.id != "d2"])
    assert [cell.documents for cell in made.summary.cells] == [5, 5]
    for name in ("bad", "good"):
        for column in made.summary.columns:
            assert made.summary.value(name, column) == without.summary.value(name, column)
        assert {**lines(made.folder, name), "d2": None} == {**lines(without.folder, name), "d2": None}
    assert leftovers(made.folder) == []


def test_a_failed_document_shows_in_the_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 without failures, 1 with one, also when the finished run is only looked up again."""
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    experiment(tmp_path, TWO.replace("bad: frequency", "bad: poisoned-ranking"), poisoned())
    command = ["run", str(tmp_path / "spec.yaml"), "--out", str(tmp_path / "out"), "-q"]
    assert main(command) == 1
    printed = capsys.readouterr()
    assert "d2" in printed.out
    assert main(command) == 1
    experiment(tmp_path, TWO, poisoned())
    assert main(command) == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_document_that_cannot_be_learned_from_is_told_every_time(tmp_path: Path, workers: int) -> None:
    """A resumed run says the same as the first, also if it had nothing left to learn."""
    spec = TWO.replace("bad: frequency", "bad: {kind: poisoned-ranking, learns: true}")
    made = run(tmp_path, spec, poisoned(), workers=workers)
    assert list(made.summary.failures) == [
        {"id": "d2", "stage": "ranking poisoned-ranking", "error": "RuntimeError: cannot stand this text"}
    ]
    assert [cell.documents for cell in made.summary.cells] == [5, 5]
    reference = outcome(made.folder)
    again = run(tmp_path, spec, poisoned())
    assert events(again.folder, "plan")[-1]["pending"] == 0
    assert outcome(again.folder) == reference
    (made.folder / "cells" / "good" / "scores.jsonl").unlink()
    assert outcome(run(tmp_path, spec, poisoned()).folder) == reference
    (made.folder / "cells" / "bad" / "scores.jsonl").unlink()
    assert outcome(run(tmp_path, spec, poisoned()).folder) == reference


def test_what_one_ranking_cannot_learn_another_can(tmp_path: Path) -> None:
    """A document that fails in one fit is not lost for the others."""
    spec = TWO.replace("bad: frequency", "bad: {kind: poisoned-ranking, learns: true}").replace(
        "good: {kind: cooccurrence}", "good: tfidf"
    )
    made = run(tmp_path, spec, poisoned())
    (state,) = (made.folder / "fitted").glob("tfidf-*.json")
    assert json.loads(state.read_text())["documents"] == 6
    (other,) = (made.folder / "fitted").glob("poisoned-ranking-*.json")
    assert json.loads(other.read_text())["candidates"] < sum(len(set(d.text.split())) for d in poisoned())


def test_what_a_reader_skips_is_counted(tmp_path: Path) -> None:
    """A document that the reader cannot read does not fail the run."""
    made = run(tmp_path, SINGLE.replace("{kind: jsonl, path: corpus.jsonl}", "poisoned-reader"))
    assert made.failed == 0
    assert "1 thing in the corpus was skipped, first corpus:2: is unreadable" in made.summary.notes
    assert set(lines(made.folder, "single")) == {"a", "b"}
    skipped = json.loads((made.folder / "environment.json").read_text())["data"]["skipped"]
    assert skipped == [{"place": "corpus:2", "reason": "is unreadable"}]


def test_a_reader_that_breaks_down_ends_the_run_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Results over half a corpus would be wrong."""
    reader = "{kind: poisoned-reader, breaks: true}"
    experiment(tmp_path, SINGLE.replace("{kind: jsonl, path: corpus.jsonl}", reader))
    assert main(["run", str(tmp_path / "spec.yaml"), "--out", str(tmp_path / "out"), "-q"]) == 2
    assert "corpus:3: is no document; repair it" in capsys.readouterr().err
    assert not (tmp_path / "out" / "cells").exists()


@pytest.mark.acceptance
@pytest.mark.parametrize("way", ["exit", "kill"])
def test_a_worker_that_dies_loses_one_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """All others of its batch, and of the batches that were under way, are there."""
    monkeypatch.setattr(batches, "MAX_ITEMS", 3)
    spec = TWO.replace("candidates: tokens", f"candidates: {{kind: poisoned-selection, way: {way}}}")
    made = run(tmp_path, spec, poisoned(12, bad=4), workers=2)
    reason = DEATH
    assert list(made.summary.failures) == [
        {"id": "d4", "stage": "worker", "error": reason, "cell": cell} for cell in ("bad", "good")
    ]
    plain = run(tmp_path / "plain", TWO, [d for d in poisoned(12, bad=4) if d.id != "d4"])
    for name in ("bad", "good"):
        found = lines(made.folder, name)
        assert found.pop("d4")["error"] == f"worker: {reason}"
        assert found == lines(plain.folder, name)
    assert leftovers(made.folder) == []
