"""What is compared in one column: for every system and document what goes into the score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpframe.errors import DataError
from kpframe.evaluation.tallies import Tally
from kpframe.stages import Metric
from kpframe.statistics._significance_draws import MEAN, Aggregate, Values

__all__ = ["Sample"]


@dataclass(frozen=True, eq=False)
class Sample:
    """One column: documents × systems.

    `ids` are sorted, and the rows of all arrays are theirs, so that no test can depend on the order in
    which documents came. `parts` (documents × systems × parts) is what `aggregate` makes scores of, and
    `values` (documents × systems) is the measure of single documents; both have NaN where a document
    does not count for a system. `known` says which documents a system has at all, `gold` how many gold
    keyphrases were kept for it (-1 where that is not known), and `failed` where a document failed.
    """

    column: str
    systems: tuple[str, ...]
    ids: tuple[str, ...]
    parts: Values
    values: Values
    aggregate: Aggregate
    known: NDArray[np.bool_]
    failed: NDArray[np.bool_]
    gold: NDArray[np.int64]
    bounded: bool = False
    """Whether values are known to lie in 0 … 1."""

    @classmethod
    def of_scores(cls, scores: Mapping[str, Mapping[str, float | None]], column: str = "score") -> Sample:
        """From one value a document (None or NaN: does not count); DataError for what is no number."""
        frame = _Frame(scores)
        values = np.full(frame.shape, np.nan)
        for system, number in frame.systems.items():
            for id, value in scores[system].items():
                values[frame.ids[id], number] = _number(value, system, id)
        unknown = np.full(frame.shape, -1, dtype=np.int64)
        return cls(
            column,
            tuple(frame.systems),
            tuple(frame.ids),
            values[:, :, None],
            values,
            MEAN,
            frame.known(scores),
            np.zeros(frame.shape, dtype=bool),
            unknown,
        )

    @classmethod
    def of_tallies(
        cls, column: str, metric: Metric, tallies: Mapping[str, Mapping[str, Tally | None]]
    ) -> Sample:
        """From what documents were counted to have (None: the document failed), by system and id."""
        frame = _Frame(tallies)
        aggregate = _aggregate(metric)
        values = np.full(frame.shape, np.nan)
        failed = np.zeros(frame.shape, dtype=bool)
        gold = np.full(frame.shape, -1, dtype=np.int64)
        found: dict[tuple[int, int], Sequence[float]] = {}
        for system, number in frame.systems.items():
            for id, tally in tallies[system].items():
                place = (frame.ids[id], number)
                failed[place] = tally is None
                if tally is not None:
                    gold[place] = tally.gold
                    if tally.counts_for(metric):
                        values[place] = tally.value(metric)
                        if aggregate is not MEAN:
                            found[place] = _parts(metric, tally)
        if aggregate is MEAN:
            parts = values[:, :, None]
        else:
            width = max(map(len, found.values()), default=1)
            parts = np.full((*frame.shape, width), np.nan)
            for place, made in found.items():
                parts[place] = made
        systems, ids, known = tuple(frame.systems), tuple(frame.ids), frame.known(tallies)
        return cls(column, systems, ids, parts, values, aggregate, known, failed, gold, metric.bounded)

    @cached_property
    def counted(self) -> NDArray[np.bool_]:
        """Which documents count for which systems."""
        found: NDArray[np.bool_] = ~np.isnan(self.values)
        return found

    def score(self, system: int, documents: NDArray[np.bool_] | None = None) -> float | None:
        """The score of a system over its own documents, or over those of them that are chosen."""
        used = self.counted[:, system] if documents is None else documents & self.counted[:, system]
        rows = self.parts[used, system]
        if not len(rows):
            return None
        sums = np.array([[math.fsum(column) for column in rows.T]])
        return float(self.aggregate.scores(sums, len(rows))[0])

    def beside(self, other: Sample) -> Sample:
        """This sample with the systems of another; both have means over documents."""
        ids = sorted({*self.ids, *other.ids})
        row = {id: number for number, id in enumerate(ids)}
        rows = [[row[id] for id in sample.ids] for sample in (self, other)]

        def joined(name: str, fill: float) -> Any:
            blocks = [getattr(sample, name) for sample in (self, other)]
            whole = [np.full((len(ids), *block.shape[1:]), fill, dtype=block.dtype) for block in blocks]
            for made, block, places in zip(whole, blocks, rows, strict=True):
                made[places] = block
            return np.concatenate(whole, axis=1)

        return Sample(
            self.column,
            self.systems + other.systems,
            tuple(ids),
            joined("parts", np.nan),
            joined("values", np.nan),
            self.aggregate,
            joined("known", False),
            joined("failed", False),
            joined("gold", -1),
            self.bounded and other.bounded,
        )

    def shared(self, first: int, second: int) -> NDArray[np.bool_]:
        """The documents that count for both systems."""
        both: NDArray[np.bool_] = self.counted[:, first] & self.counted[:, second]
        return both


class _Frame:
    """The rows and columns of a sample."""

    def __init__(self, cells: Mapping[str, Mapping[str, object]]) -> None:
        self.systems = {system: number for number, system in enumerate(cells)}
        ids = sorted({id for documents in cells.values() for id in documents})
        self.ids = {id: row for row, id in enumerate(ids)}
        self.shape = (len(self.ids), len(self.systems))

    def known(self, cells: Mapping[str, Mapping[str, object]]) -> NDArray[np.bool_]:
        found = np.zeros(self.shape, dtype=bool)
        for system, number in self.systems.items():
            found[[self.ids[id] for id in cells[system]], number] = True
        return found


def _number(value: object, system: str, id: str) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating | np.integer):
        place = f"{system}: document {id!r}"
        raise DataError.at(place, f"{value!r} is no number", "give a number, or None if it does not count")
    if math.isinf(value):
        raise DataError.at(f"{system}: document {id!r}", "the value is infinite", "give a finite number")
    return float(value)


def _aggregate(metric: Metric) -> Aggregate:
    if metric.average == "macro":
        return MEAN
    if metric.average == "micro":
        return Aggregate(metric.value, "sums")
    return Aggregate(metric.join, "means")


def _parts(metric: Metric, tally: Tally) -> Sequence[float]:
    """What an average that is no mean of values is made of."""
    return tally.counts if metric.average == "micro" else metric.parts(tally.counts)
