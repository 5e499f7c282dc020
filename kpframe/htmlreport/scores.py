"""Scores of all systems with intervals and tests, document by document, and beside published values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kpframe.engine.identity import digest
from kpframe.evaluation.against_best import against_best
from kpframe.evaluation.comparison_sample import Sample
from kpframe.evaluation.comparison_values import Verdict
from kpframe.evaluation.tallies import signature
from kpframe.htmlreport.intervals import score_intervals
from kpframe.htmlreport.source import Source
from kpframe.model.natural_order import natural_key
from kpframe.statistics.rank_correlation import rank_correlation
from kpframe.statistics.significance import DRAWS, SEED

__all__ = [
    "LEVEL",
    "PERMUTATIONS",
    "SEED",
    "agreement",
    "columns",
    "method",
    "per_document",
    "samples",
    "signatures",
    "systems",
]

LEVEL = 0.05
PERMUTATIONS = DRAWS

Samples = Mapping[str, Sample]
"""By column, documents × systems."""


def samples(source: Source) -> dict[str, Sample]:
    """What was counted, column by column, without the documents that failed anywhere in their run."""
    found = {}
    for column in source.columns:
        tallies = {name: known for run in source.runs for name, known in run.tallies(column).items()}
        found[column] = Sample.of_tallies(column, source.metric(column), tallies)
    return found


def columns(source: Source) -> list[dict[str, Any]]:
    """Each column with what was computed in it."""
    rows = []
    for column in source.columns:
        measure = source.runs[0].spec.measures[column]
        recipe = signature(measure.metric, measure.matching, 0).split("|")
        rows.append(
            {
                "name": column,
                "metric": measure.name,
                "matching": measure.group,
                "label": source.labels[column],
                "signature": "|".join(p for p in recipe if not p.startswith(("docs:", "spec:"))),
                "bounded": measure.metric.bounded,
                "needs_gold": measure.metric.needs_gold,
                "average": measure.metric.average,
            }
        )
    return rows


def systems(source: Source, found: Samples, counts: Mapping[str, tuple[int, int]]) -> list[dict[str, Any]]:
    """Each system with its scores in all columns; best and significance within the column.

    `counts` are the numbers of documents and keyphrases by system.
    """
    verdicts = {
        column: against_best(sample, permutations=PERMUTATIONS, level=LEVEL, seed=SEED)
        for column, sample in found.items()
    }
    intervals = {
        column: score_intervals(
            sample, level=1 - LEVEL, seed=SEED, bounds=(0.0, 1.0) if source.metric(column).bounded else None
        )
        for column, sample in found.items()
    }
    rows = []
    for run, cell, name in source.cells():
        reference = run.reference(cell)
        scores = {
            column: {
                **_score(sample, name),
                "low": intervals[column][name][0],
                "high": intervals[column][name][1],
                "reference": reference.get(column),
                **_verdict(verdicts[column][name]),
            }
            for column, sample in found.items()
        }
        rows.append(
            {
                "name": name,
                "run": run.name,
                "cell": cell,
                "axes": run.axes(cell),
                "documents": counts[name][0],
                "keyphrases": counts[name][1],
                "scores": scores,
            }
        )
    return rows


def _score(sample: Sample, name: str) -> dict[str, Any]:
    number = sample.systems.index(name)
    counted = int(sample.counted[:, number].sum())
    return {
        "value": sample.score(number),
        "documents": counted,
        "skipped": int(sample.known[:, number].sum()) - counted,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    tested = verdict.p is not None
    return {
        "best": verdict.best,
        "significant_vs_best": verdict.significant if tested else None,
        "p": verdict.p,
        "corrected_p": verdict.corrected_p,
    }


def signatures(source: Source, found: Samples) -> dict[str, dict[str, str]]:
    """By system and column the whole recipe of a score."""
    made: dict[str, dict[str, str]] = {}
    for run, cell, name in source.cells():
        recipe = digest(run.configurations[cell].to_spec())
        made[name] = {
            column: signature(
                run.spec.measures[column].metric,
                run.spec.measures[column].matching,
                _score(sample, name)["documents"],
                spec=recipe,
            )
            for column, sample in found.items()
        }
    return made


def per_document(source: Source, found: Samples) -> dict[str, Any]:
    """The value of every document in every column, four digits, in the natural order of ids."""
    first = next(iter(found.values()))
    order = sorted(range(len(first.ids)), key=lambda row: natural_key(first.ids[row]))
    ids = [first.ids[row] for row in order]
    known = {id: document for run in reversed(source.runs) for id, document in run.documents.items()}
    values: dict[str, dict[str, list[float | None]]] = {name: {} for name in first.systems}
    for column, sample in found.items():
        for number, name in enumerate(sample.systems):
            rows = sample.values[:, number].tolist()
            values[name][column] = [None if math.isnan(rows[row]) else round(rows[row], 4) for row in order]
    return {
        "ids": ids,
        "length": [len(known[id].text.split()) if id in known else None for id in ids],
        "gold": [len(known[id].gold) if id in known else None for id in ids],
        "values": values,
    }


def agreement(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How near the scores come to the published ones, in each column that has some."""
    made = []
    for column in columns:
        pairs = list(_pairs(rows, column))
        if pairs:
            differences = [ours - theirs for ours, theirs in pairs]
            made.append(
                {
                    "column": column,
                    "systems": len(pairs),
                    "mean_difference": math.fsum(differences) / len(pairs),
                    "mean_absolute_difference": math.fsum(map(abs, differences)) / len(pairs),
                    "spearman": rank_correlation(pairs),
                }
            )
    return made


def _pairs(rows: Sequence[Mapping[str, Any]], column: str) -> Iterator[tuple[float, float]]:
    for row in rows:
        score = row["scores"][column]
        if score["value"] is not None and score["reference"] is not None:
            yield score["value"], score["reference"]


def method() -> dict[str, Any]:
    """How differences were tested and intervals made, for readers."""
    return {
        "test": f"Fisher's randomisation test, two-sided, {PERMUTATIONS:,} permutations, seed {SEED}, each "
        "system against the best of the column",
        "correction": "holm",
        "level": LEVEL,
        "interval": f"{100 * (1 - LEVEL):.0f} % of the score over documents (t distribution for means, else "
        "bootstrap)",
    }
