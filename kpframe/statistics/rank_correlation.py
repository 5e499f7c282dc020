"""Spearman's rank correlation of a few pairs, for tables and the page."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["rank_correlation"]


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Spearman's rho (-1 … 1) of pairs, equal values with their mean rank; None where one side is constant.

    Every run with published values shows it, and loading `scipy.stats` for that would take a second, more
    than all other tables together; tests compare the two. `correlation.coefficient` has the other methods.
    """
    ours, theirs = (_ranks([pair[side] for pair in pairs]) for side in (0, 1))
    middle = (len(pairs) + 1) / 2
    spread = math.sqrt(
        math.fsum((a - middle) ** 2 for a in ours) * math.fsum((b - middle) ** 2 for b in theirs)
    )
    if not spread:
        return None
    return math.fsum((a - middle) * (b - middle) for a, b in zip(ours, theirs, strict=True)) / spread


def _ranks(values: Sequence[float]) -> list[float]:
    return [sum(v < value for v in values) + (sum(v == value for v in values) + 1) / 2 for value in values]
