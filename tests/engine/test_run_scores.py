"""The numbers of a run are those of its own files, scored from outside."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest
from engine_runs import GRID, corpus, demonstration, lines, run

import kpframe
from kpframe.engine.experiment import Run
from kpframe.evaluation.predictions import Pair, read_predictions
from kpframe.evaluation.scoring import chosen_measures, score_measures
from kpframe.stages.registry import kinds

pytestmark = pytest.mark.slow

METRICS = ["r_precision", "precision@5", "recall@10", "f1@10", "max_recall"]
MATCHINGS = [kind for kind in kinds("matching") if kind != "union"]
EVERY = (
    GRID.replace("[exact, approximate]", json.dumps(MATCHINGS)).replace(
        "[r_precision, precision@5]", json.dumps(METRICS)
    )
    + "save: 100000\n"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All shipped matchings and metrics over the demonstration corpus."""
    return run(tmp_path_factory.mktemp("every"), EVERY, demonstration())


@pytest.mark.acceptance
def test_scoring_the_files_of_a_run_gives_its_summary(made: Run) -> None:
    """Every cell, metric and matching: the same value over the same number of documents."""
    compared = 0
    for cell in made.summary.cells:
        evaluated = set(lines(made.folder, cell.name))
        gold = [document for document in demonstration() if document.id in evaluated]
        file = made.folder / "cells" / cell.name / "keyphrases.jsonl"
        scores = kpframe.score(gold, file, metrics=METRICS, matching=MATCHINGS)
        assert len(scores) == len(cell.scores) == len(METRICS) * len(MATCHINGS)
        for outside, inside in zip(scores, cell.scores, strict=True):
            assert (outside.metric, outside.matching) == (inside.metric, inside.matching)
            assert outside.value == inside.value
            assert (outside.documents, outside.skipped) == (inside.documents, inside.skipped)
            compared += bool(inside.value)
    assert compared > 100


def test_scores_follow_from_pairs(made: Run) -> None:
    """`score_measures` over the predictions of a cell."""
    cell = made.summary.cells[0]
    known = {document.id: document for document in demonstration()}
    file = made.folder / "cells" / cell.name / "keyphrases.jsonl"
    pairs = [Pair(p.id, known[p.id].gold, p.phrases, known[p.id].text) for p in read_predictions(file)]
    measures = chosen_measures(METRICS, MATCHINGS, texts=True)
    assert [s.value for s in score_measures(pairs, measures)] == [s.value for s in cell.scores]


@pytest.mark.acceptance
def test_per_document_values_average_to_the_summary(tmp_path: Path) -> None:
    """per_document.csv holds what the averages are made of."""
    made = run(tmp_path, EVERY.replace("reports: [json]", "reports: [json, csv]"), demonstration())
    with (made.folder / "per_document.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for cell in made.summary.cells:
        own = [row for row in rows if row["cell"] == cell.name]
        assert sum(int(row["predicted"]) for row in own) == cell.keyphrases
        for column in made.summary.columns:
            values = [float(row[column]) for row in own if row[column]]
            assert math.fsum(values) / len(values) == cell.value(column)


def test_more_phrases_than_are_saved_are_still_scored(tmp_path: Path) -> None:
    """`save` cuts the file and says so; the scores are those of all phrases."""
    spec = GRID.replace("reports: [json]", "reports: [json]\nsave: 3")
    made, whole = run(tmp_path, spec, corpus(9)), run(tmp_path / "whole", GRID, corpus(9))
    assert [cell.scores for cell in made.summary.cells] == [cell.scores for cell in whole.summary.cells]
    for name, record in lines(made.folder, "tfidf.tokens").items():
        full = lines(whole.folder, "tfidf.tokens")[name]
        assert record["keyphrases"] == full["keyphrases"][:3]
        assert record["total"] == len(full["keyphrases"])
