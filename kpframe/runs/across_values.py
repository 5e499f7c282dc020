"""What is known of systems over many data sets, as values: points, contests, standings.

Documents of different data sets are never paired, and no score is computed over several: whatever is said
of all data sets together is made of what is said of each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any

from kpframe.runs.across_printed import PrintedAcross

__all__ = ["LEVEL", "Across", "ClaimAcross", "Contest", "Point", "Standing"]

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Point:
    """The score of a system on a data set; `close`: tested there, and not worse than the best of it.

    The test is that of the data set alone, corrected over its own systems; a `Contest` is another.
    """

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
