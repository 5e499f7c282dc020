"""Predictions of other programs are systems of a run like any other."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from engine_runs import lines, run

import kpframe
from kpframe import Document, Gold
from kpframe.errors import DataError, SpecError
from kpframe.integrations import write_run
from kpframe.runs.finished import FinishedRun

SPEC = """
name: foreign
documents: {{kind: jsonl, path: corpus.jsonl}}
preprocessing: [simple]
systems:
  mine: {{predictions: {predictions}}}
  own: {{candidates: tokens, ranking: frequency}}
metrics: [r_precision, f1@2, ece]
reports: [json]
"""

TEXTS = {
    "d1": "Dock workers strike. The dock workers want wages.",
    "d2": "The ferry sank, and a ferry inquiry begins.",
    "d3": "Wages rose.",
}
GOLD = {"d1": ["dock workers", "labour law"], "d2": ["ferry"], "d3": ["wages"]}

Pairs = Sequence[Any]


def documents() -> list[Document]:
    """Three short texts; "labour law" does not stand in its own."""
    return [Document(id, text, gold=tuple(Gold((g,)) for g in GOLD[id])) for id, text in TEXTS.items()]


def made(
    folder: Path, predicted: Mapping[str, Pairs], predictions: str = "mine.jsonl", spec: str = SPEC
) -> Any:
    """A run over the three texts with what `predicted` says."""
    folder.mkdir(exist_ok=True)
    rows = [json.dumps({"id": id, "predicted": phrases}) + "\n" for id, phrases in predicted.items()]
    (folder / "mine.jsonl").write_text("".join(rows), encoding="utf-8")
    return run(folder, spec.format(predictions=predictions), documents())


WHOLE = {"d1": ["Dock Workers", "collective bargaining"], "d2": ["inquiry", "ferry"], "d3": ["wage"]}


def test_they_stand_in_the_table_as_scored_from_outside(tmp_path: Path) -> None:
    """The same values, over the same documents, as `kpframe.score` gives for the file."""
    found = made(tmp_path, WHOLE)
    scores = kpframe.score(documents(), tmp_path / "mine.jsonl", metrics=["r_precision", "f1@2"])
    cell = found.summary.cell("mine")
    for score in scores:
        assert cell.value(f"{score.metric}/{score.matching}") == score.value
    assert found.summary.value("mine", "r_precision/exact") == pytest.approx((1 + 0 + 0) / 3)
    assert found.summary.cell("own").documents == cell.documents == 3


@pytest.mark.slow
def test_a_folder_of_uima_files_is_a_system(tmp_path: Path) -> None:
    """With the same scores as the file of lines; a folder of anything else is no place for predictions."""
    pytest.importorskip("cassis", reason="needs dkpro-cassis (pip install 'kpframe[cas]')")
    lines_run = made(tmp_path, WHOLE)
    write_run(tmp_path / "out", tmp_path / "cas", cells=["mine"])
    found = made(tmp_path / "again", {}, "{path: ../cas, under: mine}")
    measures = [column for column in lines_run.summary.columns if not column.startswith("ece")]
    for column in measures:
        assert found.summary.value("mine", column) == lines_run.summary.value("mine", column)
    (tmp_path / "empty").mkdir()
    with pytest.raises(SpecError, match=r"is a folder without \.xmi or \.json files"):
        made(tmp_path / "third", {}, "../empty")


def test_phrases_have_their_places_and_those_not_in_the_text_none(tmp_path: Path) -> None:
    """Case does not matter for places; the phrase stays as it was given."""
    made(tmp_path, WHOLE)
    first, second = lines(tmp_path / "out", "mine")["d1"]["keyphrases"]
    assert first["text"] == "Dock Workers"
    assert [TEXTS["d1"][b:e] for b, e in first["spans"]] == ["Dock workers", "dock workers"]
    assert second["text"] == "collective bargaining" and second["spans"] == []


def test_repeated_phrases_stay_as_they_are(tmp_path: Path) -> None:
    """What a repetition costs is the matching's business, as in `kpframe score`."""
    found = made(tmp_path, {**WHOLE, "d2": ["ferry", "ferry", "Ferry"]})
    assert [k["text"] for k in lines(tmp_path / "out", "mine")["d2"]["keyphrases"]] == [
        "ferry",
        "ferry",
        "Ferry",
    ]
    assert found.summary.value("mine", "r_precision/exact") == pytest.approx(2 / 3)


def test_missing_documents_are_refused_unless_it_is_said_what_they_are(tmp_path: Path) -> None:
    """Refused with names and number; empty lists; or no document for any system. All are told."""
    some = {id: phrases for id, phrases in WHOLE.items() if id != "d1"}
    with pytest.raises(DataError, match="no prediction for 1 of 3 documents: 'd1'"):
        made(tmp_path / "refused", some)
    empty = made(tmp_path / "empty", some, "{path: mine.jsonl, missing: empty}")
    assert empty.summary.cell("mine").documents == 3
    assert "mine: no prediction for 1 of 3 documents (nothing was predicted for them)" in empty.summary.notes
    skip = made(tmp_path / "skip", some, "{path: mine.jsonl, missing: skip}")
    assert {cell.documents for cell in skip.summary.cells} == {2}
    assert any("evaluated for no system" in note for note in skip.summary.notes)


