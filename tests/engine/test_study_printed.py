"""Tables over many data sets: rows of publications below those of the run, numbers as siunitx has them."""

from __future__ import annotations

import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from engine_runs import corpus, jsonl

from kpframe.display.latex_sheets import latex
from kpframe.engine.study import Study, StudyRun
from kpframe.htmlreport.data import collect
from kpframe.htmlreport.study import collect_study
from kpframe.runs.across_sheets import standing_sheet, system_sheet, whole_sheet
from kpframe.runs.study_folder import StudyFolder

COLUMN = "r_precision/exact"
ROWS = "system,data,value\nTheirs,big,0.91\nTheirs,small,0.87\nLast,small,0.52\nElse,other,0.1\n"
SPEC = """
name: many
datasets:
  big:
    documents: {kind: jsonl, path: big.jsonl}
    printed:
      path: rows.csv
      where: {data: big}
      columns: {r_precision/exact: value}
      source: "Them (2020), table 1"
  small:
    documents: {kind: jsonl, path: small.jsonl}
    printed:
      path: rows.csv
      where: {data: small}
      columns: {r_precision/exact: value}
      source: "Them (2020), table 2"
preprocessing: [simple]
candidates: tokens
systems:
  first: {ranking: position}
  often: {ranking: frequency}
matching: [exact]
metrics: [r_precision]
reports: [json, {kind: latex, siunitx: true, digits: 2}]
"""
REPORTS = "reports: [json, {kind: latex, siunitx: true, digits: 2}]"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> StudyRun:
    """The run over both data sets."""
    folder = tmp_path_factory.mktemp("printed")
    jsonl(folder / "big.jsonl", corpus(8))
    jsonl(folder / "small.jsonl", corpus(5, seed=5))
    (folder / "rows.csv").write_text(ROWS, encoding="utf-8")
    (folder / "many.yaml").write_text(SPEC, encoding="utf-8")
    return Study.load(folder / "many.yaml").run(out=folder / "out", cache=folder / "cache")


def test_printed_rows_stand_below_those_of_the_run(made: StudyRun) -> None:
    """A system is one row over all data sets; what is not printed is a gap."""
    for sheet in (whole_sheet(made.across), standing_sheet(made.across, COLUMN)):
        assert [row.label for row in sheet.rows] == [
            "first",
            "often",
            "Theirs (printed 1, 2)",
            "Last (printed 2)",
        ]
        theirs, last = sheet.rows[2:]
        assert [entry.value for entry in theirs.entries[:2]] == [0.91, 0.87]
        assert [entry.value for entry in last.entries[:2]] == [None, 0.52]
        assert theirs.printed and last.printed
        for source in ("† printed 1 in Them (2020), table 1:", "† printed 2 in Them (2020), table 2:"):
            assert sum(line.startswith(source) for line in sheet.said()) == 1
    assert len(system_sheet(made.across, "often").rows) == 2


def test_printed_rows_are_in_no_rank_no_test_and_never_the_best(made: StudyRun) -> None:
    """Though .91 is more than anything that was computed."""
    sheet = standing_sheet(made.across, COLUMN)
    ours, printed = sheet.rows[:2], sheet.rows[2:]
    assert not any(entry.best or entry.second or entry.close for row in printed for entry in row.entries)
    assert any(row.entries[0].best for row in ours)
    assert [entry.text(3) for entry in printed[0].entries[2:]] == ["-", "-", "-"]
    assert {one.system for one in made.across.standings(COLUMN)} == {"first", "often"}
    assert {one.system for one in made.across.contests[COLUMN]} <= {"first", "often"}


def test_every_file_has_them(made: StudyRun) -> None:
    """Markdown, LaTeX, JSON, CSV and the terminal, each with its mark."""
    files = {name: (made.folder / name).read_text(encoding="utf-8") for name in ("summary.md", "summary.tex")}
    assert "| Theirs (printed 1, 2) | 0.910† | 0.870† |" in files["summary.md"]
    assert "Theirs (printed 1, 2) & 0.91{$^\\dagger$} & 0.87{$^\\dagger$}" in files["summary.tex"]
    assert "0.910'" in made.text and "' printed 1 in Them (2020), table 1" in made.text
    found = json.loads((made.folder / "summary.json").read_text(encoding="utf-8"))
    assert found["printed"][1] == {
        "system": "Last",
        "sources": ["Them (2020), table 2"],
        "values": {"small": {COLUMN: 0.52}},
    }
    with (made.folder / "summary.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(r["dataset"], r["system"], r["value"]) for r in rows if r["printed"]] == [
        ("big", "Theirs", "0.91"),
        ("small", "Theirs", "0.87"),
        ("small", "Last", "0.52"),
    ]
    assert all(r["documents"] for r in rows if not r["printed"])


