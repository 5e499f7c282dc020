"""Long commands that somebody watches: lines in logs, a signal that asks, a file for monitoring."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from kpframe.commands import tell_values
from kpframe.commands._signals import Ended
from kpframe.errors import SpecError
from kpframe.files.urls import refuse_url

if TYPE_CHECKING:
    from kpframe.engine.operating import Operation

__all__ = ["arguments", "watched"]

EVERY = 30.0
"""Seconds between two lines, and two writings of the metrics."""
_OURS = b"# HELP kpframe_"
"""How a file of metrics begins."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said of how a command is watched."""
    parser.add_argument("--log-json", action="store_true", help="notices and progress as JSON, a line each")
    parser.add_argument(
        "--metrics-file", metavar="FILE", help="keep what is done, failed and spent there, for Prometheus"
    )


def watched(work: Callable[[], int], *, metrics_file: str | None, out: str | None, quiet: bool) -> int:
    """Do the work of a command, and tell how far it is; its exit status.

    Every 30 seconds where standard error is no terminal, and at once on SIGUSR1. SpecError for a metrics file
    that is something else: an input, a spec, or `out`, where the results come to lie.
    """
    from kpframe.engine.operating import under_way

    refuse_url(metrics_file, "--metrics-file", "is a URL", "give a file of this machine")
    file = None if metrics_file is None else Path(metrics_file)
    if file is not None:
        _refuse_others(file, out)
    with under_way() as operation:
        _write(file, operation)  # now: that it cannot be written would else be found after hours
        lines = not quiet and not sys.stderr.isatty()
        with _asked(operation), _ticking(lambda: _tick(operation, file, lines), needed=lines or bool(file)):
            try:
                status = operation.status = work()
            except Ended as ended:
                operation.status = ended.status
                raise
            except BaseException:
                operation.status = 2
                raise
            finally:
                if operation.status is not None:
                    with suppress(OSError):
                        _write(file, operation)
    return status


def _refuse_others(file: Path, out: str | None) -> None:
    problem = ""
    if out is not None and os.path.realpath(file) == os.path.realpath(out):
        problem = "is what --out names"
    elif file.is_file():
        with file.open("rb") as there:
            if there.read(len(_OURS)) not in (b"", _OURS):
                problem = "is there, and holds no metrics of kpframe"
    if problem:
        raise SpecError.at(
            f"--metrics-file {file}", problem, "name another file, which is replaced all the time"
        )


def _tick(operation: Operation, file: Path | None, lines: bool) -> None:
    if lines:
        tell_values(operation.line(), "progress", operation.values())
    try:
        _write(file, operation)
    except OSError as error:  # the work goes on
        logging.getLogger("kpframe").warning("%s: cannot be written (%s)", file, error.strerror)


def _write(file: Path | None, operation: Operation) -> None:
    from kpframe.files.atomic import write_text

    if file is not None:
        write_text(file, operation.metrics())


@contextmanager
def _ticking(tick: Callable[[], Any], *, needed: bool) -> Iterator[None]:
    """Something is done every 30 seconds, also while a document takes longer."""
    if not needed:
        yield
        return
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(EVERY):
            tick()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def _asked(operation: Operation) -> Iterator[None]:
    """SIGUSR1 asks how far it is, and is answered also by a command that is quiet."""
    number = getattr(signal, "SIGUSR1", None)
    if number is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def answer(number: int, frame: FrameType | None) -> None:
        tell_values(operation.line(), "progress", operation.values(), always=True)

    before = signal.signal(number, answer)
    try:
        yield
    finally:
        signal.signal(number, before)
