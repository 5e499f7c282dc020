"""The order in which a reader takes the lines of a page: columns from left to right, bands from the top.

A page has columns where a gutter runs through it that few lines cross. Lines that cross it (titles, wide
tables and captions) part the page into bands; within a band the left column comes before the right one,
and each may have columns again. Source: the idea of cutting pages by white space is that of Nagy and
Seth (1984), Hierarchical representation of optically scanned documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from kpframe.documents._pdf_pages import Line

__all__ = ["in_reading_order"]

_FEWEST = 4
"""Lines that a column must have."""
_CROSSING = 0.35
"""The share of lines that may cross a gutter."""
_DEEPEST = 3


def in_reading_order(lines: Sequence[Line], depth: int = 0) -> list[list[Line]]:
    """The lines in columns, each from the top, in the order of reading."""
    joined = _rows_joined(lines)
    gutter = _gutter(joined) if depth < _DEEPEST else None
    if gutter is None:
        return [sorted(joined, key=_from_the_top)] if joined else []
    columns: list[list[Line]] = []
    band: list[Line] = []
    for line in sorted(joined, key=_from_the_top):
        if line.left < gutter < line.right:
            columns += _sides(band, gutter, depth)
            band = []
            if columns and columns[-1] and columns[-1][-1].left < gutter < columns[-1][-1].right:
                columns[-1].append(line)
            else:
                columns.append([line])
        else:
            band.append(line)
    return columns + _sides(band, gutter, depth)


def _sides(band: Sequence[Line], gutter: float, depth: int) -> list[list[Line]]:
    left = [line for line in band if line.right <= gutter]
    right = [line for line in band if line.right > gutter]
    return in_reading_order(left, depth + 1) + in_reading_order(right, depth + 1)


def _from_the_top(line: Line) -> tuple[float, float]:
    return -(line.top + line.bottom) / 2, line.left


def _rows_joined(lines: Sequence[Line]) -> list[Line]:
    """Pieces on one base line that are a word's distance apart are one line."""
    rows: list[Line] = []
    for line in sorted(lines, key=lambda line: (round(-line.bottom / 2), line.left)):
        last = rows[-1] if rows else None
        if last and _same_row(last, line) and -0.5 * last.size <= line.left - last.right < 0.9 * last.size:
            space = " " if line.left - last.right > 0.12 * last.size else ""
            rows[-1] = Line(
                last.text + space + line.text,
                last.left,
                max(last.right, line.right),
                min(last.bottom, line.bottom),
                max(last.top, line.top),
            )
        else:
            rows.append(line)
    return rows


def _same_row(one: Line, other: Line) -> bool:
    shared = min(one.top, other.top) - max(one.bottom, other.bottom)
    return shared > 0.5 * min(one.size, other.size)


def _gutter(lines: Sequence[Line]) -> float | None:
    """The middle of the best gutter: the fewest lines cross it, and then it is the widest."""
    if len(lines) < 2 * _FEWEST:
        return None
    begin, end = min(line.left for line in lines), max(line.right for line in lines)
    width, em = end - begin, median(line.size for line in lines)
    best: tuple[int, float, float] | None = None
    edges = sorted({line.right for line in lines if begin + 0.15 * width < line.right < end - 0.15 * width})
    for edge in edges:
        beyond = [line.left for line in lines if line.left > edge + 0.1]
        if not beyond or min(beyond) - edge < 0.5 * em:
            continue
        middle = (edge + min(beyond)) / 2
        crossing = sum(line.left < middle < line.right for line in lines)
        left = sum(line.right <= middle for line in lines)
        right = len(lines) - left - crossing
        if min(left, right) < _FEWEST or crossing > _CROSSING * len(lines):
            continue
        candidate = (crossing, edge - min(beyond), middle)
        best = min(best, candidate) if best else candidate
    return None if best is None else best[2]
