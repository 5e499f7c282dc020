"""Supervised discretisation of a number by minimum description length (Fayyad & Irani 1993)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["bins", "cut_points"]


def cut_points(values: NDArray[np.float64], labels: NDArray[np.int8]) -> list[float]:
    """The cuts that part `values` (shape n) so that `labels` (shape n, 0 or 1) are told apart.

    A range is cut where the entropy of the labels on both sides is least, midway between two
    neighbouring values, as long as the gain is greater than
    [log2(n - 1) + log2(3^k - 2) - (k·H - k1·H1 - k2·H2)] / n, with k, k1 and k2 the numbers of classes
    present and H, H1 and H2 the entropies (in bits) of the range and its two sides. The cuts are
    ascending; there are none if no cut is worth its description.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    ones = np.concatenate(([0], np.cumsum(labels[order], dtype=np.int64)))
    found: list[float] = []
    ranges = [(0, len(ordered))]
    while ranges:
        begin, end = ranges.pop()
        cut = _best_cut(ordered, ones, begin, end)
        if cut is not None and _worth_it(ones, begin, cut, end):
            found.append(_between(float(ordered[cut - 1]), float(ordered[cut])))
            ranges += [(begin, cut), (cut, end)]
    return sorted(found)


def bins(values: NDArray[np.float64], cuts: Sequence[float]) -> NDArray[np.int64]:
    """The bin, 0 … len(cuts), of each value; a value equal to a cut lies below it."""
    return np.searchsorted(np.asarray(cuts, dtype=np.float64), values, side="left")


def _best_cut(ordered: NDArray[np.float64], ones: NDArray[np.int64], begin: int, end: int) -> int | None:
    """The index before which the range is best cut, None if all its values are equal."""
    changes = np.flatnonzero(ordered[begin + 1 : end] > ordered[begin : end - 1]) + begin + 1
    if not len(changes):
        return None
    below, above = changes - begin, end - changes
    bits = below * _entropies(ones[changes] - ones[begin], below)
    bits += above * _entropies(ones[end] - ones[changes], above)
    return int(changes[np.argmin(bits)])


def _entropies(ones: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    share = ones / sizes
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -share * np.log2(share) - (1.0 - share) * np.log2(1.0 - share)
    return np.nan_to_num(bits, nan=0.0)


def _worth_it(ones: NDArray[np.int64], begin: int, cut: int, end: int) -> bool:
    size = end - begin
    entropy, classes = _described(ones, begin, end)
    low_entropy, low_classes = _described(ones, begin, cut)
    high_entropy, high_classes = _described(ones, cut, end)
    gain = entropy - ((cut - begin) * low_entropy + (end - cut) * high_entropy) / size
    spared = classes * entropy - low_classes * low_entropy - high_classes * high_entropy
    return gain > (math.log2(size - 1) + math.log2(3**classes - 2) - spared) / size


def _described(ones: NDArray[np.int64], begin: int, end: int) -> tuple[float, int]:
    """Entropy in bits of the labels in a range, and the number of classes present."""
    share = int(ones[end] - ones[begin]) / (end - begin)
    if share in (0.0, 1.0):
        return 0.0, 1
    return -share * math.log2(share) - (1.0 - share) * math.log2(1.0 - share), 2


def _between(low: float, high: float) -> float:
    """The midpoint, or `low` where there is no number between the two."""
    middle = low + (high - low) / 2.0
    return middle if middle < high else low
