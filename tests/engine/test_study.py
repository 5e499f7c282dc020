"""A run over many data sets: ordinary runs, and what they say together."""

from __future__ import annotations

import csv
import json
import logging
import shutil
from pathlib import Path

import pytest
from engine_runs import corpus, jsonl, outcome

from kpframe.engine.experiment import Experiment
from kpframe.engine.study import Study, StudyRun
from kpframe.errors import DataError
from kpframe.htmlreport.study import write_study_page
from kpframe.runs.across_sheets import standing_sheet
from kpframe.runs.study_folder import StudyFolder
from kpframe.spec import load_specs

SPEC = """
name: many
datasets:
  big: {documents: {kind: jsonl, path: big.jsonl}}
  small:
    documents: {kind: jsonl, path: small.jsonl}
    systems: {late: {candidates: ngrams, ranking: frequency}}
preprocessing: [simple]
systems:
  first: {candidates: tokens, ranking: position}
  often: {candidates: tokens, ranking: frequency}
metrics: [r_precision]
reports:
  - json
  - kind: conclusions
    claims: [{kind: best, says: often wins, cell: often, column: r_precision/exact}]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spec over two corpora, with a system that only one of them has."""
    made = tmp_path_factory.mktemp("study")
    jsonl(made / "big.jsonl", corpus(24))
    jsonl(made / "small.jsonl", corpus(9, seed=5))
    (made / "many.yaml").write_text(SPEC, encoding="utf-8")
    return made


def study(folder: Path, out: str = "out", **options: object) -> StudyRun:
    """The run over both."""
    return Study.load(folder / "many.yaml").run(out=folder / out, cache=folder / "cache", **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def made(folder: Path) -> StudyRun:
    """The run over both."""
    return study(folder)


@pytest.mark.slow
def test_each_data_set_is_the_run_that_it_would_be_alone(folder: Path, made: StudyRun) -> None:
    """The same bytes."""
    many = load_specs(folder / "many.yaml")
    for name, spec in many.specs.items():  # type: ignore[union-attr]
        alone = Experiment(spec).run(out=folder / f"alone-{name}", cache=folder / "cache")
        assert outcome(alone.folder) == outcome(made.folder / "datasets" / name)


def test_values_stand_side_by_side_and_gaps_stay_gaps(made: StudyRun) -> None:
    """The value of each run's own summary; a system without one everywhere has no mean and no rank."""
    for dataset, run in made.runs.items():
        for cell in run.summary.cells:
            assert made.across.point("r_precision/exact", cell.name, dataset).value == cell.value(
                "r_precision/exact"
            )
    assert made.across.point("r_precision/exact", "late", "big").value is None
    late = {one.system: one for one in made.across.standings("r_precision/exact")}["late"]
    assert late.mean is None and late.mean_rank is None


def test_marks_are_those_of_each_data_set_alone(made: StudyRun) -> None:
    """By the corrected p of each run's own summary; the note on wins and losses says that they are others."""
    column = "r_precision/exact"
    for dataset, run in made.runs.items():
        for cell in run.summary.cells:
            point = made.across.point(column, cell.name, dataset)
            assert point.close == (cell.p_values.get(column, 0.0) > 0.05 and not point.best)
    notes = " ".join(standing_sheet(made.across, column).said())
    assert "Holm's correction over the systems of that data set" in notes
    assert "a value without a mark may belong to a tie" in notes


def test_means_and_ranks_are_over_data_sets(made: StudyRun) -> None:
    """Each data set counts once, however many documents it has."""
    column = "r_precision/exact"
    values = {
        s: [made.runs[d].summary.value(s, column) for d in ("big", "small")] for s in ("first", "often")
    }
    for one in made.across.standings(column):
        if one.system in values:
            assert one.mean == pytest.approx(sum(values[one.system]) / 2)  # type: ignore[arg-type]
            rivals = [v for s, v in values.items() if s != one.system]
            ranks = [
                1.0 + sum(rival[n] > own for rival in rivals) for n, own in enumerate(values[one.system])
            ]
            assert one.ranks == tuple(ranks)


def test_tests_stay_inside_data_sets_and_are_corrected_over_all(made: StudyRun) -> None:
    """Holm: the smallest p times the number of contests, and never below its predecessor."""
    contests = made.across.contests["r_precision/exact"]
    assert {c.dataset for c in contests} == {"big", "small"} and len(contests) == 3
    ordered = sorted(contests, key=lambda c: c.p)
    expected, floor = [], 0.0
    for number, contest in enumerate(ordered):
        floor = max(floor, min(1.0, contest.p * (len(ordered) - number)))
        expected.append(floor)
    assert [c.corrected_p for c in ordered] == pytest.approx(expected)


@pytest.mark.slow
def test_it_goes_on_where_it_was_and_ends_with_the_same_bytes(folder: Path, made: StudyRun) -> None:
    """One data set first, then all: as all at once."""
    Study.load(folder / "many.yaml", only=["small"]).run(out=folder / "later", cache=folder / "cache")
    assert "Not run yet: big" in (folder / "later" / "summary.md").read_text(encoding="utf-8")
    stamp = (folder / "later/datasets/small/cells/first/cell.json").stat().st_mtime_ns
    whole = study(folder, "later", workers=2)
    assert (folder / "later/datasets/small/cells/first/cell.json").stat().st_mtime_ns == stamp
    for name in ("summary.json", "summary.csv", "summary.md", "summary.tex", "signatures.txt"):
        assert (whole.folder / name).read_bytes() == (made.folder / name).read_bytes()


def test_conclusions_are_counted_over_data_sets(made: StudyRun) -> None:
    """Where they hold is said, too."""
    (claim,) = made.across.claims
    assert claim.says == "often wins" and set(claim.holds) == {"big", "small"}
    assert f"{sum(h is True for h in claim.holds.values())} of 2  often wins" in made.text


def test_the_files_have_every_value(made: StudyRun) -> None:
    """CSV in plain lines; JSON whole; all signatures in a file of their own."""
    with (made.folder / "summary.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 3 * 2
    found = json.loads((made.folder / "summary.json").read_text(encoding="utf-8"))
    assert found["points"]["r_precision/exact"]["often"]["big"]["value"] == float(
        next(
            r["value"]
            for r in rows
            if (r["dataset"], r["system"], r["column"]) == ("big", "often", "r_precision/exact")
        )
    )
    assert (made.folder / "signatures.txt").read_text(encoding="utf-8").count("\n") == 2 * (2 + 3)


@pytest.mark.slow
def test_the_text_fits_eighty_columns(made: StudyRun) -> None:
    """And says what means and ranks hide."""
    assert max(map(len, made.text.splitlines())) <= 80
    assert "hides by how much" in made.text and "share no scale" in " ".join(made.text.split())


def test_the_folder_belongs_to_one_spec(tmp_path: Path) -> None:
    """Neither another run's folder nor one with other things is taken."""
    StudyFolder.begun(tmp_path / "a", "many", ["x"])
    with pytest.raises(DataError, match="results of another run, 'many'"):
        StudyFolder.begun(tmp_path / "a", "other", ["x"])
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "thesis.txt").write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match="is not empty"):
        StudyFolder.begun(tmp_path / "b", "many", ["x"])


