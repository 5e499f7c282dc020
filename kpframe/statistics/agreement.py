"""How far judges agree: observed agreement, Fleiss' kappa, Krippendorff's alpha.

Ratings are a row for each item with a label for each judge, None where a judge gave none. Sums are
exact fractions, so that neither the order of the items nor that of the judges can show in a digit. Of
indexers, who choose terms freely, it is told how consistent they are: Rolling's and Hooper's coefficients.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from kpframe.errors import DataError

__all__ = [
    "Agreement",
    "Level",
    "Ratings",
    "fleiss_kappa",
    "hooper",
    "krippendorff_alpha",
    "observed_agreement",
    "rolling",
]

Label = Hashable
Ratings = Sequence[Sequence[Label | None]]
"""Items × judges; None: not judged."""

Level = Literal["nominal", "interval"]
"""What labels are: names that are equal or not, or numbers whose squared difference counts."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A coefficient: `value` (None where it is undefined, for the `reason` given) over `items` items.

    `items` counts the items that the coefficient could use.
    """

    value: float | None
    items: int
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"value": self.value, "items": self.items, **({"reason": self.reason} if self.reason else {})}


def observed_agreement(ratings: Ratings) -> Agreement:
    """The share of pairs of judges that gave the same label, 0 … 1: the mean of the items' shares.

    An item counts if at least two judges labelled it, each such item the same. Over complete ratings
    this is the mean P of Fleiss (1971), equation 3. Raises DataError for rows of different lengths.
    """
    rows = [row for row in _labels(ratings) if len(row) > 1]
    if not rows:
        return Agreement(None, 0, _NOT_PAIRED)
    return Agreement(float(_mean_agreement(rows)), len(rows))


def fleiss_kappa(ratings: Ratings) -> Agreement:
    """Fleiss' kappa for nominal labels: (P - Pe) / (1 - Pe), at most 1; 0 is agreement by chance.

    It is defined for the same number of labels an item, so only items that all judges labelled count.
    Pe comes from the shares of the labels among all judges together. Where all labels are the same,
    Pe is 1 and kappa undefined (other programs print 1, 0 or not-a-number).

    Source: Fleiss (1971), Measuring nominal scale agreement among many raters. Raises DataError for
    rows of different lengths and for fewer than two judges.
    """
    labels = _labels(ratings)
    if ratings and len(ratings[0]) < 2:
        raise DataError.at("ratings", "are those of one judge", "agreement needs at least two judges")
    rows = [found for found, row in zip(labels, ratings, strict=True) if len(found) == len(row)]
    if not rows:
        return Agreement(None, 0, "no item was judged by all judges")
    totals = Counter(label for row in rows for label in row)
    if len(totals) == 1:
        return Agreement(None, len(rows), _ALL_SAME)
    all_labels = sum(totals.values())
    chance = Fraction(sum(count * count for count in totals.values()), all_labels * all_labels)
    return Agreement(float((_mean_agreement(rows) - chance) / (1 - chance)), len(rows))


def krippendorff_alpha(ratings: Ratings, level: Level = "nominal") -> Agreement:
    """Krippendorff's alpha, 1 - Do / De, at most 1; 0 is agreement by chance, below it is systematic.

    Labels may be missing: every item with at least two labels counts, and the labels of other items
    play no part. `nominal` takes any labels, `interval` finite numbers (graded judgements). Where all
    labels that count are the same there is no disagreement to expect, and alpha is undefined.

    Source: Krippendorff (2004), Content Analysis, section 11.3 (2011, Computing Krippendorff's
    alpha-reliability). Raises DataError for rows of different lengths and, at the interval level, for
    labels that are not finite numbers.
    """
    rows = _labels(ratings)
    if level == "interval":
        rows = [[_exact_number(label) for label in row] for row in rows]
    rows = [row for row in rows if len(row) > 1]
    if not rows:
        return Agreement(None, 0, _NOT_PAIRED)
    disagreement: Callable[[Sequence[Any]], Fraction] = (
        _unequal_pairs if level == "nominal" else _squared_differences
    )
    labels = [label for row in rows for label in row]
    expected = disagreement(labels)
    if not expected:
        return Agreement(None, len(rows), _ALL_SAME)
    observed = sum((disagreement(row) / (len(row) - 1) for row in rows), Fraction())
    return Agreement(float(1 - (len(labels) - 1) * observed / expected), len(rows))


def rolling(common: float, first: int, second: int) -> float:
    """Rolling's consistency of two sets of terms, 0 … 1: 2 C / (A + B); 0 where both are empty.

    C terms are in both, A in the first, B in the second. Source: Rolling (1981), Indexing consistency,
    quality and efficiency; the F1 of one set against the other.
    """
    return 2 * common / (first + second) if first + second else 0.0


def hooper(common: float, first: int, second: int) -> float:
    """Hooper's consistency of two sets of terms, 0 … 1: C / (A + B - C); 0 where both are empty.

    Source: Hooper (1965), Indexer consistency tests; the Jaccard index of the sets.
    """
    return common / (first + second - common) if first + second else 0.0


_NOT_PAIRED = "no item was judged by two judges"
_ALL_SAME = "all labels are the same, so that agreement cannot be told from chance"


def _labels(ratings: Ratings) -> list[list[Any]]:
    """The labels that were given for each item."""
    widths = {len(row) for row in ratings}
    if len(widths) > 1:
        problem = f"the items have between {min(widths)} and {max(widths)} judges"
        raise DataError.at("ratings", problem, "give a label or None for every judge")
    return [[label for label in row if label is not None] for row in ratings]


def _mean_agreement(rows: Sequence[Sequence[Any]]) -> Fraction:
    total = sum((1 - _unequal_pairs(row) / (len(row) * (len(row) - 1)) for row in rows), Fraction())
    return total / len(rows)


def _unequal_pairs(labels: Sequence[Any]) -> Fraction:
    """How many ordered pairs of labels are not equal."""
    counts = Counter(labels).values()
    return Fraction(len(labels) * len(labels) - sum(count * count for count in counts))


def _squared_differences(numbers: Sequence[Fraction]) -> Fraction:
    """The sum of the squared differences of all ordered pairs."""
    total = sum(numbers, Fraction())
    return 2 * (len(numbers) * sum((x * x for x in numbers), Fraction()) - total * total)


def _exact_number(label: Any) -> Fraction:
    if isinstance(label, int | float | Fraction) and math.isfinite(label):
        return Fraction(label)
    raise DataError.at("ratings", f"{label!r} is not a finite number", "use the nominal level for names")
