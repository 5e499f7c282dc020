"""A second run into a folder leaves there what it would have left in a fresh one, and nothing older."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from engine_runs import SINGLE, corpus, run

from kpframe.htmlreport.writing import write_page

CLAIM = "{kind: lowest, says: all is well, cells: [single], column: r_precision/exact}"
MANY = SINGLE.replace("[json]", f"[csv, markdown, latex, {{kind: conclusions, claims: [{CLAIM}]}}]")
FEW = SINGLE.replace("[json]", "[csv]")
SHORTER = FEW.replace("ranking: frequency", "ranking: position")
GONE = ["summary.md", "summary.tex", "summary-signatures.txt", "conclusions.md", "conclusions.json"]
REFERENCE = SINGLE + "reference: {path: ref.csv, columns: {r_precision/exact: value}, source: Us}\n"


def names(out: Path) -> set[str]:
    """What lies beside the cells."""
    return {path.name for path in out.iterdir()}


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """The warnings."""
    caplog.set_level(logging.WARNING, logger="kpframe")
    return caplog


@pytest.mark.parametrize("later", [FEW, SHORTER])
def test_what_reports_wrote_that_the_spec_no_longer_has_is_removed(
    later: str, tmp_path: Path, told: pytest.LogCaptureFixture
) -> None:
    """Also where no cell is computed anew; a file of somebody else stays, of whatever name."""
    out = run(tmp_path, MANY, corpus(5)).folder
    assert names(out) >= set(GONE)
    (out / "notes.md").write_text("mine")
    told.clear()
    run(tmp_path, later, corpus(5), page=write_page)
    fresh = run(tmp_path, later, corpus(5), out=tmp_path / "fresh", page=write_page).folder
    assert names(out) - {"notes.md"} == names(fresh)
    for name in ("sealed.json", "summary.csv", "summary.json", "resolved.yaml"):
        assert (out / name).read_bytes() == (fresh / name).read_bytes()
    assert "all is well" not in (out / "report.html").read_text()
    line = f"{out}: removing {', '.join(sorted(GONE))}, of reports that the spec no longer has"
    assert told.messages[0] == line
    (out / "summary.md").write_text("mine")
    (out / "conclusions.json").write_text("mine")
    told.clear()
    run(tmp_path, later, corpus(5), page=write_page)
    assert (out / "summary.md").read_text() == (out / "conclusions.json").read_text() == "mine"
    assert told.messages == []


def test_a_run_that_was_killed_is_cleared_by_its_spec(tmp_path: Path, told: pytest.LogCaptureFixture) -> None:
    """It has written tables, and sealed none."""
    out = run(tmp_path, MANY, corpus(5)).folder
    (out / "sealed.json").unlink()
    run(tmp_path, FEW, corpus(5))
    assert not names(out) & set(GONE)
    assert len(told.messages) == 1


def test_what_somebody_changed_is_removed_and_told(tmp_path: Path, told: pytest.LogCaptureFixture) -> None:
    """It is not said to be written anew."""
    out = run(tmp_path, MANY, corpus(5)).folder
    (out / "summary.md").write_text("mine")
    run(tmp_path, FEW, corpus(5))
    assert not (out / "summary.md").exists()
    assert f"{out / 'summary.md'}: was changed since it was written, and is removed" in told.messages
    assert "written anew" not in told.text


def test_seals_that_name_other_files_remove_none(tmp_path: Path) -> None:
    """They may have been changed: what lies elsewhere, and what a run needs, is never a report's."""
    out = run(tmp_path, FEW, corpus(5)).folder
    (tmp_path / "thesis.tex").write_text("mine")
    seals = json.loads((out / "sealed.json").read_text())
    (out / "sealed.json").write_text(json.dumps({**seals, "../thesis.tex": "0", "log.jsonl": "0"}))
    before = (out / "log.jsonl").read_bytes()
    run(tmp_path, FEW, corpus(5))
    assert (tmp_path / "thesis.tex").read_text() == "mine"
    assert (out / "log.jsonl").read_bytes().startswith(before)


def test_a_run_without_a_page_leaves_none_that_shows_something_else(
    tmp_path: Path, told: pytest.LogCaptureFixture
) -> None:
    """Nothing is computed anew where only published values differ; a page that shows the same stays."""
    reference = tmp_path / "ref.csv"
    reference.write_text("cell,value\nsingle,0.5\n")
    page = run(tmp_path, REFERENCE, corpus(5), page=write_page).folder / "report.html"
    before = page.read_bytes()
    run(tmp_path, REFERENCE, corpus(5))
    assert page.read_bytes() == before and told.messages == []
    reference.write_text("cell,value\nsingle,0.25\n")
    run(tmp_path, REFERENCE, corpus(5))
    assert not page.exists()
    assert told.messages == [f"{page}: shows earlier results, and is removed"]


def test_a_page_of_cells_that_are_computed_anew_is_told(
    tmp_path: Path, told: pytest.LogCaptureFixture
) -> None:
    """It was removed before, and nobody heard of it."""
    page = run(tmp_path, FEW, corpus(5), page=write_page).folder / "report.html"
    run(tmp_path, SHORTER, corpus(5))
    assert not page.exists()
    assert f"{page}: shows earlier results, and is removed" in told.messages


@pytest.mark.parametrize("again", [False, True])
def test_a_folder_in_place_of_the_page_loses_no_run(
    again: bool, tmp_path: Path, told: pytest.LogCaptureFixture
) -> None:
    """It is told as any page that cannot be written; it is none of kpframe's, and stays."""
    out = run(tmp_path, FEW, corpus(5)).folder
    (out / "report.html").mkdir()
    run(tmp_path, SHORTER if again else FEW, corpus(5), page=write_page)
    line = f"{out / 'report.html'}: cannot be written (Is a directory); the results are complete"
    assert told.messages[-1] == line
    assert '"event": "end"' in (out / "log.jsonl").read_text().splitlines()[-1]
    assert (out / "sealed.json").is_file() and (out / "report.html").is_dir()
