"""Phrases that are alike match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from kpframe.matching._gold_index import GoldIndex
from kpframe.matching._prepared import Prepared, PreparedMatching
from kpframe.matching._weights import AssignedMatches, WeightedMatches, Weights, assign
from kpframe.model import Gold, Matches
from kpframe.stages.parts import SimilarityPart
from kpframe.statistics.pairing import paired

__all__ = ["Soft"]

_ROUNDING = 1e-9


class Soft(PreparedMatching):
    """A phrase may hit a gold keyphrase to which its similarity is above 0 and at least `threshold`.

    Similarity is that of what is written, to the nearest variant of the keyphrase; equal tokens have 1
    under every similarity. `rank`: going down the ranks, a phrase hits if it and all better hits can have
    keyphrases of their own; each has the one to which it is most alike (then the longest in tokens, then
    the first in alphabetical order) of those that leave one for every later hit.
    `optimal`: the pairs with the greatest sum of similarities (of equal sums, the most pairs), whatever
    the order; at a cut-off the first k phrases are assigned anew. `many`: a phrase hits every keyphrase
    it may hit. With `weighted` a hit counts as its similarity instead of 1 in precision, recall and F1:
    in `many`, a phrase and a keyphrase each count at their best, which is SoftKeyScore; metrics of ranks
    see hits alone.

    At the default threshold two phrases have at least as much in common as apart, which for Jaccard of
    words is half of all their words: "grid computing" is hit by "computing" and by "fast grid
    computing". OpenNMT-kpg's "partial" scores are `optimal`, `weighted`, `threshold: 0` over
    `jaccard` with `n: 2` (words and word pairs), `normalize: porter`, `duplicates: keep`. The rule of a
    hit is the kind of the similarity.
    """

    source: ClassVar[str] = "OpenNMT-kpg-release, kp_evaluate (partial); Kuhn 1955, assignment"
    paths: ClassVar[tuple[str, ...]] = ("similarity.corpus",)
    short: ClassVar[str] = "similarity"

    similarity: SimilarityPart = Field(
        "jaccard",  # type: ignore[assignment]
        description="How alike two phrases are: a kind of similarity.",
    )
    threshold: float = Field(0.5, ge=0, description="The least similarity of phrases that match.")
    assignment: Literal["rank", "optimal", "many"] = Field(
        "rank",
        description="Who hits whom: one to one by rank, one to one with the greatest sum, or all that match.",
    )
    weighted: bool = Field(
        False, description="Whether a hit counts as the similarity in precision, recall and F1, not as 1."
    )

    @model_validator(mode="after")
    def _within_one(self) -> Soft:
        if self.weighted and not self.similarity.bounded:
            raise ValueError(f"weighted: {self.similarity.kind} is not bounded by 1")
        return self

    def match(self, predicted: Sequence[str], gold: Sequence[Gold], text: str | None) -> Matches:
        """Match the predicted surface forms, best first; DataError if absent gold cannot be told."""
        prepared = self.prepare(predicted, gold, text)
        weights = self._weights(prepared)
        if self.assignment == "optimal":
            assigned = assign(weights, prepared.index.order)
            return prepared.matches(
                assigned, self._rules(assigned), kind=AssignedMatches, weights=weights, weighted=self.weighted
            )
        wishes = [_by_preference(row, prepared.index) for row in weights]
        many = self.assignment == "many"
        related = wishes if many else None
        hits = [numbers[0] if numbers else -1 for numbers in wishes] if many else paired(wishes)
        rules = self._rules(hits)
        if not self.weighted:
            return prepared.matches(hits, rules, related)
        return prepared.matches(hits, rules, related, kind=WeightedMatches, weights=weights)

    def _rules(self, hits: Sequence[int]) -> list[str]:
        return [self.similarity.kind if hit >= 0 else "" for hit in hits]

    def _weights(self, prepared: Prepared) -> Weights:
        """Similarities to the nearest variants; 0 below the threshold."""
        groups = prepared.index.gold
        variants = [variant for group in groups for variant in group]
        surfaces = [variant.surface for variant in variants]
        rows = self.similarity.matrix([phrase.surface for phrase in prepared.phrases], surfaces)
        least = self.threshold - _ROUNDING
        exact = prepared.index.exact
        weights = []
        for phrase, row in zip(prepared.phrases, rows, strict=True):
            nearest = row if len(groups) == len(row) else _nearest(row, groups)
            kept = [value if value >= least and value > 0 else 0.0 for value in nearest]
            for number in exact.get(phrase.tokens, ()):
                kept[number] = 1.0
            weights.append(tuple(kept))
        return tuple(weights)


def _nearest(row: Sequence[float], groups: Sequence[Sequence[object]]) -> list[float]:
    values = iter(row)
    return [max([next(values) for _ in group], default=0.0) for group in groups]


def _by_preference(row: Sequence[float], index: GoldIndex) -> list[int]:
    """The matching gold keyphrases: the most alike first, then the longest, then in alphabetical order."""
    numbers = [number for number, value in enumerate(row) if value > 0]
    if len(numbers) < 2:
        return numbers
    lengths = {number: max(len(variant.tokens) for variant in index.gold[number]) for number in numbers}
    return sorted(numbers, key=lambda number: (-row[number], -lengths[number], index.order[number]))
