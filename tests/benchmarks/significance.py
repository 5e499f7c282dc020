"""How long the randomisation test of many systems takes beside scipy's, pair by pair.

    python tests/benchmarks/significance.py [--documents 2000] [--repetitions 3]

16 systems with simulated R-precisions: 100,000 permutations of 15 systems against a baseline, and of all 120
pairs. `scipy.stats.permutation_test` does one pair at a time; it is measured on a single pair with 2,000
permutations, and its time is scaled to the same numbers of pairs and permutations.
"""

from __future__ import annotations

import itertools
import resource
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import permutation_test
from side_by_side import arguments, in_turn, ratio, table

from kpframe.evaluation.against_best import against_best
from kpframe.evaluation.comparison_sample import Sample
from kpframe.statistics.significance import bootstrap, randomisation

SYSTEMS = 16
PERMUTATIONS = 100_000
OF_SCIPY = 2_000
BASELINE = [(0, system) for system in range(1, SYSTEMS)]
ALL_PAIRS = list(itertools.combinations(range(SYSTEMS), 2))


def simulated(documents: int) -> NDArray[np.float64]:
    """Shares of few keyphrases, with a mean of its own for each system."""
    chance = np.random.Generator(np.random.PCG64(2009))
    gold = chance.integers(3, 15, size=(documents, 1))
    means = np.linspace(0.25, 0.35, SYSTEMS)
    shares: NDArray[np.float64] = chance.binomial(gold, means, size=(documents, SYSTEMS)) / gold
    return shares


def scipys_test(values: NDArray[np.float64]) -> Any:
    """One pair, vectorised, in batches that fit into memory."""
    return permutation_test(
        (values[:, 0], values[:, 1]),
        lambda a, b, axis: np.mean(a, axis=axis) - np.mean(b, axis=axis),
        permutation_type="samples",
        n_resamples=OF_SCIPY,
        vectorized=True,
        batch=500,
    )


def verdicts(values: NDArray[np.float64]) -> Any:
    """What the summary of a run asks for: 500 documents, 10,000 permutations, 4 columns."""
    scores = {f"c{c}": {f"d{d}": float(v) for d, v in enumerate(values[:500, c])} for c in range(SYSTEMS)}
    return [against_best(Sample.of_scores(scores)) for _ in range(4)]


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__ or "", documents=2000)
    values = simulated(options.documents)
    randomisation(values, BASELINE, permutations=100)  # loads the library that multiplies matrices
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    randomisation(values, ALL_PAIRS, permutations=20_000)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    works: dict[str, Callable[[], Any]] = {
        "baseline": lambda: randomisation(values, BASELINE, permutations=PERMUTATIONS),
        "all pairs": lambda: randomisation(values, ALL_PAIRS, permutations=PERMUTATIONS),
        "bootstrap": lambda: bootstrap(values, BASELINE),
        "verdicts": lambda: verdicts(values),
        "scipy": lambda: scipys_test(values),
    }
    times = in_turn(works, options.repetitions)
    scaled = {
        name: [t * pairs * PERMUTATIONS / OF_SCIPY for t in times["scipy"]]
        for name, pairs in (("scipy, baseline", len(BASELINE)), ("scipy, all pairs", len(ALL_PAIRS)))
    }
    median = {name: f"{statistics.median(found):.2f} s" for name, found in {**times, **scaled}.items()}
    table(
        f"significance: {SYSTEMS} systems on {len(values)} documents, {PERMUTATIONS:,} permutations, "
        f"{options.repetitions} turns; scipy scaled from one pair with {OF_SCIPY:,}",
        [
            ("15 systems against a baseline", median["baseline"], f"scipy: {median['scipy, baseline']}"),
            ("all 120 pairs", median["all pairs"], f"scipy: {median['scipy, all pairs']}"),
            ("scipy / kpframe, baseline", ratio({**times, **scaled}, "scipy, baseline", "baseline"), ""),
            ("scipy / kpframe, all pairs", ratio({**times, **scaled}, "scipy, all pairs", "all pairs"), ""),
            ("growth of memory, all pairs", f"{grown:.0f} MB", "target ≤ 100 MB"),
            ("bootstrap of 15 pairs, 10,000 resamples", median["bootstrap"], ""),
            ("verdicts of 16 cells × 4 columns × 500 documents", median["verdicts"], "target ≤ 1.00 s"),
        ],
    )


if __name__ == "__main__":
    main()
