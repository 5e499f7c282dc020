"""A long piece of work seen from outside: how far it is, in words, as values, and for monitoring."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kpframe.engine.clock import StageClock
from kpframe.errors import counted

__all__ = ["Operation", "Parts", "current", "memory", "under_way"]

_HEAD = {
    "documents_total": ("counter", "Documents that are done, by what is done with them."),
    "documents_expected": ("gauge", "Documents that there will be, where that is known."),
    "partitions_done": ("gauge", "Partitions that are done, those that were there already among them."),
    "partitions_expected": ("gauge", "Partitions that there are."),
    "failures_total": ("counter", "Documents that failed."),
    "stage_seconds_total": ("counter", "Seconds by stage, added up over workers."),
    "cache_hits_total": ("counter", "Annotations that were taken from the cache."),
    "cache_misses_total": ("counter", "Annotations that were made."),
    "memory_bytes": ("gauge", "Resident memory of this process and of those that it began."),
    "begun_timestamp_seconds": ("gauge", "When it began."),
    "updated_timestamp_seconds": ("gauge", "When this was written."),
    "under_way": ("gauge", "1 while it is at work, 0 when it has ended."),
    "exit_status": ("gauge", "The exit status, once it has ended: 0 done, 1 with failures, 2 wrong input."),
}
"""The metrics by name: their type and what they mean."""


@dataclass
class Parts:
    """Partitions of which each has its documents: `total` of them, `done` so far; `there` were so before."""

    total: int
    there: int = 0
    done: int = 0

    def __post_init__(self) -> None:
        self.done = max(self.done, self.there)

    def left(self, seconds: float) -> float | None:
        """Seconds for the others, if they are like those that took so many; None if none is made."""
        made = self.done - self.there
        return seconds / made * (self.total - self.done) if made else None


class Operation:
    """One piece of work under way: what is done with documents, how many are done, and how many failed."""

    def __init__(self) -> None:
        self.title = ""
        self.total: int | None = None
        self.parts: Parts | None = None
        self.done = self.failed = 0
        self.clock = StageClock()
        self.status: int | None = None
        self._begun = time.time()
        self._since = time.monotonic()
        self._finished: dict[str, int] = {}

    def begin(self, title: str, total: int | None, parts: Parts | None = None) -> None:
        """Something is begun with documents, of which there will be `total`, or so many partitions."""
        self.close()
        self.title, self.total, self.done, self.parts = title, total, 0, parts
        self._since = time.monotonic()

    def close(self) -> None:
        """It is over."""
        if self.title:
            self._finished[self.title] = self._finished.get(self.title, 0) + self.done
        self.title, self.done = "", 0

    def advance(self, number: int) -> None:
        """So many more are done."""
        self.done += number

    def values(self) -> dict[str, Any]:
        """How far it is: stage, done, total, rate (documents a second), left (seconds), failed.

        Over partitions, whose documents nobody has counted, also `partitions` of `partitions_total`.
        """
        spent = max(time.monotonic() - self._since, 1e-9)
        rate = self.done / spent
        left = None if self.total is None or not self.done else (self.total - self.done) / rate
        known = {"stage": self.title or "between stages", "done": self.done, "total": self.total}
        if (parts := self.parts) is not None:
            left = parts.left(spent)
            known |= {"partitions": parts.done, "partitions_total": parts.total}
        rounded = {"rate": round(rate, 2), "left": None if left is None else round(left, 1)}
        return {**known, **rounded, "failed": self.failed}

    def line(self) -> str:
        """The same in words: `evaluating: 1,200 of 5,000 documents, 35.2 a second, 1:48 left, 2 failed`.

        Over partitions `extracting: 1,200 documents, 3 of 12 partitions, 35.2 a second, …`.
        """
        now = self.values()
        of = "" if now["total"] is None else f"{now['done']:,} of "
        documents = counted(now["done"] if now["total"] is None else now["total"], "document")
        left = "" if now["left"] is None else f", {_clock(now['left'])} left"
        parts = (
            "" if self.parts is None else f" {self.parts.done:,} of {counted(self.parts.total, 'partition')},"
        )
        counts = f"{of}{documents},{parts} {now['rate']:,.1f} a second{left}"
        return f"{now['stage']}: {counts}, {now['failed']:,} failed"

    def metrics(self) -> str:
        """All metrics in Prometheus' text format (version 0.0.4)."""
        found: dict[str, list[tuple[str, float]]] = {
            "documents_total": [(_label("stage", name), n) for name, n in self._by_stage().items()],
            "documents_expected": [("", self.total)] if self.total is not None and self.title else [],
            "partitions_done": [] if self.parts is None else [("", self.parts.done)],
            "partitions_expected": [] if self.parts is None else [("", self.parts.total)],
            "failures_total": [("", self.failed)],
            "stage_seconds_total": [(_label("stage", n), s) for n, s in sorted(self.clock.seconds.items())],
            "cache_hits_total": [("", self.clock.counts.get("cache hits", 0))],
            "cache_misses_total": [("", self.clock.counts.get("cache misses", 0))],
            "memory_bytes": [("", memory())],
            "begun_timestamp_seconds": [("", self._begun)],
            "updated_timestamp_seconds": [("", time.time())],
            "under_way": [("", int(self.status is None))],
            "exit_status": [] if self.status is None else [("", self.status)],
        }
        return "".join(_metric(name, samples) for name, samples in found.items())

    def _by_stage(self) -> Mapping[str, int]:
        now = {self.title: self._finished.get(self.title, 0) + self.done} if self.title else {}
        return {**self._finished, **now}


def _metric(name: str, samples: list[tuple[str, float]]) -> str:
    kind, about = _HEAD[name]
    lines = [f"kpframe_{name}{labels} {round(value, 3):.15g}" for labels, value in samples]
    head = [f"# HELP kpframe_{name} {about}", f"# TYPE kpframe_{name} {kind}"]
    return "".join(f"{line}\n" for line in [*head, *lines]) if samples else ""


def _label(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{{{name}="{escaped}"}}'


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def memory() -> int:
    """Bytes of resident memory of this process and those below it; 0 where the system does not tell."""
    total, pending = 0, [os.getpid()]
    while pending:
        place = Path("/proc", str(pending.pop()))
        try:
            total += int((place / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            tasks = [*(place / "task").iterdir()]
            pending += [int(one) for task in tasks for one in (task / "children").read_text().split()]
        except (OSError, ValueError, IndexError):  # it has just ended
            continue
    return total


_current: ContextVar[Operation | None] = ContextVar("operation", default=None)


def current() -> Operation | None:
    """The operation that is watched, if one is."""
    return _current.get()


@contextmanager
def under_way() -> Iterator[Operation]:
    """An operation that whatever is done in the block tells how far it is."""
    operation = Operation()
    token = _current.set(operation)
    try:
        yield operation
    finally:
        operation.close()
        _current.reset(token)
