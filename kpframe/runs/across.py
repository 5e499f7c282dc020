"""Systems over many data sets: values side by side, ranks, means, and tests inside each data set.

Documents of different data sets are never paired, and no score is computed over several: whatever is said
of all data sets together is made of what is said of each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import fsum
from typing import Any

from kpframe.errors import DataError
from kpframe.evaluation.comparison_column import Column, Procedure
from kpframe.evaluation.comparison_sample import Sample
from kpframe.model.summary import Cell
from kpframe.runs.across_printed import PrintedAcross, printed_across
from kpframe.runs.beside import read_claims
from kpframe.runs.finished import FinishedRun
from kpframe.runs.side_by_side import unequal_recipes
from kpframe.statistics.significance import correct

__all__ = ["Across", "ClaimAcross", "Contest", "Point", "Standing", "across"]

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Point:
    """The score of a system on a data set; `close`: tested there, and not worse than the best of it."""

    value: float | None
    documents: int = 0
    reference: float | None = None
    best: bool = False
    close: bool = False


@dataclass(frozen=True, slots=True)
class Contest:
    """A system against the leader on one data set: the difference, and its p corrected over all contests."""

    system: str
    dataset: str
    difference: float
    p: float
    corrected_p: float = 1.0

    @property
    def outcome(self) -> str:
        """`won` or `lost` where the difference is significant, else `tied`."""
        if self.corrected_p > LEVEL:
            return "tied"
        return "won" if self.difference > 0 else "lost"


@dataclass(frozen=True, slots=True)
class Standing:
    """A system over all data sets in one column, and how it stands to the `leader`.

    `mean` is the macro mean and `ranks` the ranks by data set (equal values share the mean of theirs); both
    are None and empty for a system that has no value somewhere.
    """

    system: str
    mean: float | None
    ranks: tuple[float, ...]
    won: int
    tied: int
    lost: int

    @property
    def mean_rank(self) -> float | None:
        """The mean of the ranks."""
        return fsum(self.ranks) / len(self.ranks) if self.ranks else None


@dataclass(frozen=True, slots=True)
class ClaimAcross:
    """A claim and whether it holds, by data set (None: it could not be decided there)."""

    says: str
    holds: Mapping[str, bool | None]


@dataclass(frozen=True)
class Across:
    """Several data sets side by side.

    `points` has the scores by column, system and data set; a system that a data set does not have has none.
    `compared` are the columns whose values compete. `contests` are by column; `leaders` the system that all
    others are put to the test against: that of the best mean rank.
    """

    name: str
    datasets: Mapping[str, int]
    """By name the number of evaluated documents."""
    systems: tuple[str, ...]
    columns: tuple[str, ...]
    compared: tuple[str, ...]
    points: Mapping[str, Mapping[str, Mapping[str, Point]]]
    contests: Mapping[str, tuple[Contest, ...]]
    leaders: Mapping[str, str]
    claims: tuple[ClaimAcross, ...] = ()
    reference_source: str = ""
    notes: tuple[str, ...] = ()
    printed: tuple[PrintedAcross, ...] = ()
    """Rows of publications; they compete in nothing."""

    def point(self, column: str, system: str, dataset: str) -> Point:
        """A score; one without a value where there is none."""
        return self.points[column].get(system, {}).get(dataset, Point(None))

    def standings(self, column: str) -> list[Standing]:
        """All systems, in their order."""
        ranks = self._ranks[column]
        counted = {
            name: [c.outcome for c in self.contests[column] if c.system == name] for name in self.systems
        }
        made = []
        for name in self.systems:
            values = [self.point(column, name, dataset).value for dataset in self.datasets]
            known = [value for value in values if value is not None]
            mean = fsum(known) / len(known) if len(known) == len(values) else None
            outcomes = [counted[name].count(outcome) for outcome in ("won", "tied", "lost")]
            made.append(Standing(name, mean, ranks.get(name, ()), *outcomes))
        return made

    @cached_property
    def _ranks(self) -> dict[str, dict[str, tuple[float, ...]]]:
        return {column: _ranks(self.points[column], list(self.datasets)) for column in self.columns}

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        return {
            "name": self.name,
            "datasets": dict(self.datasets),
            "systems": list(self.systems),
            "columns": list(self.columns),
            "compared": list(self.compared),
            "reference_source": self.reference_source,
            "leaders": dict(self.leaders),
            "points": {
                column: {
                    system: {name: _plain(point) for name, point in of.items()}
                    for system, of in found.items()
                }
                for column, found in self.points.items()
            },
            "standings": {
                column: [
                    {**_plain(one), "ranks": list(one.ranks), "mean_rank": one.mean_rank}
                    for one in self.standings(column)
                ]
                for column in self.columns
            },
            "contests": {
                column: [{**_plain(one), "outcome": one.outcome} for one in found]
                for column, found in self.contests.items()
            },
            "claims": [{"says": claim.says, "holds": dict(claim.holds)} for claim in self.claims],
            "printed": [one.to_json() for one in self.printed],
            "notes": list(self.notes),
        }


def _plain(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


def _ranks(
    points: Mapping[str, Mapping[str, Point]], datasets: Sequence[str]
) -> dict[str, tuple[float, ...]]:
    """The ranks, by data set, of the systems that have a value everywhere; 1 is best."""
    values = {
        system: [of[name].value for name in datasets if name in of and of[name].value is not None]
        for system, of in points.items()
    }
    whole = {system: found for system, found in values.items() if len(found) == len(datasets)}
    ranks: dict[str, list[float]] = {system: [] for system in whole}
    for number in range(len(datasets)):
        column = {system: float(found[number] or 0) for system, found in whole.items()}
        for system, value in column.items():
            above = sum(other > value for other in column.values())
            equal = sum(other == value for other in column.values())
            ranks[system].append(above + (equal + 1) / 2)
    return {system: tuple(found) for system, found in ranks.items()}


def across(name: str, runs: Mapping[str, Sequence[FinishedRun]], notes: Sequence[str] = ()) -> Across:
    """Finished runs side by side by data set; several runs over one data set bring their systems together.

    Systems are called by their cells; where a data set has a cell twice, by run and cell. Columns are those
    that all runs have. Raises DataError for runs that share no column or were not evaluated alike.
    """
    every = [run for group in runs.values() for run in group]
    columns = _shared_columns(every)
    named = {dataset: _systems(group) for dataset, group in runs.items()}
    systems = tuple(dict.fromkeys(system for found in named.values() for system in found))
    samples = {
        dataset: {column: _sample(found, column) for column in columns} for dataset, found in named.items()
    }
    compared = tuple(c for c in columns if every[0].columns.recipes[c][0].compared)
    points = {
        column: {
            system: {
                dataset: _point(samples[dataset][column], system, *found[system], column)
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
        tuple(notes),
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


def _systems(runs: Sequence[FinishedRun]) -> dict[str, tuple[FinishedRun, str]]:
    """What the cells of the runs over one data set are called."""
    often = [cell for run in runs for cell in run.cells]
    return {
        (cell if often.count(cell) == 1 else f"{run.name}/{cell}"): (run, cell)
        for run in runs
        for cell in run.cells
    }


def _sample(systems: Mapping[str, tuple[FinishedRun, str]], column: str) -> Sample:
    run = next(iter(systems.values()))[0]
    lost = frozenset().union(*(one.failed() for one, _ in systems.values()))
    tallies = {
        name: {id: tally for id, tally in one.columns.tallies[column].get(cell, {}).items() if id not in lost}
        for name, (one, cell) in systems.items()
    }
    return Sample.of_tallies(column, run.columns.recipes[column][0], tallies)


def _point(sample: Sample, system: str, run: FinishedRun, cell: str, column: str) -> Point:
    number = sample.systems.index(system)
    summed: Cell | None = run.summary.find(cell) if run.summary else None
    reference = summed.reference.get(column) if summed else None
    p = summed.p_values.get(column) if summed else None
    scores = [sample.score(n) for n in range(len(sample.systems))]
    known = [score for score in scores if score is not None]
    value = scores[number]
    best = value is not None and len(known) > 1 and value == max(known)
    close = p is not None and p > LEVEL and not best
    return Point(value, int(sample.counted[:, number].sum()), reference, best, close)


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
