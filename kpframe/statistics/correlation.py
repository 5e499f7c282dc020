"""Correlation of two columns of numbers: Spearman, Pearson, Kendall, with confidence intervals."""

from __future__ import annotations

import math
import statistics
import warnings
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

__all__ = ["METHODS", "Interval", "Method", "bootstrap_interval", "coefficient", "fisher_interval"]

Method = Literal["spearman", "pearson", "kendall"]
METHODS: tuple[Method, ...] = get_args(Method)

Interval = Literal["fisher", "bootstrap"]
"""How the interval of a correlation is computed."""

_BOOTSTRAP = 1000
_ROUNDING = 1e-12
"""What floating point may leave between a perfect correlation and 1."""

_Z = statistics.NormalDist().inv_cdf(0.975)


def coefficient(xs: Sequence[float], ys: Sequence[float], method: Method) -> tuple[float | None, str]:
    """Spearman's rho, Pearson's r or Kendall's tau-b, or None and the reason why it is undefined.

    The order of the pairs plays no part, not even in the last digit.
    """
    from scipy import stats

    if len(xs) < 2:
        return None, "there are fewer than two items"
    for values, what in ((xs, "scores"), (ys, "judgements")):
        if min(values) == max(values):
            return None, f"all {what} are the same"
    first, second = zip(*sorted(zip(xs, ys, strict=True)), strict=True)
    functions = {"spearman": stats.spearmanr, "pearson": stats.pearsonr, "kendall": stats.kendalltau}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # what they warn of is a reason below
        value = float(functions[method](first, second)[0])
    if not math.isfinite(value):
        return None, "the numbers are too large or too close to each other"
    return (value if abs(value) < 1 - _ROUNDING else math.copysign(1.0, value)), ""


def fisher_interval(value: float, items: int, method: Method) -> tuple[float, float] | None:
    """The 95 % interval by z = artanh r; None for fewer than five items and for a correlation of -1 or 1.

    The standard error is 1/√(n-3) for Pearson, √((1+r²/2)/(n-3)) for Spearman (Bonett and Wright 2000)
    and √(0.437/(n-4)) for Kendall (Fieller et al. 1957).
    """
    if items < 5 or abs(value) == 1:
        return None
    variance = {
        "pearson": 1 / (items - 3),
        "spearman": (1 + value * value / 2) / (items - 3),
        "kendall": 0.437 / (items - 4),
    }[method]
    z, reach = math.atanh(value), _Z * math.sqrt(variance)
    return math.tanh(z - reach), math.tanh(z + reach)


def bootstrap_interval(
    pairs: Sequence[tuple[float, float]], method: Method, seed: int
) -> tuple[float, float] | None:
    """The 95 % percentiles of 1,000 resamples, over those that have a correlation, if most have one."""
    if len(pairs) < 5:
        return None
    chance = np.random.Generator(np.random.PCG64(seed))
    values = []
    for drawn in chance.integers(0, len(pairs), (_BOOTSTRAP, len(pairs))):
        value, _ = coefficient([pairs[i][0] for i in drawn], [pairs[i][1] for i in drawn], method)
        if value is not None:
            values.append(value)
    if 2 * len(values) < _BOOTSTRAP:
        return None
    low, high = np.percentile(values, (2.5, 97.5))
    return float(low), float(high)
