"""Likey: the rank of a phrase in the document over its rank in a reference."""

from __future__ import annotations

from bisect import bisect_left
from typing import ClassVar

from kpframe.ranking._foreground import BackgroundRanking, Contrast, Levels

__all__ = ["RankRatio"]


class RankRatio(BackgroundRanking):
    """Minus (rank by frequency in the document / rank in the background), so that higher is better.

    Ranks are dense (equally frequent phrases share one) and are counted among candidates of the
    same number of tokens; a phrase that is not in the background has the rank after its last.
    """

    source: ClassVar[str] = "Paukkeri, Nieminen, Pöllä & Honkela 2008 (Likey)"

    def score(self, contrast: Contrast) -> list[float]:
        """Minus the ratio of ranks of each candidate."""
        own, other = _descending(contrast.own_levels), _descending(contrast.other_levels)
        scores = []
        for key in contrast.candidates.keys:
            words = key.count(" ") + 1
            here = _rank(own[words], contrast.own.phrases[key])
            there = _rank(other.get(words, []), contrast.other.phrases.get(key, 0))
            scores.append(-here / there)
        return scores


def _descending(levels: Levels) -> dict[int, list[int]]:
    """For each number of words how often phrases occur, as negative numbers in ascending order."""
    return {words: sorted(-times for times in level) for words, level in levels.items()}


def _rank(levels: list[int], times: int) -> int:
    """The dense rank, from 1, of a phrase that occurs so often; after the last one for 0."""
    return bisect_left(levels, -times) + 1
