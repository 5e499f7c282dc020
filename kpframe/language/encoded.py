"""Encoded data in texts: lines of Base64, as mails, certificates and attachments have them."""

from __future__ import annotations

import re

__all__ = ["SHORTEST_LINE", "encoded_spans"]

SHORTEST_LINE = 40
"""Characters of the shortest line that may be one of data (all but the last of a run)."""

# Lines are tried at their begins only, and nothing that was taken is given back: linear.
_RUN = re.compile(
    rf"""(?m)^[ \t>]*+(?P<data>[A-Za-z0-9+/=]{{{SHORTEST_LINE},}}+
    (?:[ \t]*+\r?\n[ \t>]*+[A-Za-z0-9+/=]{{{SHORTEST_LINE},}}+(?=[ \t]*+\r?$)){{2,}}+
    (?:[ \t]*+\r?\n[ \t>]*+
        (?=[A-Za-z0-9+/]*+(?:=|$|\r$))(?=[A-Za-z]*+[0-9+/=]|[A-Za-z]*?[a-z][A-Z])
        [A-Za-z0-9+/]++={{0,2}}+(?=[ \t]*+\r?$))?+)   # the rest, which is shorter and no word
    """,
    re.VERBOSE,
)


def encoded_spans(text: str) -> list[tuple[int, int]]:
    """Where three or more lines follow each other that are one long word each of the signs of Base64.

    A shorter last line belongs to them if it has signs, digits or capitals as no word has.
    """
    return [found.span("data") for found in _RUN.finditer(text)]
