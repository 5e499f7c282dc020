"""Cut long texts into pieces and squeeze their white space, without losing an offset."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["TYPOGRAPHIC", "Shifts", "original_offsets", "pieces", "plain_quotes", "squeezed"]

_IRREGULAR = re.compile(r"\s{2,}|[^\S ]")

TYPOGRAPHIC = re.compile("[’‘ʼ“”‐‑]")
"""Quotes and hyphens that language models know better in their ASCII forms."""

_ASCII = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "‐": "-", "‑": "-"})

Shifts = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Positions in a squeezed text, and how many characters were left out up to each of them."""


def pieces(text: str, begins: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Cover `text` by ranges of at most `limit` characters, cut where sentences begin.

    `begins` are the offsets of the sentences. A sentence longer than `limit` is cut at white space,
    or just at the limit where there is none. Blank pieces are left out.
    """
    ranges: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = _cut(text, begins, start, limit)
        if not text[start:end].isspace():
            ranges.append((start, end))
        start = end
    return ranges


def _cut(text: str, begins: Sequence[int], start: int, limit: int) -> int:
    if len(text) - start <= limit:
        return len(text)
    last = bisect_right(begins, start + limit) - 1
    if last >= 0 and begins[last] > start:
        return begins[last]
    end = start + limit
    if text[end].isspace() or text[end - 1].isspace():
        return end
    words = text[start:end].rsplit(None, 1)
    return end - len(words[1]) if len(words) == 2 else end


def plain_quotes(text: str) -> str:
    """`text` with typographic quotes and hyphens as their ASCII forms; no offset changes."""
    return text if text.isascii() else text.translate(_ASCII)


def squeezed(text: str) -> tuple[str, Shifts]:
    """`text` with each run of white space as one space and none at the ends, and the way back."""
    lead = len(text) - len(text.lstrip())
    body = text.strip()
    positions, shifts, total = [0], [lead], lead
    for found in _IRREGULAR.finditer(body):
        begin, end = found.span()
        if end - begin > 1:
            positions.append(begin - (total - lead) + 1)
            total += end - begin - 1
            shifts.append(total)
    plain = _IRREGULAR.sub(" ", body)
    return plain, (np.array(positions, dtype=np.int64), np.array(shifts, dtype=np.int64))


def original_offsets(offsets: NDArray[np.int64], shifts: Shifts) -> NDArray[np.int64]:
    """Offsets of non-space characters in the text that was squeezed, from those in the squeezed one."""
    positions, totals = shifts
    if len(positions) == 1:
        shift: int = totals[0].item()
        return offsets + shift
    passed: NDArray[np.int64] = totals[np.searchsorted(positions, offsets, side="right") - 1]
    return offsets + passed
