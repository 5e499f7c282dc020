"""What earlier commands left that were killed: removed by the next, and told in one line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from kpframe.commands import counted, tell

__all__ = ["clear_after_killed", "clear_after_killed_in"]

_WRITTEN = ("out", "per_document", "figures", "metrics_file", "key", "runs", "run")
"""The options that name what commands write, or the folder of a run in which they write."""


def clear_after_killed(options: Any) -> None:
    """Look where temporary files are, and where a command with these options writes."""
    import tempfile

    folders: list[str] = []
    with suppress(OSError):
        folders.append(tempfile.gettempdir())
    for name in _WRITTEN:
        given = getattr(options, name, None)
        for path in (given,) if isinstance(given, str) else given if isinstance(given, tuple) else ():
            folders += _around(path)
    clear_after_killed_in(folders)


def clear_after_killed_in(folders: Iterable[str]) -> None:
    """Look in these folders."""
    from kpframe.files.leftovers import remove_leftovers  # `--help` needs none of it

    if removed := remove_leftovers(dict.fromkeys(folders)):
        more = f" and {len(removed) - 1:,} more" if len(removed) > 1 else ""
        tell(f"removed {counted(len(removed), 'leftover')} of commands that were killed: {removed[0]}{more}")


def _around(path: str) -> Iterator[str]:
    if "://" not in path and path:
        yield os.path.dirname(path) or "."
        if os.path.isdir(path):
            yield path.rstrip("/") or "/"
