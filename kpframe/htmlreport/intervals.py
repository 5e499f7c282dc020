"""Confidence intervals of the scores themselves, over the documents that count."""

from __future__ import annotations

from kpframe.evaluation.comparison_sample import Sample
from kpframe.statistics.significance import MEAN, SEED, t_interval

__all__ = ["score_intervals"]

RESAMPLES = 1000
"""For scores that are no mean over documents."""


def score_intervals(
    sample: Sample, *, level: float = 0.95, seed: int = SEED, bounds: tuple[float, float] | None = None
) -> dict[str, tuple[float | None, float | None]]:
    """For each system the interval of its score: Student's t for means, else bootstrap percentiles.

    `bounds` are the least and the greatest value that the measure has; an interval ends there. None for
    fewer than two documents. Source: Efron and Tibshirani (1993), section 13.3.
    """
    found: dict[str, tuple[float | None, float | None]] = {}
    for number, system in enumerate(sample.systems):
        made = _interval(sample, number, level, seed)
        if made is not None and bounds is not None:
            made = max(made[0], bounds[0]), min(made[1], bounds[1])
        found[system] = made or (None, None)
    return found


def _interval(sample: Sample, number: int, level: float, seed: int) -> tuple[float, float] | None:
    import numpy as np

    used = sample.counted[:, number]
    rows = sample.parts[used, number]
    if len(rows) < 2:
        return None
    if sample.aggregate is MEAN:
        mean = t_interval(rows[:, 0], np.zeros(len(rows)), level=level)
        return None if mean is None else (mean.low, mean.high)
    generator = np.random.Generator(np.random.PCG64(seed))
    sums = np.empty((RESAMPLES, rows.shape[1]))
    for draw in range(RESAMPLES):
        sums[draw] = rows[generator.integers(0, len(rows), size=len(rows))].sum(axis=0)
    scores = sample.aggregate.scores(sums, len(rows))
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
