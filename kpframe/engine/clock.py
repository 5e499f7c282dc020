"""How long the stages of a run take: seconds by name, added up over documents, batches and workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Any, TypeVar

__all__ = ["StageClock", "Timed"]

Result = TypeVar("Result")


class StageClock:
    """Seconds by the name of a stage. No result depends on them; they are only logged."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.counts: dict[str, int] = {}

    @contextmanager
    def during(self, stage: str) -> Iterator[None]:
        """Add the time that the block takes, also where it fails."""
        begin = perf_counter()
        try:
            yield
        finally:
            self.add({stage: perf_counter() - begin})

    def timed(self, stage: str, work: Callable[..., Result], *given: Any) -> Result:
        """What `work` makes of what is given; a block of `during` costs more than many a stage."""
        begin = perf_counter()
        try:
            return work(*given)
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + perf_counter() - begin

    def add(self, seconds: Mapping[str, float]) -> None:
        """Add what another clock has, as that of a worker."""
        for stage, spent in seconds.items():
            self.seconds[stage] = self.seconds.get(stage, 0.0) + spent

    def count(self, counts: Mapping[str, int]) -> None:
        """Add what was counted, as hits of the cache."""
        for name, number in counts.items():
            self.counts[name] = self.counts.get(name, 0) + number


class Timed(list[Result]):
    """The results of a batch, with the seconds that its stages took, and what was counted beside."""

    def __init__(self, results: Iterable[Result] = (), clock: StageClock | None = None) -> None:
        super().__init__(results)
        self.seconds = {} if clock is None else clock.seconds
        self.counts = {} if clock is None else clock.counts
