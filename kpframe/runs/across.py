"""Finished runs over many data sets side by side: their points, and tests inside each data set."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kpframe.errors import DataError
from kpframe.evaluation.against_best import against_best
from kpframe.evaluation.comparison_column import Column, Procedure
from kpframe.evaluation.comparison_sample import Sample
from kpframe.evaluation.comparison_values import Verdict
from kpframe.model.summary import Cell
from kpframe.runs.across_printed import printed_across
from kpframe.runs.across_values import LEVEL, Across, ClaimAcross, Contest, Point
from kpframe.runs.beside import read_claims
from kpframe.runs.finished import FinishedRun
from kpframe.runs.side_by_side import unequal_recipes
from kpframe.statistics.significance import correct

__all__ = ["across"]


def across(name: str, runs: Mapping[str, Sequence[FinishedRun]], notes: Sequence[str] = ()) -> Across:
    """Finished runs side by side by data set; several runs over one data set bring their systems together.

    Systems are called by their cells; where a data set has a cell twice, by run and cell. Columns are those
    that all runs have. Raises DataError for runs that share no column or were not evaluated alike.
    """
    every = [run for group in runs.values() for run in group]
    columns = _shared_columns(every)
    named = {dataset: _systems(group) for dataset, group in runs.items()}
    systems = tuple(dict.fromkeys(system for found in named.values() for system in found))
    lost = {dataset: frozenset().union(*map(_lost, group)) for dataset, group in runs.items()}
    samples = {
        dataset: {column: _sample(found, column, lost[dataset]) for column in columns}
        for dataset, found in named.items()
    }
    compared = tuple(c for c in columns if every[0].columns.recipes[c][0].compared)
    # Tested here, not read from summaries: a run may have none, and several runs have one best system.
    verdicts = {
        (dataset, column): against_best(samples[dataset][column], level=LEVEL)
        for dataset in named
        for column in compared
    }
    points = {
        column: {
            system: {
                dataset: _point(
                    samples[dataset][column], system, *found[system], verdicts.get((dataset, column))
                )
                for dataset, found in named.items()
                if system in found
            }
            for system in systems
        }
        for column in columns
    }
    sources = dict.fromkeys(run.summary.reference_source for run in every if run.summary)
    made = Across(
        name,
        {dataset: len(samples[dataset][columns[0]].ids) for dataset in runs},
        systems,
        columns,
        compared,
        points,
        dict.fromkeys(columns, ()),
        {},
        tuple(_claims(runs)),
        ", ".join(filter(None, sources)),
        (*notes, *_unsaid(runs)),
        printed_across(runs, columns),
    )
    return _contested(made, samples)


def _shared_columns(runs: Sequence[FinishedRun]) -> tuple[str, ...]:
    if not runs:
        raise DataError.at("data sets", "none is finished", "let the run end first")
    own = [list(run.columns.recipes) for run in runs]
    shared = [column for column in own[0] if all(column in names for names in own)]
    if not shared:
        names = ", ".join(run.name for run in runs)
        raise DataError.at(names, "share no column", "evaluate them by the same metrics and matchings")
    for column in shared:
        # Each data set may be in a language of its own, whose stems and plurals its matching goes by.
        unequal = unequal_recipes(runs, column, apart_from=("lang",))
        if unequal:
            raise unequal
    return tuple(shared)


def _unsaid(runs: Mapping[str, Sequence[FinishedRun]]) -> Iterator[str]:
    """What cannot be shown of runs, as not all of their files are there."""
    for dataset, group in runs.items():
        for run in group:
            if run.unsaid:
                yield f"{dataset if len(group) == 1 else run.name}: {run.unsaid}"


def _systems(runs: Sequence[FinishedRun]) -> dict[str, tuple[FinishedRun, str]]:
    """What the cells of the runs over one data set are called."""
    often = [cell for run in runs for cell in run.cells]
    return {
        (cell if often.count(cell) == 1 else f"{run.name}/{cell}"): (run, cell)
        for run in runs
        for cell in run.cells
    }


def _sample(systems: Mapping[str, tuple[FinishedRun, str]], column: str, lost: Collection[str]) -> Sample:
    run = next(iter(systems.values()))[0]
    tallies = {
        name: {id: tally for id, tally in one.columns.tallies[column].get(cell, {}).items() if id not in lost}
        for name, (one, cell) in systems.items()
    }
    return Sample.of_tallies(column, run.columns.recipes[column][0], tallies)


def _lost(run: FinishedRun) -> set[str]:
    """The documents that are in no average of a run."""
    return run.failed() | {failure.id for failure in run.unlearned(run.every_cell)}


def _point(
    sample: Sample, system: str, run: FinishedRun, cell: str, verdicts: Mapping[str, Verdict] | None
) -> Point:
    """`verdicts` are None where values do not compete."""
    number = sample.systems.index(system)
    summed: Cell | None = run.summary.find(cell) if run.summary else None
    reference = summed.reference.get(sample.column) if summed else None
    scores = [sample.score(n) for n in range(len(sample.systems))]
    known = [score for score in scores if score is not None]
    value = scores[number]
    documents = int(sample.counted[:, number].sum())
    if verdicts is None or value is None or len(known) < 2:
        return Point(value, documents, reference)
    best = value == max(known)
    verdict = verdicts[system]
    close = verdict.p is not None and not verdict.significant and not best
    return Point(value, documents, reference, best, close)


def _claims(runs: Mapping[str, Sequence[FinishedRun]]) -> list[ClaimAcross]:
    found: dict[str, dict[str, bool | None]] = {}
    for dataset, group in runs.items():
        for run in group:
            for claim in read_claims(run.path):
                found.setdefault(claim["says"], {})[dataset] = claim["holds"]
    return [ClaimAcross(says, holds) for says, holds in found.items()]


def _contested(made: Across, samples: Mapping[str, Mapping[str, Sample]]) -> Across:
    """With all systems put to the test against the leader, data set by data set; Holm over all."""
    contests: dict[str, tuple[Contest, ...]] = {}
    leaders: dict[str, str] = {}
    for column in made.columns:
        contests[column] = ()
        whole = [one for one in made.standings(column) if one.mean_rank is not None]
        if column not in made.compared or len(whole) < 2:
            continue
        leader = min(whole, key=lambda one: (one.mean_rank or 0, -(one.mean or 0))).system
        leaders[column] = leader
        raw = [
            Contest(contrast.system, dataset, contrast.difference, contrast.p)
            for dataset, found in samples.items()
            for contrast in _contrasts(found[column], leader)
        ]
        corrected = correct([one.p for one in raw], "holm")
        contests[column] = tuple(
            Contest(one.system, one.dataset, one.difference, one.p, p)
            for one, p in zip(raw, corrected, strict=True)
        )
    return replace(made, contests=contests, leaders=leaders)


def _contrasts(sample: Sample, leader: str) -> Sequence[Any]:
    column = Column(sample, Procedure(correction="none"))
    if len(column.ranked) < 2 or leader not in sample.systems:
        return ()
    return column.comparison("given", (leader,), ()).contrasts
