"""Any text as text of LaTeX."""

from __future__ import annotations

import unicodedata

__all__ = ["escaped"]

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "*": "{*}",  # after the end of a row these two would be read as its arguments
    "[": "{[}",
    **{ch: f"\\{ch}" for ch in "&%$#_{}"},
}
_ESCAPES = str.maketrans(_SPECIAL)


def escaped(text: str) -> str:
    """`text` on one line, shown as it is; control and format characters are left out."""
    line = " ".join(text.split())
    return "".join(ch for ch in line if unicodedata.category(ch) not in ("Cc", "Cf", "Cs")).translate(
        _ESCAPES
    )
