"""Which line breaks part what stands before and after them, and which merely wrap a sentence.

Inside a line a tab or a wide gap between words is a border too (`_cells`).

A line break is a border

- before a list item ("- item", "• item", "1. item", "(a) item"),
- between two rows of a table or of contents (cells parted by tabs, bars, wide gaps or leaders), and
- after a title or a heading: a line that has no mark at its end, that is followed by a capital or a number,
  and that was not full: the first word of the next line would have fitted into the longest line of its
  paragraph, so nothing but the author's wish broke it;
- the same in scripts without capitals, if the line is clearly shorter than the longest one (where no space
  parts words, the next sign would have fitted),
- at lines that cannot be wrapped text: header fields, lists, titles longer than the rest (`_blocks`), and
- after what reads as a heading ("2 Related Work", "Chapter 1: Graphs", `_headings`), however long its
  neighbours are, where it begins a paragraph or stands behind a line that ended.

Lines are compared as one sees them: composed, and measured without marks and invisible signs.

A line that ends in a comma, a hyphen, a colon or a word that wants another ("of", "the", "und") goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from kpframe.language.scripts import is_unspaced
from kpframe.language.widths import as_seen, widths
from kpframe.preprocessing._blocks import lines_anew
from kpframe.preprocessing._cells import cell_borders
from kpframe.preprocessing._headings import heading
from kpframe.preprocessing._line_signs import Line, Widths, closed, could_end, ended, is_caseless, longest_of

__all__ = ["line_borders"]

# Only the begin of a line is tried: from each character of a long line the time would be quadratic.
_PARAGRAPH = re.compile(r"(?<![^\n])[^\S\n]*+(\S[^\n]*(?:\n[^\S\n]*+\S[^\n]*)+)")
_ITEM = re.compile(r"(?:[-–—•▪◦‣·*]|\(?(?:\d{1,2}|[a-z])[.)])[ \t]+\S")
_CELLS = re.compile(r"\t|\||\S {3,}\S|_{3,}|(?:[.·…] ?){4,}")
_SHORT = 60
"""Characters of the longest line that its words alone can make a heading: wrapped lines are longer."""

_CLEARLY = 0.7
"""The share of the longest line that a title takes at most where no capital shows that the next begins."""


def line_borders(text: str) -> list[int]:
    """The offsets of the first characters of lines, and of cells in them, that begin something new."""
    even = text.replace("\r\n", " \n").replace("\r", "\n")  # no offset changes
    cells = list(cell_borders(even))
    if "\n" not in even:
        return cells
    page = _Page(even)
    found = _PARAGRAPH.finditer(even)
    lines = [place for each in found for place in _borders(list(_lines(even, *each.span(1))), page)]
    return sorted({*cells, *lines}) if cells else lines


class _Page:
    """The longest lines of all paragraphs of three lines and more; few texts ask for them."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def edge(self) -> Widths | None:
        """None where there is no such paragraph."""
        text = self._text
        spans = [found.span(1) for found in _PARAGRAPH.finditer(text)]
        long = [line for span in spans if text.count("\n", *span) > 1 for line in _lines(text, *span)]
        return longest_of(long) if long else None


def _borders(lines: Sequence[Line], page: _Page) -> Iterator[int]:
    longest = longest_of(lines)
    anew = lines_anew(lines, lambda: page.edge)
    begins = True  # whether nothing that goes on stands before the line
    for number, (before, after) in enumerate(pairwise(lines), 1):
        begins = (
            number in anew
            or _ITEM.match(after.text) is not None
            or _is_row(before.text, after.text)
            or _is_heading(before, after, longest)
            or (begins and _reads_as_heading(before, after.text))
        )
        if begins:
            yield after.place
        begins = begins or closed(before.text)


def _lines(text: str, begin: int, end: int) -> Iterator[Line]:
    while begin < end:
        stop = text.find("\n", begin, end)
        stop = end if stop < 0 else stop
        line = text[begin:stop].lstrip()
        seen = line.rstrip() if line.isascii() else as_seen(line).strip()
        yield Line(stop - len(line), seen, widths(seen))
        begin = stop + 1


def _is_row(before: str, after: str) -> bool:
    return _CELLS.search(before) is not None and _CELLS.search(after) is not None


def _is_heading(line: Line, following: Line, longest: Widths) -> bool:
    first = following.first
    if is_unspaced(first):  # a line may be wrapped behind any sign
        first = first[0]
    if not first or not line.has_room(first, longest) or ended(line.text):
        return False
    if is_caseless(first) and is_caseless(line.text.rsplit(None, 1)[-1]):
        return line.has_room(first, longest, _CLEARLY)
    return could_end(line.text, following.text)


def _reads_as_heading(given: Line, following: str) -> bool:
    line = given.text
    # Entries of a bibliography have numbers and capitals too, and commas behind the names.
    if given.width > _SHORT or ", " in line or not could_end(line, following):
        return False
    found = heading(line)
    # In a text all in capitals they say nothing.
    return (
        found is not None and found.characters == len(line) and not (line.isupper() and following.isupper())
    )
