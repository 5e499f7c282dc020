"""What a corpus of a given size can show: the power of the paired t-test, and its converses."""

from __future__ import annotations

import math
from functools import lru_cache

__all__ = ["documents_needed", "minimum_detectable_difference", "power_of_t_test"]

_MOST = 10**9
"""No corpus is larger."""


def power_of_t_test(effect: float, documents: int, *, level: float = 0.05) -> float:
    """The probability that the two-sided paired t-test finds a difference of `effect` deviations.

    `effect` is the true mean difference over the standard deviation of the differences (Cohen's d_z).
    By the noncentral t distribution, so exact where differences are normal.

    Source: Cohen (1988), section 2.3.5; Sakai (2016).
    """
    if documents < 2:
        return 0.0
    from scipy.special import stdtrit
    from scipy.stats import nct

    edge = float(stdtrit(documents - 1, 1 - level / 2))
    shift = abs(effect) * math.sqrt(documents)
    above = float(nct.sf(edge, documents - 1, shift))
    # A difference found the wrong way around: less than 1e-9 for a large shift, where scipy has NaN.
    return above + (float(nct.cdf(-edge, documents - 1, shift)) if shift < 6 else 0.0)


def minimum_detectable_difference(
    documents: int, deviation: float, *, level: float = 0.05, power: float = 0.8
) -> float | None:
    """The mean difference that a test on so many documents finds with a probability of `power`.

    `deviation` is the standard deviation of the differences of two systems on a document, in the units
    of the measure. A smaller difference that is not significant says little: the corpus is too small
    to see it. For a single test, before any correction. None for fewer than two documents.
    """
    if documents < 2:
        return None
    return deviation * _detectable_effect(documents, level, power)


@lru_cache(maxsize=1024)
def _detectable_effect(documents: int, level: float, power: float) -> float:
    from scipy.optimize import brentq

    high = 1.0 / math.sqrt(documents)
    while power_of_t_test(high, documents, level=level) < power:
        high *= 2
    return float(brentq(lambda d: power_of_t_test(d, documents, level=level) - power, 0.0, high, xtol=1e-12))


def documents_needed(
    difference: float, deviation: float, *, level: float = 0.05, power: float = 0.8
) -> int | None:
    """How many documents a test needs to find a mean difference with a probability of `power`.

    The converse of `minimum_detectable_difference`. None where no number would do (no difference, or
    one that takes more than a thousand million documents).
    """
    if difference == 0:
        return None
    if deviation == 0:
        return 2
    effect = abs(difference) / deviation
    if power_of_t_test(effect, _MOST, level=level) < power:
        return None
    low, high = 1, 2
    while power_of_t_test(effect, high, level=level) < power:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if power_of_t_test(effect, middle, level=level) < power:
            low = middle
        else:
            high = middle
    return high
