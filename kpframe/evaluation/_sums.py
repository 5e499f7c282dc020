"""Averages that grow by parts: as exact as if all documents were summed at once, in little memory."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import NamedTuple

from kpframe.stages import Counts, Metric

__all__ = ["Average", "ExactSum", "Tally"]


class Tally(NamedTuple):
    """What `aggregate` needs to know of one document."""

    counts: Counts
    gold: int
    predicted: int

    def counts_for(self, metric: Metric) -> bool:
        """Whether the document has a value that goes into the average."""
        if not self.counts:
            return False
        if not metric.needs_gold or metric.empty == "zero":
            return True
        return self.gold > 0 and (metric.empty == "skip" or self.predicted > 0)

    def value(self, metric: Metric) -> float:
        """The document's own value; 0 where gold is needed and there is none."""
        return metric.value(self.counts) if self.gold or not metric.needs_gold else 0.0


class ExactSum:
    """A sum without rounding, so that neither the order nor the parts of what is summed can show."""

    def __init__(self) -> None:
        self._whole = 0
        self._parts: list[float] = []

    def add(self, numbers: Sequence[float]) -> None:
        """Add whole numbers or others."""
        whole = sum(numbers)
        if isinstance(whole, int):
            self._whole += whole
        else:
            self._parts = _condensed([*self._parts, *numbers])

    @property
    def value(self) -> float:
        """The sum, rounded once; a whole number if only such were added."""
        return math.fsum([*self._parts, self._whole]) if self._parts else self._whole


def _condensed(numbers: list[float]) -> list[float]:
    """A few numbers with the same exact sum: the rounded sum, what it lacks, and so on."""
    parts: list[float] = []
    while total := math.fsum(numbers):
        parts.append(total)
        if not math.isfinite(total):
            break
        numbers.append(-total)
    return parts


class Average:
    """The average of documents by a metric's own rule."""

    def __init__(self, metric: Metric) -> None:
        self._metric = metric
        self._sums: list[ExactSum] = []
        self.documents = 0

    def add(self, counted: Iterable[Tally]) -> None:
        """Add documents that all count."""
        # Few of the tallies differ: what is asked of the metric is asked once for each of those.
        times = counted if isinstance(counted, Counter) else Counter(counted)
        if not times:
            return
        self.documents += times.total()
        columns = list(_columns([self._row(one) for one in times], times))
        self._sums = self._sums or [ExactSum() for _ in columns]
        for total, column in zip(self._sums, columns, strict=True):
            total.add(column)

    def _row(self, one: Tally) -> Sequence[float]:
        if self._metric.average == "micro":
            return one.counts
        return (
            (one.value(self._metric),) if self._metric.average == "macro" else self._metric.parts(one.counts)
        )

    @property
    def value(self) -> float | None:
        """The average; None if there is no document."""
        if not self.documents:
            return None
        sums = [total.value for total in self._sums]
        if self._metric.average == "micro":
            return self._metric.value(tuple(sums))
        means = [total / self.documents for total in sums]
        return means[0] if self._metric.average == "macro" else self._metric.join(means)


def _columns(rows: Sequence[Sequence[float]], times: Counter[Tally]) -> Iterator[list[float]]:
    """The columns of rows of which each comes as often as a tally does."""
    for column in zip(*rows, strict=True):
        yield list(chain.from_iterable(map(repeat, column, times.values())))
