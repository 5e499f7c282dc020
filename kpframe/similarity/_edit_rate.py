"""The edits of the translation edit rate: words inserted, deleted and replaced, and runs of words shifted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

__all__ = ["MAX_SHIFTED", "edit_distance", "edits"]

Row = list[int]

MAX_SHIFTED = 20
"""Words of the longer row up to which shifts are searched; the cost grows with the fourth power."""


def edits(hypothesis: Sequence[int], reference: Sequence[int]) -> int:
    """The number of edits from one row to the other, a shift of any run counting as one.

    Shifts are searched greedily, as the number of their sequences is too great: as long as some shift
    makes the rest cheaper, the one that saves most is made (of equal ones that of the longest run, then
    the leftmost). Shifted is a run that both rows have at different places, to its place in the reference.

    Source: Snover et al. (2006), section 3. Tercom, and sacrebleu after it, shift only words that the
    edit distance leaves unmatched, and miss some shifts that save edits.
    """
    row = list(hypothesis)
    distance, shifts = edit_distance(row, reference), 0
    while distance and max(len(row), len(reference)) <= MAX_SHIFTED:
        choices = [
            (edit_distance(shifted, reference), -length, shifted)
            for length, shifted in _shifts(row, reference)
        ]
        best = min(choices, key=lambda choice: choice[:2], default=None)
        if best is None or best[0] >= distance:
            break
        distance, _, row = best
        shifts += 1
    return shifts + distance


def edit_distance(left: Sequence[int], right: Sequence[int]) -> int:
    """Levenshtein's distance."""
    row = list(range(len(right) + 1))
    for number, item in enumerate(left, start=1):
        diagonal, row[0] = row[0], number
        for column, other in enumerate(right, start=1):
            cheapest = min(row[column] + 1, row[column - 1] + 1, diagonal + (item != other))
            diagonal, row[column] = row[column], cheapest
    return row[-1]


def _shifts(row: Row, reference: Sequence[int]) -> Iterator[tuple[int, Row]]:
    """The length of each run that stands elsewhere in the reference, and the row with the run put there."""
    for begin, item in enumerate(row):
        for target, other in enumerate(reference):
            if begin == target or item != other:
                continue
            pairs = zip(row[begin:], reference[target:], strict=False)
            length = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            rest = row[:begin] + row[begin + length :]
            yield length, rest[:target] + row[begin : begin + length] + rest[target:]
