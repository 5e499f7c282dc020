"""Lists of phrases for tests of metrics: by their hits, or by their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kpframe.matching.exact import Exact
from kpframe.model import Gold, Matches
from kpframe.stages import Metric


def hit_list(hits: str, gold: int) -> Matches:
    """A list of phrases, `+` a hit and `-` a miss, against a number of gold keyphrases."""
    numbers = iter(range(len(hits)))
    found = tuple(next(numbers) if mark == "+" else -1 for mark in hits)
    return Matches(found, tuple("exact" if n >= 0 else "" for n in found), gold)


def worded(predicted: Sequence[str], gold: Sequence[str | Sequence[str]], **parameters: Any) -> Matches:
    """Phrases against gold keyphrases (or lists of their variants), matched exactly; all gold counts."""
    golds = [Gold((one,) if isinstance(one, str) else tuple(one)) for one in gold]
    return Exact(absent="keep", **parameters).match(predicted, golds, None)


def related(*numbers: Sequence[int], gold: int) -> Matches:
    """A list where the phrase of each rank hits all the gold keyphrases with these numbers."""
    return Matches(
        tuple(found[0] if found else -1 for found in numbers),
        tuple("substring" if found else "" for found in numbers),
        gold,
        related=tuple(map(tuple, numbers)),
    )


def value(metric: Metric, hits: str, gold: int) -> float:
    """The value of a list for one document."""
    return measured(metric, hit_list(hits, gold))


def measured(metric: Metric, matches: Matches) -> float:
    """The value for one document."""
    return metric.value(metric.count(matches))
