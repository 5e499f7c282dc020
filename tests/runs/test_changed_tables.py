"""Tables and pages of finished runs that somebody changed: derived, so they are replaced, and told."""

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
ranking: position
metrics: [r_precision]
reports: [json, csv, markdown, latex]
"""
MANY = SPEC.replace(
    "documents: {kind: jsonl, path: corpus.jsonl}",
    "datasets:\n  one: {documents: {kind: jsonl, path: corpus.jsonl}}",
)
LINES = (
    '{"id": "a", "text": "red kites hunt herons", "gold": ["red kites"]}\n'
    '{"id": "b", "text": "owls", "gold": ["owls"]}\n'
)
DERIVED = ["summary.csv", "summary.md", "summary.tex", "summary.json", "per_document.csv", "report.html"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished run, and one over data sets."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "corpus.jsonl").write_text(LINES)
    (folder / "spec.yaml").write_text(SPEC)
    (folder / "many.yaml").write_text(MANY)
    with pytest.MonkeyPatch.context() as there:
        there.chdir(folder)
        there.setenv("KPFRAME_CACHE", str(folder / "cache"))
        assert main(["run", "spec.yaml", "--out", "out", "--quiet"]) == 0
        assert main(["run", "many.yaml", "--out", "many", "--quiet"]) == 0
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, in which commands run."""
    made = tmp_path / "copy"
    shutil.copytree(finished, made)
    monkeypatch.chdir(made)
    monkeypatch.setenv("KPFRAME_CACHE", str(finished / "cache"))
    return made


@pytest.mark.parametrize("name", DERIVED)
def test_the_next_run_replaces_a_changed_file_and_says_so(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where nothing else is computed; once."""
    path = folder / "out" / name
    whole = path.read_bytes()
    path.write_bytes(whole + b" ")
    told = f"out: changed since the last run, and written anew: {name}\n"
    assert main(["run", "spec.yaml", "--out", "out"]) == 0
    assert told in capsys.readouterr().err
    assert path.read_bytes() == whole
    assert main(["run", "spec.yaml", "--out", "out"]) == 0
    assert "changed since" not in capsys.readouterr().err


@pytest.mark.parametrize("name", DERIVED)
def test_status_names_what_was_changed(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By words and as JSON; what is gone is not changed."""
    assert main(["status", "out"]) == 0
    assert "changed" not in capsys.readouterr().out
    (folder / "out" / name).write_text("mine")
    assert main(["status", "out"]) == 0
    assert capsys.readouterr().out.endswith(f"; changed since: {name}\n")
    assert main(["status", "out", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["out"]["changed"] == [name]
    (folder / "out" / name).unlink()
    assert main(["status", "out"]) == 0
    assert "changed" not in capsys.readouterr().out


def test_report_says_that_it_replaces_a_changed_page(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its own page it replaces without a word, also one with other texts."""
    page = folder / "out" / "report.html"
    page.write_text("mine")
    assert main(["report", "out"]) == 0
    assert "report.html: was changed since it was written, and is replaced\n" in capsys.readouterr().err
    assert main(["report", "out", "--documents", "0"]) == 0
    assert main(["report", "out"]) == 0
    assert main(["run", "spec.yaml", "--out", "out"]) == 0
    assert "changed since" not in capsys.readouterr().err


def test_a_run_without_a_page_keeps_one_that_was_changed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is none of its files, so the next run with a page tells; one that it must remove is told too."""
    page = folder / "out" / "report.html"
    page.write_text("mine")
    assert main(["run", "spec.yaml", "--out", "out", "--no-page"]) == 0
    assert page.read_text() == "mine"
    assert "changed" not in capsys.readouterr().err
    assert main(["run", "spec.yaml", "--out", "out", "--no-page", "--set", "ranking.score=place"]) == 0
    assert "report.html: was changed since it was written, and is removed\n" in capsys.readouterr().err
    assert not page.exists()


def test_seals_that_were_changed_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Then nobody knows of the others."""
    (folder / "out" / "sealed.json").write_text("{")
    assert main(["status", "out"]) == 0
    assert capsys.readouterr().out.endswith("; changed since: sealed.json\n")
    assert main(["run", "spec.yaml", "--out", "out"]) == 0
    assert "written anew: sealed.json\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["summary.csv", "summary.md", "summary.tex", "summary.json", "signatures.txt"]
)
def test_tables_over_many_data_sets_are_told_alike(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the page."""
    for one in (name, "report.html"):
        (folder / "many" / one).write_text("mine")
    assert main(["status", "many"]) == 0
    assert f"many: changed since: {name}, report.html\n" in capsys.readouterr().out
    assert main(["run", "many.yaml", "--out", "many"]) == 0
    told = capsys.readouterr().err
    assert f"many: changed since the last run, and written anew: {name}\n" in told
    assert "report.html: was changed since it was written, and is replaced\n" in told
    assert main(["run", "many.yaml", "--out", "many"]) == 0
    assert "changed since" not in capsys.readouterr().err
