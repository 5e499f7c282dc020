"""Confidence against correctness: keyphrase perplexity, reliability bins and calibration errors."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

from kpframe.errors import DataError

__all__ = [
    "Closed",
    "Distribution",
    "Reliability",
    "ReliabilityBin",
    "bin_edges",
    "confidence",
    "keyphrase_perplexity",
    "token_positions",
]

Closed = Literal["left", "right"]
"""Where a bin holds its own edge. left: [a, b), the last one [a, b]; right: (a, b], the first one [a, b]."""


def keyphrase_perplexity(token_probabilities: Sequence[float]) -> float:
    """The keyphrase perplexity (KPP): (p1 · p2 · … · pm)^(-1/m), at least 1, the lower the surer.

    `token_probabilities` are those of the model's own tokens of one keyphrase, each given all tokens
    before it, without separators and end marks. m is the number of these tokens, not of words. The
    sum of logarithms keeps long phrases from vanishing.

    Source: Kundu et al. (2023), section 2.1.1, equation 2. Raises DataError for no probabilities, for
    one that is not above 0 and at most 1, and where the result is too large for a number.
    """
    try:
        return math.exp(-_mean_logarithm(token_probabilities))
    except OverflowError:
        raise DataError.at(
            "token probabilities", "the perplexity is too large for a number", "check the probabilities"
        ) from None


def confidence(token_probabilities: Sequence[float]) -> float:
    """The confidence in a keyphrase, 1/KPP: the geometric mean of its tokens' probabilities, in 0 … 1.

    Source: Kundu et al. (2023), section 2.1.2. Raises DataError as `keyphrase_perplexity` does.
    """
    return math.exp(_mean_logarithm(token_probabilities))


def _mean_logarithm(probabilities: Sequence[float]) -> float:
    if not probabilities:
        raise DataError.at("token probabilities", "there are none", "give one for each model token")
    for p in probabilities:
        if isinstance(p, bool) or not isinstance(p, Real) or not 0 < p <= 1:
            raise DataError.at(
                "token probabilities",
                f"{p!r} is not a number above 0 and at most 1",
                "give probabilities, not logarithms",
            )
    return math.fsum(map(math.log, probabilities)) / len(probabilities)


def bin_edges(bins: int) -> tuple[float, ...]:
    """The `bins` + 1 edges of bins of equal width over 0 … 1.

    They are the floats that numpy.linspace gives, and with it netcal, scipy and scikit-learn: of ten
    bins the fourth begins at 0.30000000000000004, so that a confidence of 0.3 lies below that edge.
    """
    return (*(i * (1 / bins) for i in range(bins)), 1.0)


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The items whose confidence lies between `low` and `high`; values are None where there are none."""

    low: float
    high: float
    n: int
    confidence_sum: float
    correct: int

    @property
    def confidence(self) -> float | None:
        """The mean confidence, in 0 … 1."""
        return self.confidence_sum / self.n if self.n else None

    @property
    def accuracy(self) -> float | None:
        """The share of items that are correct, in 0 … 1."""
        return self.correct / self.n if self.n else None

    @property
    def gap(self) -> float | None:
        """The distance between accuracy and mean confidence, in 0 … 1."""
        return abs(self.correct - self.confidence_sum) / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Reliability:
    """Items binned by confidence: counts are kept, the reliability diagram and errors derived.

    `numbers`, `confidence_sums` and `correct` have one value for each of the bins, which have equal
    widths and cover 0 … 1. Counts of parts of the data, added bin by bin, are the counts of the whole.
    """

    numbers: tuple[int, ...]
    confidence_sums: tuple[float, ...]
    correct: tuple[int, ...]
    closed: Closed = "left"

    @classmethod
    def of(
        cls, items: Iterable[tuple[float, bool | int]], *, bins: int = 10, closed: Closed = "left"
    ) -> Reliability:
        """Bin pairs of a confidence and whether the item is correct, in any order.

        A confidence on an edge is decided by comparison with `bin_edges`, never by multiplication.
        `left` is the choice of Kundu et al. and netcal, `right` that of scikit-learn and Guo et al.
        (2017); they differ only for confidences on an edge. The authors' own code loses a confidence
        of 1; here the last bin is closed. Raises DataError for a confidence outside 0 … 1.
        """
        if bins < 1:
            raise DataError.at("bins", f"{bins} is not at least 1", "10 is usual")
        inner = bin_edges(bins)[1:-1]
        find = bisect_right if closed == "left" else bisect_left
        found: list[list[float]] = [[] for _ in range(bins)]
        correct = [0] * bins
        for value, hit in items:
            if not 0 <= value <= 1:
                raise DataError.at("confidence", f"{value!r} is not in 0 … 1", "give probabilities")
            number = find(inner, value)
            found[number].append(value)
            correct[number] += bool(hit)
        sums = tuple(math.fsum(values) for values in found)
        return cls(tuple(map(len, found)), sums, tuple(correct), closed)

    @property
    def n(self) -> int:
        """The number of items."""
        return sum(self.numbers)

    @property
    def bins(self) -> tuple[ReliabilityBin, ...]:
        """The bins, lowest first: the points of a reliability diagram."""
        edges = bin_edges(len(self.numbers))
        rows = zip(self.numbers, self.confidence_sums, self.correct, strict=True)
        return tuple(ReliabilityBin(edges[i], edges[i + 1], *row) for i, row in enumerate(rows))

    @property
    def ece(self) -> float | None:
        """Expected calibration error: the gaps, weighted by the bins' shares of items; None without items.

        In 0 … 1 (the paper prints percent). Source: Naeini et al. (2015); Kundu et al. (2023), equation 3.
        """
        if not self.n:
            return None
        rows = zip(self.confidence_sums, self.correct, strict=True)
        return math.fsum(abs(correct - total) for total, correct in rows) / self.n

    @property
    def mce(self) -> float | None:
        """Maximum calibration error: the largest gap, in 0 … 1; None without items."""
        return max((gap for b in self.bins if (gap := b.gap) is not None), default=None)

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        return {
            "n": self.n,
            "correct": sum(self.correct),
            "closed": self.closed,
            "ece": self.ece,
            "mce": self.mce,
            "bins": [
                {
                    "low": b.low,
                    "high": b.high,
                    "n": b.n,
                    "correct": b.correct,
                    "confidence": b.confidence,
                    "accuracy": b.accuracy,
                }
                for b in self.bins
            ],
        }


