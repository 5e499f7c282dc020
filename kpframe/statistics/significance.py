"""Whether two systems differ: paired tests, corrections for many of them, effect sizes.

Documents are the sample, and they are paired: what is tested is the difference of two systems on the
same documents. In every array a row is a document; NaN says that a document does not count for a
system, and such a document is left out of the pairs with that system alone. All tests are two-sided.
A pair of equal systems has p = 1, and so has a pair with too few documents to tell anything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpframe.errors import SpecError
from kpframe.statistics._significance_draws import (
    DRAWS,
    MEAN,
    SEED,
    Aggregate,
    Outcome,
    Resampled,
    Values,
    bootstrap,
    randomisation,
)
from kpframe.statistics._significance_power import (
    documents_needed,
    minimum_detectable_difference,
    power_of_t_test,
)

__all__ = [
    "DRAWS",
    "MEAN",
    "SEED",
    "Aggregate",
    "Correction",
    "Effect",
    "Interval",
    "Outcome",
    "Resampled",
    "Zeros",
    "bootstrap",
    "correct",
    "documents_needed",
    "effect",
    "minimum_detectable_difference",
    "power_of_t_test",
    "randomisation",
    "t_interval",
    "t_test",
    "wilcoxon",
]

Correction = Literal["none", "bonferroni", "holm", "bh"]
Zeros = Literal["pratt", "drop"]

_EXACT = 50
"""Up to this many differences the distribution of the signed ranks is counted out."""

_DECIMALS = 12
"""Differences are compared with each other after rounding to this, or 0.3 - 0.1 were less than 0.2."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval; `method` says how it was made: `t` or `bootstrap`."""

    low: float
    high: float
    method: str

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        return {"low": self.low, "high": self.high, "method": self.method}


@dataclass(frozen=True, slots=True)
class Effect:
    """How large the difference of two systems is, whatever its p; the first is put against the second.

    `difference` is the mean difference and `relative` its share of the second's mean (None if that is
    0). `d_z` is Cohen's d for paired samples: the mean difference over the standard deviation of the
    differences; None for one document, and where all differ by the same amount. `superiority` is the
    probability that the first is better on a document, half of the ties counted in: (wins + ties / 2)
    over all; 2 × superiority - 1 is the paired counterpart of Cliff's delta.

    Source: Cohen (1988), section 2.3.5; Vargha and Delaney (2000).
    """

    documents: int
    difference: float
    relative: float | None
    deviation: float | None
    d_z: float | None
    wins: int
    ties: int
    losses: int

    @property
    def superiority(self) -> float:
        """The share of documents on which the first is better, ties counting half; in 0 … 1."""
        return (self.wins + self.ties / 2) / self.documents


def t_test(first: Values, second: Values) -> Outcome:
    """Student's t-test on the differences of two systems, one value a document.

    Its assumption, a mean difference that is about normal, holds well for some hundred documents. If
    all documents differ by the same amount other than 0, p is 0, the limit of the formula.

    Source: Student (1908); Hull (1993).
    """
    differences = _differences(first, second)
    n = len(differences)
    if n < 2 or not differences.any():
        return Outcome(1.0, n)
    mean, deviation = _mean(differences), float(differences.std(ddof=1))
    if deviation == 0:
        return Outcome(0.0, n)
    from scipy.special import stdtr

    return Outcome(float(2 * stdtr(n - 1, -abs(mean) * math.sqrt(n) / deviation)), n)


def wilcoxon(first: Values, second: Values, *, zeros: Zeros = "pratt") -> Outcome:
    """Wilcoxon's signed-rank test on the differences of two systems, one value a document.

    Documents without a difference get ranks, which are then left out of the sums (`pratt`), or are left
    out before ranking (`drop`, Wilcoxon's own treatment). Many of them are usual here, and dropping
    them is the less conservative choice. Tied differences share the mean of their ranks. Up to 50
    differences other than 0 the distribution is exact, also with ties; beyond, it is the normal one
    without continuity correction.

    Source: Wilcoxon (1945); Pratt (1959).
    """
    differences = _differences(first, second)
    used = len(differences)
    if zeros == "drop":
        differences = differences[differences != 0]
    if not differences.any():
        return Outcome(1.0, used)
    from scipy.special import ndtr
    from scipy.stats import rankdata

    ranks = rankdata(np.abs(differences))
    above = float(ranks[differences > 0].sum())
    ranks = ranks[differences != 0]
    if len(ranks) <= _EXACT:
        # Shared ranks are halves at most, so that doubled they are whole numbers.
        return Outcome(_rank_sum_tail(np.rint(2 * ranks).astype(int), round(2 * above)), used, exact=True)
    z = (above - ranks.sum() / 2) / math.sqrt((ranks**2).sum() / 4)
    return Outcome(float(2 * ndtr(-abs(z))), used)


