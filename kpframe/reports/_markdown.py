"""Text that Markdown must show as it is."""

from __future__ import annotations

import re

__all__ = ["escaped"]

_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_MARKS = re.compile(r"([\\`*|~$\[\]])")
_EDGE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")


def escaped(text: str) -> str:
    """`text` with all that Markdown or HTML would interpret escaped, also inside a table.

    An underscore between letters or digits, as in `r_precision`, has no meaning and stays readable.
    """
    marked = _MARKS.sub(r"\\\1", text)
    return _EDGE_UNDERSCORE.sub(r"\\_", marked).translate(_HTML)
