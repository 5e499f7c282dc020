"""Cut long texts into pieces, without losing an offset."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from kpframe.language.encoded import encoded_spans

__all__ = ["pieces"]


def pieces(text: str, begins: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Cover `text` by ranges of at most `limit` characters, cut where sentences begin.

    `begins` are the offsets of the sentences. A sentence longer than `limit` is cut at white space,
    or just at the limit where there is none. Data that is one token (Base64) is not cut: the piece ends where
    it begins, or is longer. Blank pieces are left out.
    """
    data = encoded_spans(text) if len(text) > limit else []
    data_begins = [begin for begin, _ in data]
    ranges: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = _cut(text, begins, start, limit)
        before = bisect_left(data_begins, end) - 1
        if before >= 0 and end < data[before][1]:
            end = data[before][0] if data[before][0] > start else data[before][1]
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