@dataclass(frozen=True, slots=True)
class Distribution:
    """Values told by their number, mean, least, quartiles and greatest; None where there are none."""

    n: int
    mean: float | None
    quartiles: tuple[float, float, float, float, float] | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Distribution:
        """The distribution of values in any order; quartiles are interpolated as numpy does."""
        if not values:
            return cls(0, None, None)
        ordered = sorted(values)
        low, first, middle, third, high = (_quantile(ordered, number / 4) for number in range(5))
        return cls(len(ordered), math.fsum(ordered) / len(ordered), (low, first, middle, third, high))

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        return {"n": self.n, "mean": self.mean, "quartiles": self.quartiles and list(self.quartiles)}


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def token_positions(
    keyphrases: Iterable[tuple[Sequence[float], bool]], positions: int = 5
) -> dict[Literal["present", "absent"], tuple[Distribution, ...]]:
    """How sure a model is of the first, second, … token of a keyphrase, in present and absent ones.

    Each keyphrase is given by the probabilities of its tokens and whether it stands in the text. One
    distribution for each of the first `positions` places; longer phrases count with their beginning.
    Source: Kundu et al. (2023), figure 2.
    """
    found: dict[bool, list[list[float]]] = {kind: [[] for _ in range(positions)] for kind in (True, False)}
    for probabilities, present in keyphrases:
        for values, probability in zip(found[present], probabilities, strict=False):
            values.append(probability)
    return {
        "present": tuple(map(Distribution.of, found[True])),
        "absent": tuple(map(Distribution.of, found[False])),
    }
