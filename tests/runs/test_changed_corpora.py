"""A corpus that is read again after a run is the one that the run was over, or that is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kpframe.cli import main
from kpframe.engine.experiment import Experiment
from kpframe.errors import DataError
from kpframe.htmlreport.source import read_sources
from kpframe.integrations.cas import write_run
from kpframe.runs.finished import FinishedRun
from kpframe.runs.gold import DocumentGold

SPEC = """\
name: birds
documents: {kind: jsonl, path: corpus.jsonl}
preprocessing: [simple]
candidates: tokens
ranking: frequency
matching: exact
metrics: [f1]
"""
BIRDS = {"id": "birds", "document": "A kite and a heron.", "keyphrases": ["kite"]}
OWLS = {"id": "owls", "document": "Two owls sit on a tree.", "keyphrases": ["owls"]}


def write(folder: Path, *records: object) -> None:
    """The corpus."""
    (folder / "corpus.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.fixture
def run(tmp_path: Path) -> FinishedRun:
    """A run over two documents."""
    write(tmp_path, BIRDS, OWLS)
    (tmp_path / "spec.yaml").write_text(SPEC)
    made = Experiment.load(tmp_path / "spec.yaml").run(out=tmp_path / "out", cache=tmp_path / "cache")
    return FinishedRun(made.folder)


READERS: dict[str, Callable[[FinishedRun, Path], object]] = {
    "gold": lambda run, folder: DocumentGold.of_run(run),
    "cas": lambda run, folder: write_run(run.path, folder / "cas", annotations=False),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "changed",
    [
        {**BIRDS, "document": "A kite and a raven."},  # as long as before: no span tells it
        {**BIRDS, "keyphrases": ["kite", "heron"]},
    ],
    ids=["text", "gold"],
)
def test_a_changed_document_is_told(
    run: FinishedRun, tmp_path: Path, reader: str, changed: dict[str, object]
) -> None:
    """Its spans and matches are those of another text."""
    write(tmp_path, changed, OWLS)
    with pytest.raises(DataError, match="text or gold of document 'birds' has changed since the run"):
        READERS[reader](run, tmp_path)


@pytest.mark.parametrize("reader", READERS)
def test_another_order_and_more_documents_change_nothing(
    run: FinishedRun, tmp_path: Path, reader: str
) -> None:
    """A corpus grows; what the run had is still there."""
    write(tmp_path, {**BIRDS, "id": "more"}, OWLS, BIRDS)
    READERS[reader](run, tmp_path)


def test_the_page_leaves_out_texts_that_are_not_those_of_the_run(run: FinishedRun, tmp_path: Path) -> None:
    """It says which, and shows the numbers alone."""
    write(tmp_path, BIRDS, {**OWLS, "document": "Two owls sat on a tree."})
    source = read_sources([run.path])
    assert any("document 'owls' has changed since the run" in note for note in source.notes)
    assert not source.runs[0].documents


def test_analysing_a_changed_corpus_ends_with_status_2(
    run: FinishedRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As any bad input."""
    write(tmp_path, {**BIRDS, "document": "A kite and a raven."}, OWLS)
    assert main(["analyse", str(run.path), "--quiet"]) == 2
    assert "has changed since the run" in capsys.readouterr().err


def test_reporting_a_changed_corpus_says_so_and_ends_with_status_1(
    run: FinishedRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page is there, without texts; who wants none of them misses nothing."""
    write(tmp_path, {**BIRDS, "document": "A kite and a raven."}, OWLS)
    page = str(tmp_path / "page.html")
    assert main(["report", str(run.path), "--out", page]) == 1
    assert "texts are not shown: " in capsys.readouterr().err
    assert main(["report", str(run.path), "--out", page, "--documents", "0"]) == 0
