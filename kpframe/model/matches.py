"""Which predicted phrase hits which gold keyphrase."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

__all__ = ["Matches"]


@dataclass(frozen=True)
class Matches:
    """The outcome of matching one document: all that metrics read.

    `hits[i]` is the index, among the kept gold keyphrases, of the one that the phrase of rank i + 1
    hits, or -1; a gold keyphrase is hit at most once. `rules[i]` names the rule (`exact`, `morph`,
    …) or is empty. `gold` counts the kept gold keyphrases, `dropped` those left out because they
    are not in the text.
    """

    hits: tuple[int, ...]
    rules: tuple[str, ...]
    gold: int
    dropped: int = 0

    @property
    def predicted(self) -> int:
        """How many phrases were predicted."""
        return len(self.hits)

    @cached_property
    def _cumulated(self) -> list[int]:
        counts = [0]
        for hit in self.hits:
            counts.append(counts[-1] + (hit >= 0))
        return counts

    def hits_at(self, k: int) -> int:
        """The number of hits among the first `k` phrases (all, if there are fewer)."""
        return self._cumulated[min(k, len(self.hits))]