def test_the_page_has_them_too(made: StudyRun) -> None:
    """Their rows and values are marked."""
    page = collect_study(made.across, {name: [run.folder] for name, run in made.runs.items()})
    rows = page["sheets"]["sheets"][f"measure:{COLUMN}"]["rows"]
    assert [row["printed"] for row in rows] == [False, False, True, True]
    assert rows[2]["entries"][0]["text"] == "0.910†"
    assert 'class="printed-row"' not in whole_sheet(made.across).html()
    assert '<th scope="row">Last (printed 2)</th>' in whole_sheet(made.across).html()


def test_the_table_over_data_sets_is_set_as_the_spec_wants_tables(made: StudyRun) -> None:
    """With siunitx, and so many decimals."""
    text = (made.folder / "summary.tex").read_text(encoding="utf-8")
    assert text.startswith("% needs \\usepackage{booktabs,siunitx}\n")
    assert "S[table-format=1.2" in text and "\\begin{tabular}{@{}lrr" not in text


@pytest.mark.slow
@pytest.mark.parametrize("reports", ["[console]", "[{kind: latex, siunitx: true, digits: 2}]", "[]"])
def test_nothing_is_lost_whatever_reports_are_asked_for(made: StudyRun, tmp_path: Path, reports: str) -> None:
    """What is said of all data sets is read from the summaries of the runs, which each run leaves."""
    for file in ("big.jsonl", "small.jsonl", "rows.csv"):
        shutil.copy(made.folder.parent / file, tmp_path)
    (tmp_path / "many.yaml").write_text(SPEC.replace(REPORTS, f"reports: {reports}"), encoding="utf-8")
    other = Study.load(tmp_path / "many.yaml").run(out=tmp_path / "out", cache=tmp_path / "cache")
    assert other.across == made.across
    for name in ("summary.json", "summary.csv", "summary.md", "signatures.txt"):
        assert (other.folder / name).read_bytes() == (made.folder / name).read_bytes()


def test_a_run_of_before_without_its_summary_says_what_is_lacking(
    made: StudyRun, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Marks are computed anew; the rows of publications are not there, and both table and log say so."""
    old = tmp_path / "old"
    shutil.copytree(made.folder, old)
    (old / "datasets/big/summary.json").unlink()
    found = StudyFolder.read(old).across()
    assert found.points == made.across.points
    assert "big" not in found.printed[0].values and "small" in found.printed[0].values
    told = "big: without rows of publications, as its summary.json is not there; run the experiment again"
    assert all(told in sheet.notes for sheet in (whole_sheet(found), standing_sheet(found, COLUMN)))
    page = collect([old / "datasets/big"])
    assert page["printed"] == [] and told in page["notes"] and caplog.messages == [told]
    StudyFolder.read(old).write(found)
    assert "big: the summary.json of its run is not there" in (old / "signatures.txt").read_text()


def test_every_sign_is_explained_where_it_stands(made: StudyRun) -> None:
    """In Markdown, LaTeX, HTML, on the page and in a terminal; one that stands nowhere is not explained."""
    sheet = whole_sheet(made.across)
    close = replace(
        sheet.rows[1], entries=tuple(replace(e, close=True, best=False) for e in sheet.rows[1].entries)
    )
    marked = replace(sheet, rows=(sheet.rows[0], close, *sheet.rows[2:]))
    for text in (marked.markdown(), marked.html()):
        assert "≈ not significantly different from the best of its data set (Fisher" in text
        assert "† printed 1 in Them (2020), table 1: not computed here" in text
    assert "$\\approx$ not significantly different" in latex(marked, label="tab:x")
    assert "$^\\dagger$ printed 1 in Them" in latex(marked, label="tab:x")
    assert "\n~ not significantly different" in marked.text() and "\n' printed 1 in Them" in marked.text()
    bare = replace(marked, notes=(), legend=())
    assert "- ≈ not significantly different from the best\n- † printed value of others" in bare.markdown()
    plain = replace(sheet.rows[0], entries=tuple(replace(e, close=False) for e in sheet.rows[0].entries))
    ours = replace(sheet, rows=(plain,))
    assert not any(line.startswith(("≈", "†")) for line in ours.said())
    page = collect_study(made.across, {})
    for shown in page["sheets"]["sheets"].values():
        cells = [entry for row in shown["rows"] for entry in row["entries"]]
        assert any(entry["text"].endswith("†") for entry in cells) == any(
            note.startswith("† printed") for note in shown["notes"]
        )


def test_where_nothing_is_marked_the_table_says_what_that_means(made: StudyRun) -> None:
    """All others differ; where there is no other, nothing is said."""
    others = "All others differ significantly from the best of their data set (Fisher"
    points = {
        column: {
            system: {name: replace(point, close=False) for name, point in found.items()}
            for system, found in by_system.items()
        }
        for column, by_system in made.across.points.items()
    }
    bare = replace(made.across, points=points)
    for sheet in (whole_sheet(bare), standing_sheet(bare, COLUMN)):
        assert sum(note.startswith(others) for note in sheet.notes) == 1
    alone = replace(bare, points={COLUMN: {"first": points[COLUMN]["first"]}})
    assert not any(note.startswith(others) for note in whole_sheet(alone).notes)
