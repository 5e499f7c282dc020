"""Progress: rate and time left, on a terminal (standard error) or in a notebook, and only after a second."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from kpframe.engine.operating import Parts, current
from kpframe.errors import counted

__all__ = ["Progress"]

Item = TypeVar("Item")

_PATIENCE = 1.0
"""Seconds that pass before a bar is shown: what is quickly done needs none."""

_BETWEEN_LOOKS = 0.5
"""Seconds between two looks of a bar in a notebook, where each is a message to the browser."""


class Progress:
    """Makes progress bars; silent on request, and where there is neither a terminal nor a notebook."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet

    @contextmanager
    def bar(
        self, total: int | None, title: str, parts: Parts | None = None
    ) -> Iterator[Callable[[int], Any]]:
        """A bar for `total` documents; call what it yields with the number done since.

        With `parts`, whose `done` the caller counts, it is one for these, with the documents beside it.
        """
        with _told(total, title, parts) as tell, self._shown(total, title, parts) as show:

            def advance(done: int) -> None:
                tell(done)
                show(done)

            yield advance

    @contextmanager
    def _shown(self, total: int | None, title: str, parts: Parts | None) -> Iterator[Callable[[int], Any]]:
        show = None if self.quiet else _way_to_show()
        if show is None:
            yield lambda done: None
            return
        bar = _Bar(lambda: show(total, title, parts))
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


@contextmanager
def _told(total: int | None, title: str, parts: Parts | None) -> Iterator[Callable[[int], Any]]:
    """The operation that is watched, if one is, is told too, also where nothing is shown."""
    operation = current()
    if operation is None:
        yield lambda done: None
        return
    operation.begin(title, total, parts)
    try:
        yield operation.advance
    finally:
        operation.close()


def _way_to_show() -> Callable[[int | None, str, Parts | None], _Shown] | None:
    """What makes bars here."""
    if _in_notebook():
        return NotebookBar
    # `isatty`, not what rich thinks: FORCE_COLOR must not put bars into files.
    return _RichBar if sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown") else None


def _in_notebook() -> bool:
    """Whether a kernel runs this, which shows HTML; IPython on a terminal is a terminal."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


class _Shown(Protocol):
    def update(self, done: int) -> None:
        """So many are done."""

    def close(self) -> None:
        """Take it away."""


class _Bar:
    """A bar that is begun late, and taken away in the end."""

    def __init__(self, show: Callable[[], _Shown]) -> None:
        self._show = show
        self._done = 0
        self._shown: _Shown | None = None
        self._begun = time.monotonic()

    def advance(self, done: int) -> None:
        """So many more."""
        self._done += done
        if self._shown is None:
            if time.monotonic() - self._begun < _PATIENCE:
                return
            self._shown = self._show()
        self._shown.update(self._done)

    def close(self) -> None:
        """Take it away."""
        if self._shown is not None:
            self._shown.close()


class NotebookBar:
    """A bar in the output of a notebook's cell: HTML that is shown anew, at most twice a second."""

    def __init__(self, total: int | None, title: str, parts: Parts | None = None) -> None:
        from IPython.display import display

        self._total, self._title, self._parts = total, title, parts
        self._begun = self._last = time.monotonic()
        self._done: int | None = 0
        self._handle = display(self, display_id=True)

    def update(self, done: int) -> None:
        """So many are done."""
        self._done = done
        if time.monotonic() - self._last >= _BETWEEN_LOOKS:
            self._last = time.monotonic()
            self._handle.update(self)

    def close(self) -> None:
        """Take it away."""
        self._done = None
        self._handle.update(self)

    def __repr__(self) -> str:
        return "" if self._done is None else f"{self._title}: {counted(self._done, 'document')}"

    def _repr_html_(self) -> str:
        from html import escape

        if self._done is None:
            return "<span></span>"
        rate = self._done / max(time.monotonic() - self._begun, 1e-9)
        done = _so_many(self._done, self._total)
        parts = self._parts
        most, value = (self._total, self._done) if parts is None else (parts.total, parts.done)
        bar = "" if most is None else f'<progress max="{most}" value="{value}"></progress> '
        beside = "" if parts is None else f", {_so_many(parts.done, parts.total, 'partition')}"
        return f"{escape(self._title)}: {bar}{done}{beside}, {rate:,.1f} a second"


def _so_many(done: int, total: int | None, what: str = "document") -> str:
    return counted(done, what) if total is None else f"{done:,} of {counted(total, what)}"


class _RichBar:
    """A bar in a terminal."""

    def __init__(self, total: int | None, title: str, parts: Parts | None = None) -> None:
        self._parts = parts
        self._bars = _shown(total, title, parts)
        self._bars.start()

    def update(self, done: int) -> None:
        """So many are done."""
        completed = done if self._parts is None else self._parts.done
        self._bars.update(self._bars.task_ids[0], completed=completed, documents=done)

    def close(self) -> None:
        """Take it away."""
        self._bars.stop()


def _shown(total: int | None, title: str, parts: Parts | None) -> Any:
    """The bar itself; it takes what is printed meanwhile, and shows that above itself."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            rate = task.finished_speed or task.speed
            if parts is not None:  # of which that is the speed
                rate = task.fields["documents"] / task.elapsed if task.elapsed else None
            return Text("" if rate is None else f"{rate:,.1f} documents/s")

    known = (BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    unknown = ("{task.completed} documents", Rate())
    parted = (
        BarColumn(),
        MofNCompleteColumn(),
        "partitions, {task.fields[documents]:,} documents,",
        *known[2:],
    )
    columns: tuple[Any, ...] = parted if parts is not None else unknown if total is None else known
    console = Console(stderr=True, force_jupyter=False, markup=False, highlight=False, emoji=False)
    bars = Bars("{task.description}", *columns, console=console, transient=True, redirect_stdout=False)
    if parts is None:
        bars.add_task(f"{title}:", total=total, documents=0)
    else:
        bars.add_task(f"{title}:", total=parts.total, completed=parts.done, documents=0)
    return bars
