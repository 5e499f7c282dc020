"""Where cells of a table in plain text end inside a line: at tabs and at wide gaps between words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import regex

from kpframe.language.widths import width

__all__ = ["cell_borders"]

# Only the first blank of a run is tried, and a run is taken whole: linear. Behind a mark, where no phrase
# goes on, wide gaps say nothing: some put three blanks after each sentence.
_GAP = regex.compile(r"(?:(?<=[\p{L}\p{N}\p{M}+#%°])[ \u00a0]{3}|(?<=\S)[ \u00a0]{0,2}\t)[ \t\u00a0]*+(?=\S)")
_BLANKS = re.compile(r"[ \u00a0]+")
_MARKER = re.compile(r"(?:[-–—•▪◦‣·*]|\(?(?:\d{1,3}(?:\.\d{1,3}){0,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])")
_SLIPS = (" " * 3, "\u00a0" * 3)
_WIDEST_JUSTIFIED = 200
"""Characters of the longest line that a program may have filled with blanks to its margin."""


class _Row(NamedTuple):
    """A line, and its gaps in order."""

    begin: int
    end: int
    gaps: list[tuple[int, int]]


def cell_borders(text: str) -> Iterator[int]:
    """The offsets of the first characters behind a tab or three or more blanks between words of a line.

    Indentation is none, nor is what parts the mark of a list item from its text, nor are the blanks that fill
    a line of a paragraph to its margin, nor three blanks that are the only gap of their line if the lines
    above and below have none: whoever typed them was not making columns. Lines end in "\n".
    """
    if "\t" not in text and "   " not in text and "\u00a0" not in text:
        return
    rows = list(_rows(text))
    for before, row, after in zip([None, *rows], rows, [*rows[1:], None], strict=False):
        alone = (before is None or before.end + 1 < row.begin) and (
            after is None or row.end + 1 < after.begin
        )
        gaps = row.gaps
        if alone and len(gaps) == 1 and text[slice(*gaps[0])] in _SLIPS:
            continue
        if _MARKER.fullmatch(text[row.begin : gaps[0][0]].strip()):
            gaps = gaps[1:]
        if gaps and not _is_justified(text, row.begin, row.end):
            yield from (end for _, end in gaps)


def _rows(text: str) -> Iterator[_Row]:
    """The lines that have gaps."""
    row = None
    for found in _GAP.finditer(text):
        if row is None or found.start() > row.end:
            if row:
                yield row
            row = _Row(*_line(text, found.start()), [])
        row.gaps.append(found.span())
    if row:
        yield row


def _line(text: str, place: int) -> tuple[int, int]:
    end = text.find("\n", place)
    return text.rfind("\n", 0, place) + 1, len(text) if end < 0 else end


def _is_justified(text: str, begin: int, end: int) -> bool:
    """Whether a line has blanks of one width, spread evenly, and ends below or above another one's end."""
    line = text[begin:end].strip()
    if len(line) > _WIDEST_JUSTIFIED or "\t" in line:
        return False
    gaps = [len(found) for found in _BLANKS.findall(line)]
    if len(gaps) < 3 or min(gaps) < 2 or max(gaps) > min(gaps) + 1:
        return False
    edges = {width(text[first:last].rstrip()) for first, last in _beside(text, begin, end)}
    return width(text[begin:end].rstrip()) in edges


def _beside(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines above and below."""
    if begin > 0:
        yield text.rfind("\n", max(0, begin - 2 * _WIDEST_JUSTIFIED), begin - 1) + 1, begin - 1
    if end < len(text):
        after = text.find("\n", end + 1, end + 2 * _WIDEST_JUSTIFIED)
        yield end + 1, min(len(text), end + 2 * _WIDEST_JUSTIFIED) if after < 0 else after
