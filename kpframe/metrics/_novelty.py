"""Gains that fade with what was already told: the arithmetic of alpha-NDCG."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heapreplace
from typing import Literal

from kpframe.metrics._ranked import discounts

__all__ = ["Gain", "Item", "discounted", "greedy_gains", "list_gains"]

Gain = Literal["each", "one"]
Item = Sequence[int]
"""A phrase by the numbers of the gold keyphrases for which it is relevant."""


def _gain(item: Item, times: Sequence[int], gain: Gain, decay: float) -> float:
    """The decay to the power of earlier tellings: summed over keyphrases, or of the most told one."""
    if len(item) == 1:
        return decay ** times[item[0]]
    if gain == "each":
        return sum([decay ** times[number] for number in item])
    return decay ** max([times[number] for number in item])


def list_gains(items: Sequence[Item], gold: int, gain: Gain, decay: float) -> list[float]:
    """What each phrase gains in the order of the list."""
    times = [0] * gold
    gains = [0.0] * len(items)
    for place, item in enumerate(items):
        if item:  # most have none
            gains[place] = _gain(item, times, gain, decay)
            for number in item:
                times[number] += 1
    return gains


def greedy_gains(items: Sequence[Item], gold: int, gain: Gain, decay: float, depth: int) -> list[float]:
    """The gains of the first `depth` phrases of a list that takes what gains most next; at ties the first."""
    times = [0] * gold
    # Gains only fall, so that the best of outdated ones is the best if it has not changed.
    waiting = [(-_gain(item, times, gain, decay), place) for place, item in enumerate(items) if item]
    heapify(waiting)
    gains: list[float] = []
    while waiting and len(gains) < depth:
        known, place = waiting[0]
        now = -_gain(items[place], times, gain, decay)
        if now != known:
            heapreplace(waiting, (now, place))
            continue
        heappop(waiting)
        for number in items[place]:
            times[number] += 1
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
