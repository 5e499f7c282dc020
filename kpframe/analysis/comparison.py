"""Systems compared on the same documents, column by column: who is better, by how much, how surely."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from os import PathLike

from kpframe.errors import DataError, SpecError, suggestion
from kpframe.evaluation.comparison_column import Column, Procedure
from kpframe.evaluation.comparison_sample import Sample
from kpframe.evaluation.comparison_values import Choice, Comparison, Contrast, Omissions, Test, Verdict
from kpframe.runs.finished import FinishedRun
from kpframe.runs.side_by_side import named_runs, unequal_recipes
from kpframe.statistics.significance import DRAWS, MEAN, SEED, Correction, Zeros

__all__ = [
    "Comparison",
    "Contrast",
    "Omissions",
    "Sample",
    "Test",
    "Verdict",
    "columns_of",
    "compare",
    "sample_of",
]

log = logging.getLogger("kpframe")

_NAMED = 5
"""So many columns that are left out are named."""


def compare(
    runs: Sequence[str | PathLike[str]] = (),
    *,
    scores: Mapping[str, Mapping[str, float | None]] | None = None,
    columns: Sequence[str] = (),
    baselines: Sequence[str] = (),
    all_pairs: bool = False,
    test: Test = "randomisation",
    permutations: int = DRAWS,
    correction: Correction = "holm",
    level: float = 0.05,
    seed: int = SEED,
    zeros: Zeros = "pratt",
) -> list[Comparison]:
    """Compare the systems of finished runs, or of your own scores, document by document.

    `runs` are folders that `kpframe run` wrote; their cells are the systems, called `run/cell` if there
    are several runs. `scores` has further systems: name → document id → value (None: does not count);
    beside runs it needs the one column that the values belong to. `columns` are as
    `r_precision/exact` (default: all that the runs share). Documents are paired by id.

    Without `baselines` every system is compared to the *best of the column*. That answers "is the
    winner's lead real?", but the winner was chosen by the same data, so that its lead is too large on
    average and p too small, the more so the more systems there are. Name the baselines where they are
    known beforehand, or compare `all_pairs`. The `correction` is over all contrasts of a column.
    `zeros` is for Wilcoxon's test; `permutations` and `seed` are for the two tests that draw.

    Raises DataError for runs that cannot be compared and SpecError for a request that makes no sense.
    """
    plan = Procedure(test, permutations, correction, level, seed, zeros)
    if baselines and all_pairs:
        raise SpecError.at(
            "baselines", "have no effect where all pairs are compared", "leave one of both out"
        )
    finished = named_runs(runs)
    unfinished = tuple(_called(run, cell, finished) for run in finished for cell in run.unfinished)
    choice: Choice = "all pairs" if all_pairs else "given" if baselines else "best"
    return [
        Column(sample, plan).comparison(choice, baselines, unfinished)
        for sample in _samples(finished, scores or {}, columns)
    ]


def _samples(
    runs: Sequence[FinishedRun], scores: Mapping[str, Mapping[str, float | None]], columns: Sequence[str]
) -> Iterator[Sample]:
    if not runs:
        if not scores:
            raise DataError.at("compare", "there is nothing to compare", "give runs or scores")
        if len(columns) > 1:
            raise SpecError.at("columns", "name more than the one that scores have", "give one name or none")
        yield Sample.of_scores(scores, *columns)
        return
    wanted = columns_of(runs, columns)
    if scores and len(wanted) != 1:
        problem = f"must name the one that the scores belong to, of: {', '.join(wanted)}"
        raise SpecError.at("columns", problem, "give one column")
    for column in wanted:
        sample = sample_of(runs, column)
        yield _with_scores(sample, scores) if scores else sample


def columns_of(runs: Sequence[FinishedRun], asked: Sequence[str]) -> list[str]:
    """The columns that are asked for, or all that runs share whose values compete."""
    wanted = [c for c in _columns(runs, asked) if asked or runs[0].columns.recipes[c][0].compared]
    if not wanted:
        raise SpecError.at("columns", "in none of them is a higher value a better one", "name the columns")
    return wanted


def sample_of(runs: Sequence[FinishedRun], column: str) -> Sample:
    """The documents of all cells of runs in one column; DataError if they were not evaluated alike."""
    unequal = unequal_recipes(runs, column)
    if unequal:
        raise unequal
    metric, _ = runs[0].columns.recipes[column]
    tallies = {
        _called(run, cell, runs): documents
        for run in runs
        for cell, documents in run.columns.tallies[column].items()
    }
    return Sample.of_tallies(column, metric, tallies)


def _columns(runs: Sequence[FinishedRun], asked: Sequence[str]) -> list[str]:
    """The columns to compare: those asked for, or all that every run has."""
    recipes = [run.columns.recipes for run in runs]
    shared = [column for column in recipes[0] if all(column in own for own in recipes)]
    if not shared:
        if len(runs) == 1:
            raise DataError.at(runs[0].name, "has no document with a result", "look at its failures")
        names = ", ".join(run.name for run in runs)
        raise DataError.at(names, "share no column", "evaluate them by the same metrics and matchings")
    for column in asked:
        if column not in shared:
            lacking = next(run.name for run in runs if column not in run.columns.recipes)
            hint = suggestion(column, shared)
            raise SpecError.at(f"column {column!r}", f"{lacking} has none of this name", hint)
    if asked:
        return list(dict.fromkeys(asked))
    others = dict.fromkeys(column for run in runs for column in run.columns.recipes if column not in shared)
    if others:
        named = ", ".join(islice(others, _NAMED)) + (", …" if len(others) > _NAMED else "")
        log.warning("not in every run, and not compared: %s", named)
    return shared


def _with_scores(sample: Sample, scores: Mapping[str, Mapping[str, float | None]]) -> Sample:
    if sample.aggregate is not MEAN:
        problem = "is no mean over documents, so that scores of documents cannot stand beside it"
        raise SpecError.at(sample.column, problem, "choose another column")
    twice = [system for system in scores if system in sample.systems]
    if twice:
        raise SpecError.at(f"scores: {twice[0]}", "is the name of a system of the runs, too", "rename it")
    return sample.beside(Sample.of_scores(scores, sample.column))


def _called(run: FinishedRun, cell: str, runs: Sequence[FinishedRun]) -> str:
    return f"{run.name}/{cell}" if len(runs) > 1 else cell
