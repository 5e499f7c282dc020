"""Whether files changed, and which files a folder has: what every cache and checksum asks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

__all__ = [
    "FileState",
    "PathState",
    "file_state",
    "files_below",
    "folder_state",
    "noted_files",
    "path_state",
    "while_unchanged",
]

Given = ParamSpec("Given")
Made = TypeVar("Made")

FileState = tuple[int, int, int, int]
"""When a file was written and when anything about it changed (nanoseconds), its bytes, its number."""

PathState = FileState | tuple[tuple[str, FileState], ...] | None
"""The state of a file, or of all files of a folder; None where there is neither."""

_noting: ContextVar[dict[str, PathState] | None] = ContextVar("_noting", default=None)


def file_state(path: str | Path) -> FileState:
    """What differs whenever a file has been changed or replaced; OSError if there is none.

    The second of the times no program can set: `cp -p` and rsync bring older files with their dates.
    """
    found = os.stat(path)
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def files_below(folder: Path) -> list[Path]:
    """All files in a folder and those below it, in order; links are followed, but round no circle."""
    found: list[Path] = []
    seen: set[tuple[int, int]] = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        state = os.stat(place)
        if (state.st_dev, state.st_ino) in seen:
            folders.clear()
            continue
        seen.add((state.st_dev, state.st_ino))
        folders.sort()
        found += [path for path in (Path(place, name) for name in names) if path.is_file()]
    return sorted(found)


def folder_state(folder: str | Path) -> tuple[tuple[str, FileState], ...]:
    """The names and states of all files in a folder and those below it."""
    return tuple((str(path), file_state(path)) for path in files_below(Path(folder)))


def path_state(path: str | Path) -> PathState:
    """The state of a file or a folder; None for what is neither, as the name of a model."""
    try:
        return folder_state(path) if os.path.isdir(path) else file_state(path)
    except (OSError, ValueError):  # no file
        return None


@contextmanager
def noted_files() -> Iterator[dict[str, PathState]]:
    """The files of which something that is remembered is asked in here, as each was at first."""
    noted: dict[str, PathState] = {}
    before = _noting.set(noted)
    try:
        yield noted
    finally:
        _noting.reset(before)


def while_unchanged(
    maxsize: int, files: Callable[..., Iterable[str | Path]] | None = None
) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Remember what a function makes of files, for as long as none of them is changed or replaced.

    `files` tells from the arguments which they are; by default it is the first one, which may be a folder
    too. What is no file, as the name of a model, never changes. An error is not remembered.
    """

    def remembering(function: Callable[Given, Made]) -> Callable[Given, Made]:
        @lru_cache(maxsize=maxsize)
        def made(_states: Any, *given: Any, **named: Any) -> Made:
            return cast(Callable[..., Made], function)(*given, **named)

        known: Callable[..., Made] = made

        @wraps(function)
        def remembered(*given: Given.args, **named: Given.kwargs) -> Made:
            named_files = files(*given, **named) if files else (cast(str, given[0]),)
            states = {str(path): path_state(path) for path in named_files}
            if (noted := _noting.get()) is not None:
                noted.update({path: state for path, state in states.items() if path not in noted})
            return known(tuple(states.values()), *given, **named)

        return remembered

    return remembering
