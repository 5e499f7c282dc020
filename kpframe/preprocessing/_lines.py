"""Which line breaks part what stands before and after them, and which merely wrap a sentence.

Inside a line a tab or a wide gap between words is a border too (`_cells`).

A line break is a border

- before a list item ("- item", "• item", "1. item", "(a) item"),
- between two rows of a table or of contents (cells parted by tabs, bars, wide gaps or leaders), and
- after a title or a heading: a line that has no mark at its end, that is followed by a capital or a number,
  and that was not full: the first word of the next line would have fitted into the longest line of its
  paragraph, so nothing but the author's wish broke it;
- after what reads as a heading ("2 Related Work", "Chapter 1: Graphs", `_headings`), however long its
  neighbours are, where it begins a paragraph or stands behind a line that ended.

Lines are compared as one sees them: composed, and measured without marks and invisible signs.

A line that ends in a comma, a hyphen, a colon or a word that wants another ("of", "the", "und") goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from kpframe.language.widths import as_seen, width
from kpframe.preprocessing._cells import cell_borders
from kpframe.preprocessing._headings import heading

__all__ = ["line_borders"]

# Only the begin of a line is tried: from each character of a long line the time would be quadratic.
_PARAGRAPH = re.compile(r"(?<![^\n])[^\S\n]*+(\S[^\n]*(?:\n[^\S\n]*+\S[^\n]*)+)")
_ITEM = re.compile(r"(?:[-–—•▪◦‣·*]|\(?(?:\d{1,2}|[a-z])[.)])[ \t]+\S")
_CELLS = re.compile(r"\t|\||\S {3,}\S|_{3,}|(?:[.·…] ?){4,}")
_ENDED = re.compile(r"[.!?…:;,\-–—/&(\[{]['\"”’»)\]}]*$")
_CLOSED = re.compile(r"[.!?…:;]['\"”’»)\]}]*$")
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

_SHORT = 60
"""Characters of the longest line that its words alone can make a heading: wrapped lines are longer."""


class _Line(NamedTuple):
    """Where a line begins, how it looks without white space around it, and how many characters one sees."""

    place: int
    text: str
    width: int


def line_borders(text: str) -> list[int]:
    """The offsets of the first characters of lines, and of cells in them, that begin something new."""
    even = text.replace("\r\n", " \n").replace("\r", "\n")  # no offset changes
    cells = list(cell_borders(even))
    if "\n" not in even:
        return cells
    lines = [place for found in _PARAGRAPH.finditer(even) for place in _borders(even, *found.span(1))]
    return sorted({*cells, *lines}) if cells else lines


def _borders(text: str, begin: int, end: int) -> Iterator[int]:
    lines = list(_lines(text, begin, end))
    longest = max(line.width for line in lines)
    begins = True  # whether nothing that goes on stands before the line
    for before, after in pairwise(lines):
        begins = (
            _ITEM.match(after.text) is not None
            or _is_row(before.text, after.text)
            or _is_heading(before, after, longest)
            or (begins and _reads_as_heading(before, after.text))
        )
        if begins:
            yield after.place
        begins = begins or _CLOSED.search(before.text) is not None


def _lines(text: str, begin: int, end: int) -> Iterator[_Line]:
    while begin < end:
        stop = text.find("\n", begin, end)
        stop = end if stop < 0 else stop
        line = text[begin:stop].lstrip()
        seen = line.rstrip() if line.isascii() else as_seen(line).strip()
        yield _Line(stop - len(line), seen, width(seen))
        begin = stop + 1


def _is_row(before: str, after: str) -> bool:
    return _CELLS.search(before) is not None and _CELLS.search(after) is not None


def _is_heading(line: _Line, following: _Line, longest: int) -> bool:
    first = following.text.split(None, 1)[:1]
    if not first or line.width + 1 + width(first[0]) > longest or _ENDED.search(line.text):
        return False
    return _could_end(line.text, following.text)


def _reads_as_heading(given: _Line, following: str) -> bool:
    line = given.text
    # Entries of a bibliography have numbers and capitals too, and commas behind the names.
    if given.width > _SHORT or ", " in line or not _could_end(line, following):
        return False
    found = heading(line)
    # In a text all in capitals they say nothing.
    return (
        found is not None and found.characters == len(line) and not (line.isupper() and following.isupper())
    )


def _could_end(line: str, following: str) -> bool:
    opening = following.lstrip("\"'“‘„«»([")[:1]
    if not (opening.isupper() or opening.isdigit()):
        return False
    return not line or line.rsplit(None, 1)[-1].casefold() not in _WANTING
