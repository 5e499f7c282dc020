"""Which of many short texts hold which others, as runs of characters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

__all__ = ["holders"]


def holders(texts: Sequence[str], wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Each text that holds one of the `wanted`: the place of the text and that of what it holds.

    In the order of what is wanted, and for each in that of the texts. Nothing has a line end in it.
    """
    if not texts:
        return
    # Most stand in no text, which one search tells of all texts together.
    everything = "\n".join(texts)
    ends = list(accumulate([len(text) + 1 for text in texts]))
    for number, text in enumerate(wanted):
        found = everything.find(text)
        while found >= 0:
            place = bisect_right(ends, found)
            yield place, number
            found = everything.find(text, ends[place])
