"""Gains that fade with what was already told: the arithmetic of alpha-NDCG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heapreplace
from typing import Literal

from kpframe.metrics._ranked import discounts

__all__ = ["Gain", "Item", "discounted", "greedy_gains", "list_gains"]

Gain = Literal["each", "one"]
Item = Sequence[int]
"""A phrase by the numbers of the gold keyphrases for which it is relevant."""


class _Told:
    """How often each gold keyphrase was told, and what a further phrase gains."""

    def __init__(self, gold: int, gain: Gain, decay: float) -> None:
        self._times = [0] * gold
        self._each = gain == "each"
        self._decay = decay

    def gain(self, item: Item) -> float:
        """The decay to the power of earlier tellings: summed over keyphrases, or of the most told one."""
        if not item:
            return 0.0
        if self._each:
            return sum([self._decay ** self._times[number] for number in item])
        return self._decay ** max([self._times[number] for number in item])

    def tell(self, item: Item) -> None:
        """Count a phrase."""
        for number in item:
            self._times[number] += 1


def list_gains(items: Iterable[Item], gold: int, gain: Gain, decay: float) -> list[float]:
    """What each phrase gains in the order of the list."""
    told = _Told(gold, gain, decay)
    gains = []
    for item in items:
        gains.append(told.gain(item))
        told.tell(item)
    return gains


def greedy_gains(items: Sequence[Item], gold: int, gain: Gain, decay: float, depth: int) -> list[float]:
    """The gains of the first `depth` phrases of a list that takes what gains most next; at ties the first."""
    told = _Told(gold, gain, decay)
    # Gains only fall, so that the best of outdated ones is the best if it has not changed.
    waiting = [(-told.gain(item), place) for place, item in enumerate(items) if item]
    heapify(waiting)
    gains: list[float] = []
    while waiting and len(gains) < depth:
        known, place = waiting[0]
        now = -told.gain(items[place])
        if now != known:
            heapreplace(waiting, (now, place))
            continue
        heappop(waiting)
        told.tell(items[place])
        gains.append(-now)
    return gains


def discounted(gains: Sequence[float]) -> float:
    """The sum of the gains, each over log2(rank + 1)."""
    discount = discounts(len(gains))
    total = 0.0
    for rank, gain in enumerate(gains, start=1):
        if gain:
            total += gain * discount[rank]
    return total