def test_predictions_of_other_documents_are_counted_and_a_file_of_another_corpus_is_refused(
    tmp_path: Path,
) -> None:
    """Every score would be 0 for the wrong reason."""
    more = made(tmp_path / "more", {**WHOLE, "d9": ["a"], "d8": ["b"]})
    assert any("mine: 2 predictions are of no document" in note for note in more.summary.notes)
    with pytest.raises(DataError, match="has no evaluated document"):
        made(tmp_path / "other", {"x": ["a"]}, "{path: mine.jsonl, missing: empty}")


def test_another_content_of_the_file_is_computed_anew_and_no_other_cell(tmp_path: Path) -> None:
    """The file counts by what it holds; the computed system keeps its cell."""
    made(tmp_path, WHOLE)
    before = {n: (tmp_path / "out" / "cells" / n / "cell.json").stat().st_mtime_ns for n in ("mine", "own")}
    found = made(tmp_path, {**WHOLE, "d3": ["wages"]})
    after = {n: (tmp_path / "out" / "cells" / n / "cell.json").stat().st_mtime_ns for n in ("mine", "own")}
    assert found.summary.value("mine", "r_precision/exact") == pytest.approx(2 / 3)
    assert after["own"] == before["own"] and after["mine"] != before["mine"]


def test_confidences_are_read_as_probabilities_and_ranks_are_not(tmp_path: Path) -> None:
    """One phrase of confidence .9 that hits in each document: the error is .1; without scores, none."""
    sure = {id: [{"text": gold[0], "score": 0.9}] for id, gold in GOLD.items()}
    assert made(tmp_path / "sure", sure).summary.value("mine", "ece@10/exact") == pytest.approx(0.1)
    assert made(tmp_path / "bare", WHOLE).summary.value("mine", "ece@10/exact") is None


def test_steps_are_applied_only_where_they_are_asked_for(tmp_path: Path) -> None:
    """Those of the spec are for the others; a system may have its own, for phrases in the text or not."""
    shared = SPEC + "postprocessing: [{{kind: top, number: 1}}]\n"
    made(tmp_path / "shared", WHOLE, spec=shared)
    assert len(lines(tmp_path / "shared" / "out", "mine")["d1"]["keyphrases"]) == 2
    own = SPEC.replace(
        "{{predictions: {predictions}}}",
        "{{predictions: {predictions}, postprocessing: [{{kind: stopwords, lists: [en]}}]}}",
    )
    made(tmp_path / "own", {**WHOLE, "d1": ["the dock workers", "of the bargaining"]}, spec=own)
    assert [k["text"] for k in lines(tmp_path / "own" / "out", "mine")["d1"]["keyphrases"]] == [
        "dock workers",
        "bargaining",
    ]


def test_a_finished_run_needs_the_file_no_more(tmp_path: Path) -> None:
    """Its reader builds the spec of a run whose predictions were moved away."""
    found = made(tmp_path, WHOLE)
    (tmp_path / "mine.jsonl").unlink()
    assert [one.name for one in FinishedRun(found.folder).spec.configurations] == ["mine", "own"]


@pytest.mark.parametrize(
    ("system", "told"),
    [
        ("{predictions: nowhere.jsonl}", "there is no file"),
        ("{predictions: {missing: empty}}", "path: is missing"),
        ("{predictions: {path: mine.jsonl, mising: empty}}", "did you mean 'missing'"),
        ("{predictions: mine.jsonl, ranking: tfidf}", "ranking: has no effect beside predictions"),
        ("{predictions: [mine.jsonl]}", "must name a file"),
        ("{predictions: mine.jsonl, postprocessing: [{kind: nothing}]}", "nothing"),
    ],
)
def test_mistakes_are_told_before_any_text_is_read(tmp_path: Path, system: str, told: str) -> None:
    """With the place, as for every system."""
    doubled = system.replace("{", "{{").replace("}", "}}")
    with pytest.raises(SpecError) as error:
        made(tmp_path, WHOLE, spec=SPEC.replace("{{predictions: {predictions}}}", doubled))
    assert told in str(error.value) and "systems.mine" in str(error.value)


@pytest.mark.slow
def test_workers_and_a_second_run_leave_the_same_bytes(tmp_path: Path) -> None:
    """Predictions reach other processes as documents do."""
    one = made(tmp_path, WHOLE)
    bytes_of = [path.read_bytes() for path in sorted(one.folder.glob("cells/*/*.jsonl"))]
    two = run(tmp_path, SPEC.format(predictions="mine.jsonl"), documents(), out=tmp_path / "two", workers=2)
    assert [path.read_bytes() for path in sorted(two.folder.glob("cells/*/*.jsonl"))] == bytes_of


def test_marks_of_sentences_at_phrases_are_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the gold, and of each system of predictions."""
    monkeypatch.setitem(GOLD, "d3", ["wages."])
    with caplog.at_level("WARNING", "kpframe"):
        made(tmp_path, {**WHOLE, "d2": ["inquiry;", "ferry,"]})
    told = [record.getMessage() for record in caplog.records if "mark of a sentence" in record.getMessage()]
    assert [line.partition(" with")[0] for line in told] == [
        "gold: 1 of 4 phrases begins or ends",
        "mine: 2 of 5 phrases begin or end",
    ]
