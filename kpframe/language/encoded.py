"""Encoded data in texts: Base64, in lines as mails and attachments have it, or in one as URLs of data do."""

from __future__ import annotations

from collections.abc import Sequence

import regex

__all__ = ["SHORTEST_LINE", "apart", "encoded_spans"]

Span = tuple[int, int]

SHORTEST_LINE = 40
"""Characters of the shortest line that may be one of data (all but the last of a run)."""
SHORTEST_ALONE = 200
"""Characters of the shortest word that is data by itself, with capitals, other letters and digits."""

# Lines are tried at their begins only, and nothing that was taken is given back: linear. By `regex`:
# `re` of Python 3.11.2, which Debian has, goes wrong where such groups hold others.
_RUN = regex.compile(
    rf"""(?m)(?:^[ \t>]*+|(?<=[ \t]))(?P<data>[A-Za-z0-9+/=]{{{SHORTEST_LINE},}}+
    (?:[ \t]*+\r?\n[ \t>]*+[A-Za-z0-9+/=]{{{SHORTEST_LINE},}}+(?=[ \t]*+\r?$)){{2,}}+
    (?:[ \t]*+\r?\n[ \t>]*+
        (?=[A-Za-z0-9+/]*+(?:=|$|\r$)|[A-Za-z0-9+/]{{20,}}+[ \t])(?=[A-Za-z]*+[0-9+/=]|[A-Za-z]*?[a-z][A-Z])
        [A-Za-z0-9+/]++={{0,2}}+(?=[ \t]|\r?$))?+)   # the rest, which is shorter and no word
    """,
    regex.VERBOSE,
)


_SIGNS = "A-Za-z0-9+/=_-"
_AHEAD = rf"(?=[{_SIGNS}]{{0,99}}?"
_LONG = regex.compile(
    rf"(?<![{_SIGNS}]){_AHEAD}[A-Z]){_AHEAD}[a-z]){_AHEAD}[0-9])[{_SIGNS}]{{{SHORTEST_ALONE},}}+"
)


def encoded_spans(text: str) -> list[Span]:
    """Where three or more lines follow each other that are one long word each of the signs of Base64.

    The first line may begin behind other words. A shorter last line belongs to them if it has signs, digits
    or capitals as no word has. And one such word is data where it is longer than any name can be.
    """
    lines = [found.span("data") for found in _RUN.finditer(text)]
    alone = [found.span() for found in _LONG.finditer(text)]
    return apart([*lines, *alone]) if lines and alone else lines or alone


def apart(spans: Sequence[Span]) -> list[Span]:
    """The spans in order, without those that begin inside another."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not found or span[0] >= found[-1][1]:
            found.append(span)
    return found
