"""Drop phrases that are spelled almost like a better one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from kpframe.errors import StageError, counted
from kpframe.model import Keyphrases, Ranked
from kpframe.stages import Postprocessor

__all__ = ["Similar"]

_BLOCK = 256
"""Phrases that are compared at a time: memory grows with the list, not with its square."""


class Similar(Postprocessor):
    """From the best phrase down, a phrase goes if its key is too much like that of a kept one.

    YAKE removes its many overlapping n-grams so. Measures of two strings a and b, each in 0 … 1:

    - `levenshtein`: 1 - edits / length of the longer one, where edits are insertions, deletions
      and substitutions of one character;
    - `indel`: 1 - edits / (length of a + length of b), without substitutions: twice the longest
      common subsequence over both lengths, near to the ratio that YAKE's program takes;
    - `jaro_winkler`: agreement of characters near one another, more for a common beginning.

    Each phrase is compared to all kept ones, so time grows with the square of the list, and one of more
    than `max_phrases` is an error: put `top` before it where lists are long.
    """

    source: ClassVar[str] = "Campos et al. 2020 (YAKE), section 4.5; Levenshtein 1966; Winkler 1990"
    short: ClassVar[str] = "above"

    above: float = Field(
        0.8, ge=0, le=1, description="A phrase goes if its similarity to a kept one is greater than this."
    )
    max_phrases: int = Field(
        20_000,
        ge=1,
        description="Most phrases of a list: 20,000 take a quarter of a minute, 40,000 a whole one.",
    )
    measure: Literal["levenshtein", "indel", "jaro_winkler"] = Field(
        "levenshtein", description="How alike two keys are, 0 … 1."
    )

    def process(self, keyphrases: Keyphrases) -> Keyphrases:
        """The phrases without near duplicates of better ones; StageError for too many."""
        if len(keyphrases) > self.max_phrases:
            raise StageError.at(
                f"document {keyphrases.document.id!r}, postprocessing: similar",
                f"{counted(len(keyphrases), 'phrase')}; time grows with the square of their number",
                f"put {{kind: top, number: {self.max_phrases}}} before it, or raise max_phrases",
            )
        kept: list[str] = []
        entries: list[Ranked] = []
        for begin in range(0, len(keyphrases.entries), _BLOCK):
            block = keyphrases.entries[begin : begin + _BLOCK]
            if kept:
                like = self._alike([entry.key for entry in block], kept)
                block = tuple(entry for entry, row in zip(block, like, strict=True) if not row.any())
            keys = [entry.key for entry in block]
            own = self._alike(keys, keys)  # one list twice: then each pair is compared once
            chosen: list[int] = []
            gone = np.zeros(len(block), dtype=np.bool_)
            for number in range(len(block)):
                if not gone[number]:
                    chosen.append(number)
                    gone |= own[:, number]
            entries += [block[number] for number in chosen]
            kept += [block[number].key for number in chosen]
        return keyphrases.kept(entries)

    def _alike(self, keys: Sequence[str], others: Sequence[str]) -> NDArray[np.bool_]:
        """Which keys are too much like which others, shape (keys, others)."""
        from rapidfuzz import process
        from rapidfuzz.distance import Indel, JaroWinkler, Levenshtein

        scorer = {"levenshtein": Levenshtein, "indel": Indel, "jaro_winkler": JaroWinkler}[self.measure]
        similarity = process.cdist(
            keys, others, scorer=scorer.normalized_similarity, score_cutoff=self.above, dtype=np.float64
        )
        alike: NDArray[np.bool_] = similarity > self.above
        return alike
