"""Measures against people: how well scores follow human judgements, and how well judges follow each other.

Kim, Baldwin and Kan (2010, section 5) rank phrase pairs, Kundu et al. (2023, table 5) documents; here
an item is whatever a row of scores and judgements stands for. None stands for what is missing.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast, get_args

from kpframe.errors import DataError
from kpframe.stages import Similarity
from kpframe.stages.parts import part
from kpframe.statistics.agreement import Agreement, krippendorff_alpha
from kpframe.statistics.correlation import (
    Interval,
    Method,
    bootstrap_interval,
    coefficient,
    fisher_interval,
)
from kpframe.statistics.significance import SEED

__all__ = [
    "Combination",
    "Correlation",
    "HumanBound",
    "MetaEvaluation",
    "combined",
    "evaluate_measures",
    "similarity_scores",
]

Combination = Literal["average", "majority"]
"""How the judgements of one item become one number."""

Column = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation of `name` with the combined judgements, -1 … 1, over `items` items.

    `value` is None where it is undefined, for the `reason` given. `low` and `high` bound its 95 %
    confidence interval; they are None where it has none (too few items, or a correlation of -1 or 1).
    `missing` counts the items that were left out because they have no score or no judgement.
    """

    name: str
    method: Method
    combination: Combination
    value: float | None
    low: float | None
    high: float | None
    items: int
    missing: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HumanBound:
    """What a judge reaches: the mean over judges of the correlation of each with the others combined.

    `value` is None if it is undefined for every judge; judges for whom it is undefined are in no mean.
    """

    method: Method
    combination: Combination
    value: float | None
    judges: tuple[Correlation, ...]


@dataclass(frozen=True)
class MetaEvaluation:
    """All correlations of one study, and how far its judges agree (alpha at the interval level)."""

    items: int
    judged: Mapping[str, int]
    alpha: Agreement
    humans: tuple[HumanBound, ...]
    correlations: tuple[Correlation, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON, unrounded."""
        return {
            "items": self.items,
            "judged": dict(self.judged),
            "krippendorff_alpha": self.alpha.to_json(),
            "humans": [asdict(bound) for bound in self.humans],
            "correlations": [asdict(found) for found in self.correlations],
        }


def evaluate_measures(
    scores: Mapping[str, Column],
    judgements: Mapping[str, Column],
    methods: Sequence[Method] = ("spearman",),
    *,
    interval: Interval = "fisher",
    seed: int = SEED,
) -> MetaEvaluation:
    """Correlate each measure in `scores` with the judgements, and each judge with the other judges.

    All columns have an entry for each item. An item counts for a measure if it has a score and at least
    one judgement. With a single judge both combinations are the same, and only the average is given.

    `fisher` intervals use z = artanh r with a standard error of 1/√(n-3) for Pearson, √((1+r²/2)/(n-3))
    for Spearman (Bonett and Wright 2000) and √(0.437/(n-4)) for Kendall (Fieller et al. 1957);
    `bootstrap` takes the percentiles of 1,000 resamples of the items under `seed`.

    Source: Kim et al. (2010), section 5.1. Raises DataError for columns of different lengths, numbers
    that are not finite, no judge, and a negative seed.
    """
    items = _checked({**scores, **{f"judge {name}": column for name, column in judgements.items()}})
    if not judgements:
        raise DataError.at("judgements", "there is no judge", "name the columns of the judges")
    if seed < 0:
        raise DataError.at("seed", f"{seed} is negative", "give a whole number of at least 0")
    combinations: tuple[Combination, ...] = get_args(Combination)[: 1 if len(judgements) == 1 else 2]
    rows = list(zip(*judgements.values(), strict=True))
    humans, correlations = [], []
    for method in methods:
        for combination in combinations:
            judges = tuple(_left_out(judgements, method, combination))
            values = [found.value for found in judges if found.value is not None]
            bound = math.fsum(values) / len(values) if values else None
            humans.append(HumanBound(method, combination, bound, judges))
            target = [combined(row, combination) for row in rows]
            for name, column in scores.items():
                found = _correlation(name, column, target, method, combination)
                correlations.append(_with_interval(found, column, target, interval, seed))
    judged = {name: items - list(column).count(None) for name, column in judgements.items()}
    alpha = krippendorff_alpha(rows, "interval")
    return MetaEvaluation(items, judged, alpha, tuple(humans), tuple(correlations))


def combined(judgements: Column, combination: Combination) -> float | None:
    """The judgements of one item as one number; None if there is none.

    The majority is the most frequent judgement; of several the one nearest to the median, as in Kim et
    al. (2010, section 5); of several again, which the paper leaves open, the lowest.
    """
    given = sorted(float(judgement) for judgement in judgements if judgement is not None)
    if not given:
        return None
    if combination == "average":
        return math.fsum(given) / len(given)
    counts, median = Counter(given), statistics.median(given)
    return min(counts, key=lambda value: (-counts[value], abs(value - median), value))


def similarity_scores(measure: str, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
    """The similarity of each (predicted, gold) pair by a kind of `kpframe.similarity`, as `kmr`.

    A pair with an empty phrase has no score. Raises ValueError if `measure` names no similarity, and
    DataError if it gives something that is not a finite number.
    """
    similarity = cast(Similarity, part("similarity", measure))
    scores: list[float | None] = []
    for predicted, gold in pairs:
        if not predicted.strip() or not gold.strip():
            scores.append(None)
            continue
        score = float(similarity.compare(predicted, gold))
        if not math.isfinite(score):
            problem = f"gives {score} for {predicted!r} and {gold!r}"
            raise DataError.at(f"measure {measure}", problem, "leave the pair or the measure out")
        scores.append(score)
    return scores


def _checked(columns: Mapping[str, Column]) -> int:
    """The number of items."""
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        problem = f"have between {min(lengths)} and {max(lengths)} items"
        raise DataError.at("scores and judgements", problem, "give a number or None for every item")
    for name, column in columns.items():
        for number in column:
            if number is not None and not math.isfinite(number):
                raise DataError.at(name, f"{number} is not a finite number", "use None for what is missing")
    return max(lengths, default=0)


def _left_out(
    judgements: Mapping[str, Column], method: Method, combination: Combination
) -> Iterator[Correlation]:
    """Each judge against the others; nothing for a single one."""
    for name, column in judgements.items() if len(judgements) > 1 else ():
        others = [judgements[other] for other in judgements if other != name]
        target = [combined(row, combination) for row in zip(*others, strict=True)]
        yield _correlation(name, column, target, method, combination)


def _correlation(
    name: str, scores: Column, target: Column, method: Method, combination: Combination
) -> Correlation:
    pairs = _pairs(scores, target)
    value, reason = coefficient([x for x, _ in pairs], [y for _, y in pairs], method)
    missing = len(scores) - len(pairs)
    return Correlation(name, method, combination, value, None, None, len(pairs), missing, reason)


def _pairs(scores: Column, target: Column) -> list[tuple[float, float]]:
    both = zip(scores, target, strict=True)
    return [(float(x), float(y)) for x, y in both if x is not None and y is not None]


def _with_interval(
    found: Correlation, scores: Column, target: Column, interval: Interval, seed: int
) -> Correlation:
    if found.value is None:
        return found
    if interval == "fisher":
        bounds = fisher_interval(found.value, found.items, found.method)
    else:
        bounds = bootstrap_interval(sorted(_pairs(scores, target)), found.method, seed)
    low, high = bounds or (None, None)
    return Correlation(**{**asdict(found), "low": low, "high": high})
