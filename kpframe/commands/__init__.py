"""One file for each command; `execute(options)` returns the exit status."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, TextIO

from kpframe.commands._remedies import in_words_of
from kpframe.errors import Problem, counted, without_secrets

__all__ = [
    "LeftOut",
    "colour",
    "counted",
    "first_of",
    "followable",
    "has_colours",
    "prepare",
    "show_left_out",
    "show_problems",
    "tell",
    "tell_values",
]

_as_json: list[bool] = [False]
"""Whether notices and errors are JSON, as `prepare` was told."""


_options: list[Collection[str]] = [()]
"""The options of the command that runs, as `prepare` was told."""


def prepare(*, quiet: bool, as_json: bool = False, options: Collection[str] = ()) -> None:
    """Send kpframe's own notices to standard error, and let no character stop the output.

    `options` are those of the command, in whose words remedies are told.
    `as_json`: each is a JSON object on a line: time, level, event, message, and further values.
    """
    _as_json[0], _options[0] = as_json, options
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    import logging

    from kpframe.commands._notices import Notices

    logger = logging.getLogger("kpframe")
    logger.handlers = [Notices(_notice)]
    logger.setLevel(logging.ERROR if quiet else logging.INFO)
    logger.propagate = False


def _notice(level: str, text: str) -> None:
    line = without_secrets(followable(text))
    _say(_json(level, "notice", line) if _as_json[0] else _safe(line))


def _json(level: str, event: str, message: str, **values: Any) -> str:
    import json

    when = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    record = {"time": when, "level": level, "event": event, "message": message, **values}
    return json.dumps(record, ensure_ascii=True, default=str)


def tell_values(line: str, event: str, values: Mapping[str, Any], *, always: bool = False) -> None:
    """A notice that has values too, which are in JSON; `always`: also where --quiet hides notices."""
    import logging

    if always or logging.getLogger("kpframe").isEnabledFor(logging.INFO):
        _say(_json("info", event, line, **values) if _as_json[0] else _safe(line))


def _say(line: str) -> None:
    """A line on standard error, above a progress bar if there is one (which then takes what is printed)."""
    with suppress(OSError):  # nobody reads it any more
        print(line, file=sys.stderr, flush=True)


def _safe(text: str) -> str:
    """`text` as it is, but on a terminal without characters that would steer it."""
    if not sys.stderr.isatty():
        return text
    from kpframe.display.marks import harmless

    return harmless(text)


def tell(text: str) -> None:
    """A notice for the user; hidden by --quiet."""
    import logging

    logging.getLogger("kpframe").info("%s", followable(text))


class LeftOut:
    """What a command has to leave out, told as it is found; the exit status says that there was something."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self.status = 0

    def tell(self, text: str) -> None:
        """Tell it, also where notices are not wanted."""
        self.status = 1
        if self._quiet:
            show_problems([Problem("", text)])
        else:
            tell(text)


def followable(text: str) -> str:
    """A message with what can be done about it in the words of the command that runs."""
    return in_words_of(_options[0], text) if _options[0] else text


def has_colours(stream: TextIO) -> bool:
    """Whether `stream` is a terminal that has colours and NO_COLOR does not forbid them."""
    dumb = os.environ.get("TERM") in ("dumb", "unknown")
    return stream.isatty() and not dumb and not os.environ.get("NO_COLOR")


def colour(code: str, text: str) -> str:
    """`text` in an ANSI colour where standard error is a terminal that has colours."""
    return f"\033[{code}m{text}\033[0m" if has_colours(sys.stderr) else text


def first_of(count: int, first: str) -> str:
    """The `first` of some things, with their number where there are more."""
    return first if count == 1 else f"{counted(count, 'thing')}, the first: {first}"


def show_left_out(first: Sequence[str], count: int) -> None:
    """What was left out, also where notices are not wanted: the `first` by name, the others counted."""
    lines = [
        f"skipped: {first_of(count, first[0])}",
        *(f"skipped: {one}" for one in first[1:]),
    ]
    if count > len(first):
        lines.append(f"skipped: {counted(count - len(first), 'thing')} more")
    show_problems([Problem("", line) for line in lines])


def show_problems(problems: Sequence[Problem]) -> None:
    """Each problem on a line of its own: place, problem, remedy."""
    for one in problems:
        problem = one.but(problem=followable(one.problem), remedy=followable(one.remedy))
        if _as_json[0]:
            own = {"place": problem.place, "problem": problem.problem, "remedy": problem.remedy}
            _say(_json("error", "problem", str(problem), **own))
            continue
        head = f"{colour('1', _safe(problem.place))}: " if problem.place else ""
        tail = f"; {colour('32', _safe(problem.remedy))}" if problem.remedy else ""
        _say(f"{colour('31', 'error')}: {head}{_safe(problem.problem)}{tail}")
