"""The score of a candidate from the scores of its places."""

from __future__ import annotations

import math
from collections.abc import Callable

from kpframe.model import Candidates

__all__ = ["best_places"]


def best_places(candidates: Candidates, score: Callable[[int, int], float]) -> list[float]:
    """For each key the greatest `score(begin, end)` of its places.

    Places of one key may hold different tokens (keys made of stems, labels of a vocabulary).
    """
    best = [-math.inf] * len(candidates)
    tokens = candidates.tokens
    seen: dict[tuple[int, tuple[str, ...]], None] = {}
    for owner, (begin, end) in zip(candidates.owners, candidates.places, strict=True):
        form = owner, tuple(tokens[begin:end])
        if form in seen:  # the same tokens have the same score
            continue
        seen[form] = None
        best[owner] = max(best[owner], score(begin, end))
    return best
