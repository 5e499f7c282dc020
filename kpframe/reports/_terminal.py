"""Fit text to what standard output can show."""

from __future__ import annotations

import io
import shutil
import sys

from rich.console import Console

__all__ = ["printable", "terminal"]

_PLAIN = str.maketrans({"✓": "+", "✗": "x", "—": "-", "…": "..."})
_WIDTH_OF_A_FILE = 100


class _Like(io.StringIO):
    """Takes what is drawn as standard output would show it, and sends nothing there."""

    def isatty(self) -> bool:
        """Whether standard output is a terminal."""
        return sys.stdout is not None and sys.stdout.isatty()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of standard output."""
        return getattr(sys.stdout, "encoding", None) or "utf-8"


def terminal() -> Console:
    """A console like standard output as it is now; colours and width follow terminal and environment.

    What it draws is captured: a report is text, and an output that cannot be written to must not end the run.
    NO_COLOR switches colours off. Where output goes to a file, lines have COLUMNS or 100 columns.
    """
    width = shutil.get_terminal_size((_WIDTH_OF_A_FILE, 24)).columns
    # As text in notebooks too, where rich would show an empty block beside it.
    return Console(file=_Like(), width=width, force_jupyter=False, markup=False, highlight=False, emoji=False)


def printable(text: str) -> str:
    """`text` with whatever the encoding of standard output lacks replaced by plain characters."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, errors="backslashreplace").decode(encoding)
    return text
