"""One file for each command; `execute(options)` returns the exit status."""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Sequence

from kpframe.errors import Problem

__all__ = ["colour", "counted", "prepare", "show_problems", "tell"]


def prepare(*, quiet: bool) -> None:
    """Send kpframe's own notices to standard error, and let no character stop the output."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    logger = logging.getLogger("kpframe")
    logger.handlers = [logging.StreamHandler(sys.stderr)]
    logger.setLevel(logging.ERROR if quiet else logging.INFO)
    logger.propagate = False


def tell(text: str) -> None:
    """A notice for the user; hidden by --quiet."""
    logging.getLogger("kpframe").info("%s", text)


def counted(number: int, noun: str) -> str:
    """As `1 document` or `2 documents`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def colour(code: str, text: str) -> str:
    """`text` in an ANSI colour where standard error is a terminal that has colours."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stderr.isatty()
    return text if plain else f"\033[{code}m{text}\033[0m"


def show_problems(problems: Sequence[Problem]) -> None:
    """Each problem on a line of its own: place, problem, remedy."""
    for problem in problems:
        head = f"{colour('1', problem.place)}: " if problem.place else ""
        tail = f"; {colour('32', problem.remedy)}" if problem.remedy else ""
        print(f"{colour('31', 'error')}: {head}{problem.problem}{tail}", file=sys.stderr)
