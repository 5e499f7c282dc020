"""Standard streams that are not there, and output that nobody reads any more.

A process can be started without standard input, output or error (`kpframe … >&-`). Then Python has None in
their place, and worse, the next file that is opened gets the free number: what a library writes to standard
error would land in somebody's results. So the numbers are taken before anything is opened.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

from kpframe.errors import DataError, KpframeError

__all__ = ["OUTPUT", "forget_output", "output_fails", "show", "take_numbers", "take_places"]

OUTPUT = "standard output"
"""What it is called in errors."""


class _ClosedInput(io.TextIOBase):
    """Stands for a standard input that was closed: whoever reads it is told."""

    @property
    def buffer(self) -> io.RawIOBase:
        """The bytes, of which there are none."""
        raise DataError.at("standard input", "is closed", "give a file, or pipe the text in")

    def read(self, size: int | None = -1, /) -> str:
        """The text, of which there is none."""
        raise DataError.at("standard input", "is closed", "give a file, or pipe the text in")


def take_numbers() -> None:
    """Open something in place of closed streams, before anything else can get their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one


def take_places() -> None:
    """Put something in place of closed streams in Python; KpframeError if there is no standard output."""
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 (for as long as we run)
    if sys.stdin is None:
        sys.stdin = _ClosedInput()
    if sys.stdout is None:
        remedy = "send it to a file or to /dev/null"
        raise KpframeError.at(OUTPUT, "is closed", remedy)


def forget_output() -> None:
    """Let what is still buffered go nowhere, or the interpreter complains when it ends."""
    with suppress(AttributeError, OSError, ValueError):  # no file at all, as in a test or a notebook
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def output_fails() -> bool:
    """Whether standard output is what cannot be written, by what is still buffered or by nothing at all.

    A full device refuses even nothing; of a full disk only what is buffered tells, if it was not dropped.
    """
    try:
        sys.stdout.flush()
        os.write(sys.stdout.fileno(), b"")
    except io.UnsupportedOperation:  # no file at all, as in a test or a notebook
        return False
    except OSError:
        return True
    except (AttributeError, ValueError):  # it was closed
        return False
    return False


def show(text: str) -> None:
    """Print a text now; an error of it says where, also where output is not buffered.

    None where the reader, as `head`, has gone: then it has seen enough.
    """
    try:
        print(text, flush=True)
    except BrokenPipeError:
        forget_output()
    except OSError as error:
        error.filename = OUTPUT
        raise
