"""`kpframe report`: where its files go, and what it says about wrong options."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kpframe.cli import main
from kpframe.commands import prepare, report
from kpframe.errors import DataError

SPEC = """
name: birds
documents: {kind: jsonl, path: gold.jsonl}
preprocessing: [simple]
candidates: tokens
sweep:
  ranking: {often: frequency, early: position}
matching: [exact]
metrics: [r_precision]
reports: [json]
"""
GOLD = """{"id": "a", "text": "red kites hunt herons", "gold": ["kites", "herons"]}
{"id": "b", "text": "an owl at night, an owl", "gold": ["owl"]}
"""

DEFAULTS = {"out": None, "figures": None, "documents": 100, "open": False}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a run in `runs/birds`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    Path("gold.jsonl").write_text(GOLD)
    Path("birds.yaml").write_text(SPEC)
    assert main(["run", "birds.yaml", "--quiet"]) == 0
    prepare(quiet=False)


def told(capsys: pytest.CaptureFixture[str], *runs: str, **options: Any) -> list[str]:
    """The notices of the command, sizes left out."""
    prepare(quiet=False)
    assert report.execute(SimpleNamespace(runs=list(runs), **{**DEFAULTS, **options})) == 0
    return re.sub(r"\(\d+ kB\)", "(… kB)", capsys.readouterr().err).splitlines()


def test_the_page_of_a_run_lies_in_its_folder(capsys: pytest.CaptureFixture[str]) -> None:
    """And is the same when it is made again."""
    assert told(capsys, "runs/birds")[-1:] == ["wrote runs/birds/report.html (… kB)"]
    first = Path("runs/birds/report.html").read_bytes()
    told(capsys, "runs/birds")
    assert Path("runs/birds/report.html").read_bytes() == first
    assert b"<title>birds" in first


def test_the_page_of_several_runs_lies_where_one_stands(capsys: pytest.CaptureFixture[str]) -> None:
    """Its systems carry the names of their runs."""
    assert main(["run", "birds.yaml", "--quiet", "--out", "runs/again"]) == 0
    capsys.readouterr()
    assert told(capsys, "runs/birds", "runs/again")[-1:] == ["wrote report.html (… kB)"]
    text = Path("report.html").read_text(encoding="utf-8")
    assert '"birds/often"' in text and '"again/often"' in text


@pytest.mark.slow
def test_figures_are_written_beside(capsys: pytest.CaptureFixture[str]) -> None:
    """Charts and tables; their number is told."""
    pytest.importorskip("vl_convert", reason="needs vl-convert-python (pip install 'kpframe[figures]')")
    lines = told(capsys, "runs/birds", out="own.html", figures="figures")
    made = list(Path("figures").iterdir())
    assert lines[-2:] == ["wrote own.html (… kB)", f"wrote {len(made)} files for papers: figures"]
    assert {path.suffix for path in made} == {".svg", ".pdf", ".tex"}


@pytest.mark.slow
def test_the_page_of_several_runs_lies_with_their_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is left where one stands; --out goes before."""
    pytest.importorskip("vl_convert", reason="needs vl-convert-python (pip install 'kpframe[figures]')")
    assert main(["run", "birds.yaml", "--quiet", "--out", "runs/again"]) == 0
    lines = told(capsys, "runs/birds", "runs/again", figures="figures")
    assert lines[-2] == "wrote figures/report.html (… kB)"
    assert Path("figures/report.html").is_file() and not Path("report.html").exists()
    told(capsys, "runs/birds", "runs/again", figures="others", out="own.html")
    assert Path("own.html").is_file() and not Path("others/report.html").exists()


def test_figures_are_never_beside_older_ones(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder with anything in it is refused before a page is made; where figures fail, none are left."""
    Path("figures").mkdir()
    Path("figures/curves-f1.svg").write_text("of another run")
    Path("runs/birds/report.html").unlink(missing_ok=True)
    with pytest.raises(DataError, match="figures: is not empty; choose another folder, or remove it first"):
        told(capsys, "runs/birds", figures="figures")
    assert [path.name for path in Path("figures").iterdir()] == ["curves-f1.svg"]
    assert not Path("runs/birds/report.html").exists()
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(DataError, match="needs the package vl-convert-python"):
        told(capsys, "runs/birds", figures="none")
    assert not Path("none").exists() and Path("runs/birds/report.html").is_file()


def test_texts_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """For corpora that must not be handed on: scores remain."""
    from test_page import unpacked

    told(capsys, "runs/birds", documents=0)
    assert unpacked(Path("runs/birds/report.html").read_text(encoding="utf-8"))["documents"] == []


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"documents": -1}, "--documents: must be 0 or more; 0 leaves all texts out of the report"),
        ({"out": "runs"}, "runs: is a folder; name a file, as report.html"),
    ],
)
def test_wrong_options_are_told_before_anything_is_read(options: dict[str, Any], error: str) -> None:
    """With a remedy."""
    with pytest.raises(DataError) as problem:
        report.execute(SimpleNamespace(runs=["missing"], **{**DEFAULTS, **options}))
    assert str(problem.value) == error