def _rank_sum_tail(ranks: NDArray[np.int_], above: int) -> float:
    """The share of all sign patterns whose sum of positive ranks lies as far from the middle."""
    whole = int(ranks.sum())
    ways = np.zeros(whole + 1)
    ways[0] = 1
    for rank in ranks:
        ways[rank:] += ways[: whole + 1 - rank].copy()
    far = np.abs(2 * np.arange(whole + 1) - whole) >= abs(2 * above - whole)
    return float(ways[far].sum() / ways.sum())


def t_interval(
    first: Values, second: Values, *, level: float = 0.95, bounds: tuple[float, float] | None = None
) -> Interval | None:
    """The confidence interval of the mean difference by Student's t; None for fewer than two documents.

    It knows nothing of the range of a measure: `bounds` are where a mean can lie at all, and it ends there.
    """
    differences = _differences(first, second)
    n = len(differences)
    if n < 2:
        return None
    from scipy.special import stdtrit

    mean = _mean(differences)
    half = float(stdtrit(n - 1, (1 + level) / 2)) * float(differences.std(ddof=1)) / math.sqrt(n)
    low, high = bounds or (-math.inf, math.inf)
    return Interval(max(mean - half, low), min(mean + half, high), "t")


def effect(first: Values, second: Values) -> Effect | None:
    """The size of the difference of two systems, one value a document; None if no document counts."""
    differences = _differences(first, second)
    n = len(differences)
    if not n:
        return None
    mean = _mean(differences)
    base = math.fsum(second[~np.isnan(first) & ~np.isnan(second)]) / n
    deviation = float(differences.std(ddof=1)) if n > 1 else None
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    return Effect(
        documents=n,
        difference=mean,
        relative=mean / base if base else None,
        deviation=deviation,
        d_z=None if deviation is None else _standardised(mean, deviation),
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
    )


def _standardised(mean: float, deviation: float) -> float | None:
    if deviation == 0:
        return None if mean else 0.0
    return mean / deviation


def correct(p: Sequence[float], method: Correction) -> list[float]:
    """The p of all hypotheses that are tested together, corrected for their number; order kept.

    `bonferroni` multiplies by the number of hypotheses, `holm` (step-down) by the number of those that
    are not yet rejected; both bound the probability of a single false finding, and Holm finds more.
    `bh` (Benjamini and Hochberg, step-up) bounds the expected share of false ones among the findings.
    A corrected p is compared to the level itself, and is at most 1.

    Source: Holm (1979), section 3; Benjamini and Hochberg (1995), section 3.1. SpecError for another name.
    """
    if method not in ("none", "bonferroni", "holm", "bh"):
        raise SpecError.at("correction", f"is unknown: {method!r}", "use none, bonferroni, holm or bh")
    count = len(p)
    if method == "none" or not count:
        return [float(value) for value in p]
    raw = np.asarray(p, dtype=float)
    if method == "bonferroni":
        return [float(value) for value in np.minimum(raw * count, 1)]
    order = np.argsort(raw, kind="stable")
    corrected = np.empty(count)
    if method == "holm":
        corrected[order] = np.maximum.accumulate(raw[order] * np.arange(count, 0, -1))
    else:
        stepped = raw[order] * count / np.arange(1, count + 1)
        corrected[order] = np.minimum.accumulate(stepped[::-1])[::-1]
    return [float(value) for value in np.minimum(corrected, 1)]


def _differences(first: Values, second: Values) -> Values:
    both = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    found: Values = np.round(both[~np.isnan(both)], _DECIMALS)
    return found


def _mean(differences: Values) -> float:
    return math.fsum(differences) / len(differences)
