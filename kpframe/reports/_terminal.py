"""Fit text to what standard output can show."""

from __future__ import annotations

import shutil
import sys

from rich.console import Console

__all__ = ["printable", "terminal"]

_PLAIN = str.maketrans({"✓": "+", "✗": "x", "—": "-", "…": "..."})
_WIDTH_OF_A_FILE = 100


def terminal() -> Console:
    """A console for standard output as it is now; colours and width follow terminal and environment.

    NO_COLOR switches colours off. Where output goes to a file, lines have COLUMNS or 100 columns.
    """
    width = shutil.get_terminal_size((_WIDTH_OF_A_FILE, 24)).columns
    # As text in notebooks too, where rich would show an empty block beside it.
    return Console(width=width, force_jupyter=False, markup=False, highlight=False, emoji=False)


def printable(text: str) -> str:
    """`text` with whatever the encoding of standard output lacks replaced by plain characters."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, errors="backslashreplace").decode(encoding)
    return text
