"""The scores that the gold keyphrases of a corpus themselves put out of reach.

A document with two gold keyphrases cannot have a precision at 5 of more than 2/5, and one with twenty
cannot have a recall at 10 of more than 1/2. The means of these bounds depend on the corpus alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["CUTOFFS", "Bound", "Cutoff", "bound_of", "oracle_bound"]

Cutoff = int | Literal["M", "O"]

CUTOFFS: tuple[Cutoff, ...] = (5, 10, "M", "O")
"""Where bounds are given: at k phrases, at all that are returned (M), at as many as there is gold (O)."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The mean scores over `documents` that a perfect system gets, each in 0 … 1."""

    precision: float
    recall: float
    f1: float
    documents: int

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "documents": self.documents,
        }


def oracle_bound(sizes: Mapping[int, int], cutoff: Cutoff) -> Bound | None:
    """The scores at `cutoff` of an oracle that returns exactly the gold keyphrases of every document.

    `sizes` says how many documents have how many gold keyphrases; those without any are left out, and
    where no other is left the bound is None. Precision at k is divided by k also where there is less
    gold; F1 is the mean over documents of the documents' F1. So Yuan et al. (2020, section 1) found
    F1@5 = .858 and F1@10 = .626 for KP20k; by their own equation 5, which divides by no more than the
    number of predictions, the figures would be higher.
    """
    return bound_of(((gold, gold, documents) for gold, documents in sizes.items()), cutoff)


def bound_of(cases: Iterable[tuple[int, int, int]], cutoff: Cutoff) -> Bound | None:
    """The scores of a system that returns right phrases only.

    `cases` are numbers of gold keyphrases, of the phrases returned, and of the documents where it is so.
    """
    rows = [(_scores(gold, right, cutoff), documents) for gold, right, documents in sorted(cases) if gold]
    count = sum(documents for _, documents in rows)
    if not count:
        return None
    precision, recall, f1 = (
        math.fsum(scores[i] * documents for scores, documents in rows) / count for i in range(3)
    )
    return Bound(precision, recall, f1, count)


def _scores(gold: int, right: int, cutoff: Cutoff) -> tuple[float, float, float]:
    whole = right if cutoff == "M" else gold if cutoff == "O" else cutoff
    hits = min(right, whole)
    if not hits:
        return 0.0, 0.0, 0.0
    return hits / whole, hits / gold, 2 * hits / (whole + gold)
