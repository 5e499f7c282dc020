"""The score of a candidate from the scores of its places."""

from __future__ import annotations

from collections.abc import Callable

from kpframe.model import Candidates

__all__ = ["best_places"]


def best_places(candidates: Candidates, score: Callable[[int, int], float]) -> list[float]:
    """For each key the greatest `score(begin, end)` of its places.

    Places of one key may hold different tokens (keys made of stems, labels of a vocabulary).
    """
    tokens = candidates.tokens
    best = []
    for places in candidates.places_of:
        if len(places) == 1:
            best.append(score(*places[0]))
        else:  # the same tokens have the same score
            forms = {tuple(tokens[begin:end]): (begin, end) for begin, end in places}
            best.append(max([score(begin, end) for begin, end in forms.values()]))
    return best
