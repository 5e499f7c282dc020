"""Runs that commands read."""

from __future__ import annotations

from collections.abc import Sequence

from kpframe.commands import tell
from kpframe.runs.finished import RunFiles

__all__ = ["opened"]


def opened(folder: str, cells: Sequence[str] | None) -> RunFiles:
    """A run, after a notice of what it lacks where all of it is wanted."""
    run = RunFiles(folder, cells or ())
    if notice := run.notice():
        tell(notice)
    return run
