"""Rows of publications over many data sets: what each data set's run has of them, side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kpframe.model.summary import Printed
from kpframe.runs.finished import FinishedRun

__all__ = ["PrintedAcross", "printed_across"]


@dataclass(frozen=True, slots=True)
class PrintedAcross:
    """A system with what publications print for it, by data set and column, and where that stands.

    `sources` are several where each data set has its own.
    """

    system: str
    sources: tuple[str, ...]
    values: Mapping[str, Mapping[str, float]]

    def value(self, column: str, dataset: str) -> float | None:
        """What is printed, if anything is."""
        return self.values.get(dataset, {}).get(column)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        values = {dataset: dict(of) for dataset, of in self.values.items()}
        return {"system": self.system, "sources": list(self.sources), "values": values}


@dataclass
class _Row:
    sources: dict[str, None] = field(default_factory=dict)
    values: dict[str, dict[str, float]] = field(default_factory=dict)


def printed_across(
    runs: Mapping[str, Sequence[FinishedRun]], columns: Collection[str]
) -> tuple[PrintedAcross, ...]:
    """The rows of all data sets; one system has several rows only where a data set has it several times."""
    rows: dict[str, list[_Row]] = {}
    for dataset, one in _of(runs):
        values = {column: value for column, value in one.values.items() if column in columns}
        if not values:
            continue
        known = rows.setdefault(one.system, [])
        row = next((row for row in known if dataset not in row.values), None)
        if row is None:
            row = _Row()
            known.append(row)
        row.values[dataset] = values
        row.sources[one.source] = None
    return tuple(
        PrintedAcross(system, tuple(row.sources), row.values)
        for system, found in rows.items()
        for row in found
    )


def _of(runs: Mapping[str, Sequence[FinishedRun]]) -> Iterator[tuple[str, Printed]]:
    """What each data set has; runs over the same one may say the same."""
    for dataset, group in runs.items():
        told: list[Printed] = []
        for run in group:
            for one in run.summary.printed if run.summary else ():
                if one not in told:
                    told.append(one)
                    yield dataset, one
