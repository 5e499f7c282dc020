"""Runs over the same documents, and over others: told by what they hold."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kpframe import Document, Gold
from kpframe.analysis.comparison import sample_of
from kpframe.analysis.same_cells import same_cells, same_cells_sheets
from kpframe.errors import DataError
from kpframe.evaluation.against_best import against_best
from kpframe.evaluation.comparison_column import Procedure
from kpframe.runs.across import across
from kpframe.runs.finished import FinishedRun
from kpframe.runs.same_data import by_data

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))
from engine_runs import corpus, run

SPEC = """
name: {name}
documents: {{kind: jsonl, path: corpus.jsonl}}
preprocessing: [simple]
systems:
  often: {{candidates: tokens, ranking: {ranking}}}
  early: {{candidates: tokens, ranking: position}}
reports: [json]
"""


MORE = SPEC.format(name="more", ranking="frequency").replace(
    "  early: {candidates: tokens, ranking: position}", "  long: {candidates: tokens, ranking: length}"
)
"""The first cell of the others, and another in place of the second."""


def made(folder: Path, name: str, documents: list[Document], ranking: str = "frequency") -> Path:
    """A run of this name."""
    return run(folder / name, SPEC.format(name=name, ranking=ranking), documents).folder


def named(path: Path, name: str) -> Path:
    """The folder under a name of its own."""
    return path.rename(path.parent / name)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two corpora with the same ids; the first with two specs, and once with fewer documents."""
    folder = tmp_path_factory.mktemp("same")
    first, other = corpus(12), corpus(12, seed=9)
    changed = [Document(d.id, d.text, gold=(*d.gold, Gold(("one more",)))) for d in other]
    return {
        name: named(made(folder, name, documents, ranking), f"run-{name}")
        for name, documents, ranking in (
            ("a", first, "frequency"),
            ("b", first, "length"),
            ("few", first[:7], "frequency"),
            ("other", changed, "frequency"),
        )
    } | {"more": named(run(folder / "more", MORE, first).folder, "run-more")}


@pytest.mark.slow
def test_runs_are_grouped_by_their_documents(runs: dict[str, Path]) -> None:
    """Fewer documents of a corpus are the same data; others with the same ids are not."""
    groups = by_data([runs[name] for name in ("a", "other", "b", "few")])
    assert {name: [one.name for one in group] for name, group in groups.items()} == {
        "a": ["run-a", "run-b", "run-few"],
        "other": ["run-other"],
    }


@pytest.mark.slow
def test_other_data_make_columns_side_by_side(runs: dict[str, Path]) -> None:
    """No best over both: each data set has its own."""
    found = across("both", by_data([runs["a"], runs["other"]]))
    assert list(found.datasets) == ["a", "other"] and found.systems == ("often", "early")
    bests = {
        d: [s for s in found.systems if found.point("r_precision/exact", s, d).best] for d in found.datasets
    }
    assert all(bests.values())


@pytest.mark.slow
def test_several_runs_over_the_same_data_have_one_best(runs: dict[str, Path]) -> None:
    """Marks are against the best of all runs, not against that of each: exactly one system is that."""
    found = across("both", by_data([runs["a"], runs["b"], runs["other"]]))
    column = "r_precision/exact"
    points = {s: found.point(column, s, "a") for s in found.systems}
    known = {s: p for s, p in points.items() if p.value is not None}
    assert len(known) == 4
    assert all(p.best == (p.value == max(q.value or 0 for q in known.values())) for p in known.values())
    sample = sample_of([FinishedRun(runs[name], name=f"run-{name}") for name in ("a", "b")], column)
    verdicts = against_best(sample)
    for system, point in known.items():
        verdict = verdicts[system]
        assert point.close == (verdict.p is not None and not verdict.significant and not point.best)


@pytest.mark.slow
def test_cells_are_compared_with_themselves_before(runs: dict[str, Path]) -> None:
    """The second run against the first; what did not change has no difference."""
    found = same_cells([runs["a"], runs["b"]], columns=["r_precision/exact"])
    (contrasts,) = found.values()
    assert [(c.baseline, c.system) for c in contrasts] == [
        ("run-a/often", "run-b/often"),
        ("run-a/early", "run-b/early"),
    ]
    often, early = contrasts
    assert early.difference == 0 and early.p == 1
    assert often.difference == pytest.approx(often.score - often.baseline_score) and often.difference != 0
    (sheet,) = same_cells_sheets(found, Procedure())
    assert [row.label for row in sheet.rows] == ["often", "early"] and "before: run-a" in sheet.notes[0]


@pytest.mark.slow
def test_cells_of_one_side_are_told(runs: dict[str, Path], caplog: pytest.LogCaptureFixture) -> None:
    """Once, however many columns there are; the cells of both are compared."""
    found = same_cells([runs["a"], runs["more"]])
    assert len(found) > 1
    assert {tuple(one.system for one in contrasts) for contrasts in found.values()} == {("run-more/often",)}
    assert caplog.messages == [
        "run-a: not in run-more, and not compared: early",
        "run-more: not in run-a, and not compared: long",
    ]


@pytest.mark.slow
def test_runs_over_other_data_have_no_cells_in_common(runs: dict[str, Path]) -> None:
    """It is said, and nothing is compared by equal ids."""
    with pytest.raises(DataError, match="over different documents"):
        same_cells([runs["a"], runs["other"]])
    with pytest.raises(DataError, match="needs two runs"):
        same_cells([runs["a"]])
