"""Progress on standard error: rate and time left, only on a terminal and only after a second."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

__all__ = ["Progress"]

Item = TypeVar("Item")

_PATIENCE = 1.0
"""Seconds that pass before a bar is shown: what is quickly done needs none."""


class Progress:
    """Makes progress bars; silent where standard error is no terminal, a dumb one, or on request."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet

    @contextmanager
    def bar(self, total: int | None, title: str) -> Iterator[Callable[[int], Any]]:
        """A bar for `total` documents; call what it yields with the number done since."""
        if self.quiet or not _shows_bars():
            yield lambda done: None
            return
        bar = _Bar(total, title)
        try:
            yield bar.advance
        finally:
            bar.close()

    def count(self, items: Iterable[Item], title: str, total: int | None = None) -> Iterator[Item]:
        """Pass items on and show how many there were; the time left only where their `total` is known."""
        with self.bar(total, title) as advance:
            for item in items:
                advance(1)
                yield item


def _shows_bars() -> bool:
    # `isatty`, not what rich thinks: FORCE_COLOR must not put bars into files.
    return sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


class _Bar:
    """A bar of rich that is begun late, and taken away in the end."""

    def __init__(self, total: int | None, title: str) -> None:
        self._total, self._title = total, title
        self._done = 0
        self._shown: Any = None
        self._begun = time.monotonic()

    def advance(self, done: int) -> None:
        """So many more."""
        self._done += done
        if self._shown is None:
            if time.monotonic() - self._begun < _PATIENCE:
                return
            self._shown = _shown(self._total, self._title)
            self._shown.start()
        self._shown.update(self._shown.task_ids[0], completed=self._done)

    def close(self) -> None:
        """Take it away."""
        if self._shown is not None:
            self._shown.stop()


def _shown(total: int | None, title: str) -> Any:
    """The bar itself; it takes what is printed meanwhile, and shows that above itself."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            rate = task.finished_speed or task.speed
            return Text("" if rate is None else f"{rate:,.1f} documents/s")

    known = (BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    unknown = ("{task.completed} documents", Rate())
    columns: tuple[Any, ...] = unknown if total is None else known
    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    bars = Bars("{task.description}", *columns, console=console, transient=True, redirect_stdout=False)
    bars.add_task(f"{title}:", total=total)
    return bars
