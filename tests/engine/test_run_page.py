"""The page that a run writes, and the times of its stages."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from engine_runs import GRID, SINGLE, corpus, events, run

from kpframe import Experiment
from kpframe.cli import main
from kpframe.htmlreport.writing import write_page

STAGES = (
    "reading",
    "preprocessing",
    "candidates",
    "ranking",
    "postprocessing",
    "evaluation",
    "losses",
    "reports",
)


@pytest.mark.slow
def test_a_run_writes_the_page_that_the_command_writes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte; an unchanged run makes it again, with the times of the run that computed."""
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    Path("corpus.jsonl").write_text(
        "".join(
            f'{{"id": "d{i}", "text": "red kites hunt herons {i}", "gold": ["kites"]}}\n' for i in range(9)
        )
    )
    Path("single.yaml").write_text(SINGLE)
    made = Experiment.load("single.yaml").run(out="out", page=write_page)
    page = made.folder / "report.html"
    first = page.read_bytes()
    assert main(["report", "out", "--quiet"]) == 0
    assert page.read_bytes() == first
    Experiment.load("single.yaml").run(out="out", page=write_page)
    assert page.read_bytes() == first


def test_no_page_is_written_unless_it_is_wanted(tmp_path: Path) -> None:
    """From Python the default is none: a page takes seconds."""
    assert not (run(tmp_path, SINGLE, corpus(5)).folder / "report.html").exists()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.slow
def test_the_times_of_all_stages_are_logged(tmp_path: Path, workers: int) -> None:
    """In seconds, also those that workers spent; a session that computes nothing only reads and reports."""
    folder = run(tmp_path, GRID, corpus(8), workers=workers).folder
    (first,) = events(folder, "timings")
    assert set(STAGES) <= set(first["seconds"]) <= {*STAGES, "learning"}
    assert all(0 <= seconds < 600 for seconds in first["seconds"].values())
    run(tmp_path, GRID, corpus(8), workers=workers)
    assert set(events(folder, "timings")[-1]["seconds"]) == {"reading", "reports"}


def test_a_page_that_cannot_be_made_loses_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Results are whole without it; what went wrong is told, and no older page stays."""
    made = run(tmp_path, SINGLE, corpus(5), page=write_page)
    page = made.folder / "report.html"
    assert page.is_file()

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("odd")

    monkeypatch.setattr("kpframe.htmlreport.writing.collect", broken)
    with caplog.at_level(logging.WARNING, logger="kpframe"):
        again = run(tmp_path, SINGLE, corpus(5), page=write_page)
    assert caplog.messages == [
        f"{page}: cannot be written (ZeroDivisionError: odd); the results are complete"
    ]
    assert again.summary == made.summary
    assert not page.exists()
    assert events(made.folder, "end")[-1]["failures"] == 0
