"""Runs that commands read."""

from __future__ import annotations

from collections.abc import Sequence

from kpframe.commands import tell
from kpframe.runs.finished import FinishedRun

__all__ = ["opened"]


def opened(folder: str, cells: Sequence[str] | None) -> FinishedRun:
    """A run, after a notice of what it lacks where all of it is wanted."""
    run = FinishedRun(folder, cells or ())
    if notice := run.notice():
        tell(notice)
    return run
