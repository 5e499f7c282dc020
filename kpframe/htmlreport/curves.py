"""Precision, recall and F1 along the ranks, from the ranks of hits alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

__all__ = ["LONGEST", "Curve"]

LONGEST = 50

_Repeated = tuple[tuple[tuple[int, int], ...], int]
"""The hits of a document as ranks and gold keyphrases, and how much gold it has."""


@dataclass
class Curve:
    """Means over documents with gold keyphrases at k = 1 … 50, or as far as the longest list goes.

    Precision is hits over k (as trec_eval has it), recall gold keyphrases hit over all that count, F1 the
    mean of the documents' F1; all as the metrics `precision`, `recall` and `f1` have them by default.

    Documents with the same number of gold keyphrases are told by how many of their hits stand at each
    rank (`hits`), as all three values are linear in it; those that hit a keyphrase twice are `repeated`.
    """

    documents: int = 0
    longest: int = 0
    hits: dict[int, list[int]] = field(default_factory=dict)
    repeated: list[_Repeated] = field(default_factory=list)

    def add(self, hits: Sequence[Sequence[Any]], gold: int, predicted: int) -> None:
        """One document: its hits as `[rank, gold, rule]`, best first."""
        if not gold:
            return
        self.documents += 1
        self.longest = max(self.longest, min(predicted, LONGEST))
        if len({hit[1] for hit in hits}) < len(hits):
            self.repeated.append((tuple((hit[0], hit[1]) for hit in hits), gold))
            return
        ranks = self.hits.setdefault(gold, [0] * (LONGEST + 1))
        for hit in hits:
            if hit[0] <= LONGEST:
                ranks[hit[0]] += 1

    def to_json(self) -> list[dict[str, Any]]:
        """The points of the curve, four digits."""
        if not self.documents:
            return []
        until = {gold: list(accumulate(ranks)) for gold, ranks in sorted(self.hits.items())}
        return [
            self._point(k, {gold: sums[k] for gold, sums in until.items()})
            for k in range(1, self.longest + 1)
        ]

    def _point(self, k: int, hits: dict[int, int]) -> dict[str, Any]:
        """The means at k, given the numbers of hits up to there by the number of gold keyphrases."""
        rows = [(h / k, h / gold, 2 * h / (k + gold)) for gold, h in hits.items()]
        for pairs, gold in self.repeated:
            found = [number for rank, number in pairs if rank <= k]
            precision, recall = len(found) / k, len(set(found)) / gold
            rows.append((precision, recall, 2 * precision * recall / (precision + recall) if found else 0.0))
        columns = zip(*rows, strict=True)
        means = [round(math.fsum(column) / self.documents, 4) for column in columns]
        return {"k": k, **dict(zip(("precision", "recall", "f1"), means, strict=True))}
