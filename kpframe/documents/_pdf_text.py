"""The text of a PDF as somebody would read it aloud: columns in order, words whole, heads and numbers out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from kpframe.documents._pdf_columns import in_reading_order
from kpframe.documents._pdf_pages import Line, pages_of
from kpframe.errors import DataError
from kpframe.language.hyphenation import whole_words
from kpframe.model import Traced

__all__ = ["text_of_pdf"]

_NUMBER = re.compile(
    r"\W*(?:(?:page|p\.|seite|pagina)\s*)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:/|of|von|de)\s*\d+)?\W*"
)
_DIGITS = re.compile(r"\d+")
_EDGE = 2
"""Lines from the top and from the bottom of a page that may be a head or a foot."""
_END = re.compile(r"[.!?:;…][\"'”’)\]]*$")


def text_of_pdf(content: bytes, place: str) -> str:
    """The text, paragraphs parted by blank lines. DataError for a PDF without text, as of a scanner."""
    pages = list(pages_of(content, place))
    if not any(lines for _, lines in pages):
        raise DataError.at(
            place, "is a PDF without text, as scanners make it", "recognise its text first (OCR)"
        )
    heads = _heads(pages)
    columns = [
        column
        for _, lines in pages
        for column in in_reading_order([line for line in lines if id(line) not in heads])
    ]
    paragraphs = whole_words(Traced.of("\n\n".join(_paragraphs(columns)))).text
    return re.sub(r"(?<!\n)\n(?!\n)", " ", paragraphs)


def _heads(pages: Sequence[tuple[float, Sequence[Line]]]) -> set[int]:
    """The lines (by identity) that are page numbers, or stand at the same edge of several pages."""
    edges = [list(_edge_lines(lines)) for _, lines in pages]
    seen = Counter(key for page in edges for key in {_signature(line) for line in page})
    return {
        id(line)
        for page in edges
        for line in page
        if seen[_signature(line)] > 1 or _NUMBER.fullmatch(line.text.casefold().strip())
    }


def _edge_lines(lines: Sequence[Line]) -> Iterator[Line]:
    """The pieces of the rows at the edges of a page, where a gap parts them from the body."""
    rows: dict[int, list[Line]] = {}
    for line in lines:
        rows.setdefault(round((line.top + line.bottom) / 4), []).append(line)
    heights = sorted(rows)
    steps = [above - below for below, above in pairwise(heights)]
    if not steps:
        yield from lines
        return
    gap = 1.4 * median(steps)
    for ordered in (heights, heights[::-1]):
        apart = [i for i in range(min(_EDGE, len(steps))) if abs(ordered[i + 1] - ordered[i]) > gap]
        for height in ordered[: max(apart, default=-1) + 1]:
            yield from rows[height]


def _signature(line: Line) -> tuple[str, int]:
    """What is alike in the heads of pages: the words without numbers, and the height on the page."""
    return _DIGITS.sub("#", line.text.casefold()).strip(), round(line.bottom / 8)


def _paragraphs(columns: Sequence[Sequence[Line]]) -> Iterator[str]:
    """Lines joined to paragraphs, one line of text for each line; also over columns and pages."""
    body = median([line.size for column in columns for line in column] or [1.0])
    paragraph: list[str] = []
    before: Line | None = None
    for column in columns:
        left = median(line.left for line in column)
        leading = _leading(column)
        for i, line in enumerate(column):
            if before is not None and _begins(line, before, left, leading if i else None, body):
                yield "\n".join(paragraph)
                paragraph = []
            paragraph.append(line.text)
            before = line
    if paragraph:
        yield "\n".join(paragraph)


def _leading(column: Sequence[Line]) -> float:
    steps = [above.bottom - below.bottom for above, below in pairwise(column)]
    return median([step for step in steps if step > 0] or [0.0])


def _begins(line: Line, before: Line, left: float, leading: float | None, body: float) -> bool:
    """Whether a line begins a paragraph; `leading` is None at the top of a column."""
    if abs(line.size - before.size) > 0.25 * body and max(line.size, before.size) > 1.2 * body:
        return True  # a heading
    if leading is None:  # goes on over the border, but after the end of a sentence
        return bool(_END.search(before.text)) and not line.text[:1].islower()
    if before.bottom - line.bottom > 1.35 * leading:
        return True
    indented = 0.8 * body < line.left - left < 4 * body
    return indented and before.left < line.left - 0.8 * body
