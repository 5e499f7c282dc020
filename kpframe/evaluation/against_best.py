"""Which systems of a column differ from the best one."""

from __future__ import annotations

from kpframe.evaluation.comparison_column import Column, Procedure
from kpframe.evaluation.comparison_sample import Sample
from kpframe.evaluation.comparison_values import Verdict
from kpframe.statistics.significance import DRAWS, SEED, Correction, correct, randomisation

__all__ = ["against_best"]


def against_best(
    sample: Sample,
    *,
    permutations: int = DRAWS,
    correction: Correction = "holm",
    level: float = 0.05,
    seed: int = SEED,
) -> dict[str, Verdict]:
    """For each system of a column whether it differs from the best one, by the randomisation test.

    The best is the first with the highest score; see `kpframe.analysis.comparison.compare` for what its
    choice does to p. Made for the summary of every run: quick, and never an error where there is nothing
    to compare.
    """
    column = Column(sample, Procedure("randomisation", permutations, correction, level, seed))
    best = column.ranked[:1]
    verdicts = {system: Verdict(best=number in best) for number, system in enumerate(sample.systems)}
    pairs = column.best_pairs()
    outcomes = randomisation(
        sample.parts, pairs, aggregate=sample.aggregate, permutations=permutations, seed=seed
    )
    raw = [outcome.p for outcome in outcomes]
    for (system, _), p, corrected in zip(pairs, raw, correct(raw, correction), strict=True):
        verdicts[sample.systems[system]] = Verdict(False, p, corrected, corrected <= level)
    return verdicts
