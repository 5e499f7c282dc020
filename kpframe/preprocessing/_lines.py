"""Which line breaks part what stands before and after them, and which merely wrap a sentence.

A line break is a border

- before a list item ("- item", "• item", "1. item", "(a) item"),
- between two rows of a table or of contents (cells parted by tabs, bars, wide gaps or leaders), and
- after a title or a heading: a line that has no mark at its end, that is followed by a capital or a number,
  and that was not full: the first word of the next line would have fitted into the longest line of its
  paragraph, so nothing but the author's wish broke it.

A line that ends in a comma, a hyphen, a colon or a word that wants another ("of", "the", "und") goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

__all__ = ["line_borders"]

# Only the begin of a line is tried: from each character of a long line the time would be quadratic.
_PARAGRAPH = re.compile(r"(?<![^\n])[^\S\n]*+(\S[^\n]*(?:\n[^\S\n]*+\S[^\n]*)+)")
_ITEM = re.compile(r"(?:[-–—•▪◦‣·*]|\(?(?:\d{1,2}|[a-z])[.)])[ \t]+\S")
_CELLS = re.compile(r"\t|\||\S {3,}\S|_{3,}|(?:[.·…] ?){4,}")
_ENDED = re.compile(r"[.!?…:;,\-–—/&(\[{]['\"”’»)\]}]*$")
_WANTING = frozenset(
    word
    for words in (
        "a an and as at between by for from in into is its of on or over than that the their to under",
        "versus via vs with within without",
        "al am as auf aus au aux bei con da das de degli dei del della delle dem den der des di die do dos",
        "du e el em en et for från für i im in la las le les los mit nach och of og oder on ou para per por",
        "pour sur um und una une van vom von y zum zur à över",
    )
    for word in words.split()
)
"""Words that no title ends with."""


def line_borders(text: str) -> list[int]:
    """The offsets of the first characters of lines that begin something new, in order."""
    if "\n" not in text and "\r" not in text:
        return []
    even = text.replace("\r\n", " \n").replace("\r", "\n")  # no offset changes
    return [place for paragraph in _PARAGRAPH.finditer(even) for place in _borders(even, *paragraph.span(1))]


def _borders(text: str, begin: int, end: int) -> Iterator[int]:
    lines: list[tuple[int, str]] = []
    while begin < end:
        stop = text.find("\n", begin, end)
        stop = end if stop < 0 else stop
        line = text[begin:stop]
        lines.append((begin + len(line) - len(line.lstrip()), line.strip()))
        begin = stop + 1
    width = max(len(line) for _, line in lines)
    for (_, before), (place, after) in pairwise(lines):
        if _ITEM.match(after) or _is_row(before, after) or _is_heading(before, after, width):
            yield place


def _is_row(before: str, after: str) -> bool:
    return _CELLS.search(before) is not None and _CELLS.search(after) is not None


def _is_heading(line: str, following: str, width: int) -> bool:
    first = following.split(None, 1)[0]
    if len(line) + 1 + len(first) > width or _ENDED.search(line):
        return False
    opening = following.lstrip("\"'“‘„«»([")[:1]
    if not (opening.isupper() or opening.isdigit()):
        return False
    return line.rsplit(None, 1)[-1].casefold() not in _WANTING