@pytest.fixture
def copied(folder: Path, made: StudyRun, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Path:
    """A finished run of its own, and the warnings from now on."""
    shutil.copytree(made.folder, tmp_path / "out")
    caplog.set_level(logging.WARNING, logger="kpframe")
    return tmp_path / "out"


@pytest.mark.slow
def test_a_data_set_that_the_spec_no_longer_has_is_told_and_stays(
    folder: Path, copied: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It may be hours of work; no table has it. One that `only` leaves out is one of the spec."""
    many = folder / "many.yaml"
    Study.load(many, only=["big"]).run(out=copied, cache=folder / "cache")
    assert caplog.messages == []
    many.with_name("renamed.yaml").write_text(SPEC.replace("  small:", "  tiny:"))
    Study.load(many.with_name("renamed.yaml")).run(out=copied, cache=folder / "cache")
    assert caplog.messages == [f"{copied}: left alone, and in no table: small, which the spec no longer has"]
    assert (copied / "datasets" / "small" / "summary.json").is_file()
    for name in ("summary.json", "summary.csv", "summary.md", "signatures.txt"):
        assert "tiny" in (copied / name).read_text() and "small" not in (copied / name).read_text()


@pytest.mark.slow
def test_a_page_over_all_stays_only_if_it_shows_the_same(
    folder: Path, copied: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """And is told where it goes; a folder of its name is told too, and ends no run."""

    def again(*settings: str, **options: object) -> None:
        made = Study.load(folder / "many.yaml", settings=settings)
        made.run(out=copied, cache=folder / "cache", **options)  # type: ignore[arg-type]

    page = copied / "report.html"
    again(study_page=write_study_page)
    assert page.is_file()
    again()
    assert page.is_file() and caplog.messages == []
    again("metrics=[precision@2]", "reports=[json]")
    assert not page.exists()
    assert f"{page}: shows earlier results, and is removed" in caplog.messages
    page.mkdir()
    again(study_page=write_study_page)
    assert caplog.messages[-1] == f"{page}: cannot be written (Is a directory); the results are complete"
