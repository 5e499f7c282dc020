"""Where gold keyphrases stand in their texts, and which of them are missed: lead bias made visible."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from kpframe.language.stems import stemmer
from kpframe.language.words import token_spans
from kpframe.model.folding import fold

__all__ = ["FIFTHS", "Occurrence", "PositionCounts", "Variant", "first_occurrences"]

FIFTHS = 5

Variant = Literal["proper", "paper"]
"""How places are told: see `first_occurrences`."""


class Occurrence(NamedTuple):
    """A phrase begins `begin` characters after the beginning of a text that has `length` characters."""

    begin: int
    length: int

    def part(self, parts: int = FIFTHS) -> int:
        """The part of the text, counted from 0, in which the phrase begins; exact at the borders."""
        return min(self.begin * parts // self.length, parts - 1)


def first_occurrences(
    text: str, keyphrases: Sequence[Sequence[str]], variant: Variant = "proper"
) -> list[Occurrence | None]:
    """For each keyphrase (its variants) the first place of any variant; None if none is in the text.

    - `proper`: phrases are runs of whole tokens, compared by Porter stems of case-folded tokens; begin
      and length are counted in the stemmed text.
    - `paper`: Kundu et al. (2023), section 2.2 with table 1, as their figures come about. Words are
      parted at blanks, a phrase is any run of characters of the stemmed text ("art" is in "parti"),
      and its begin *in the stemmed text* is put over the length of the text *before* stemming. As
      stems are shorter, the last fifth is never full: its counts are too low by about two thirds.
    """
    return list(_first_occurrences(text, tuple(map(tuple, keyphrases)), variant))


@lru_cache(maxsize=16)
def _first_occurrences(
    text: str, keyphrases: tuple[tuple[str, ...], ...], variant: Variant
) -> tuple[Occurrence | None, ...]:
    """Remembered for the last few texts: all systems of a run are asked for the same ones."""
    if variant == "paper":
        stemmed = _stems_at_blanks(text)
        phrases = [[_stems_at_blanks(form) for form in forms] for forms in keyphrases]
        length = len(text)
    else:
        inner = _stems(text)
        stemmed, length = f" {inner} ", len(inner)
        # The blank before a token stands where the token would stand without the blank at the beginning.
        phrases = [[f" {_stems(form)} " for form in forms] for forms in keyphrases]
    return tuple([_first(stemmed, forms, length) for forms in phrases])


def _first(text: str, forms: Sequence[str], length: int) -> Occurrence | None:
    begins = [text.find(form) for form in forms if form.strip()]
    found = [begin for begin in begins if begin >= 0]
    return Occurrence(min(found), length) if found else None


def _stems(text: str) -> str:
    folded = fold(text)
    stem = stemmer("porter")
    return " ".join(stem(folded[begin:end]) for begin, end in token_spans(folded))


def _stems_at_blanks(text: str) -> str:
    return " ".join(map(stemmer("porter"), text.lower().split()))


@dataclass(frozen=True, slots=True)
class PositionCounts:
    """Gold keyphrases by the part of the text in which they first stand, and how many were found.

    `gold` and `found` have one number for each part (a fifth, by default); `absent` counts those that
    stand nowhere. Counts of documents add up by `+`. All gold keyphrases are in `gold` or `absent`.
    """

    gold: tuple[int, ...]
    found: tuple[int, ...]
    absent: int = 0
    variant: Variant = "proper"

    @classmethod
    def none(cls, variant: Variant = "proper", parts: int = FIFTHS) -> PositionCounts:
        """The counts of no documents."""
        return cls((0,) * parts, (0,) * parts, 0, variant)

    @classmethod
    def of(
        cls,
        text: str,
        keyphrases: Sequence[Sequence[str]],
        found: Collection[int],
        *,
        variant: Variant = "proper",
        parts: int = FIFTHS,
    ) -> PositionCounts:
        """The counts of one document; `found` has the indexes of the keyphrases that were predicted."""
        gold, hits, absent = [0] * parts, [0] * parts, 0
        for i, place in enumerate(first_occurrences(text, keyphrases, variant)):
            if place is None:
                absent += 1
                continue
            gold[place.part(parts)] += 1
            hits[place.part(parts)] += i in found
        return cls(tuple(gold), tuple(hits), absent, variant)

    def __add__(self, other: PositionCounts) -> PositionCounts:
        """The counts of both."""
        if (self.variant, len(self.gold)) != (other.variant, len(other.gold)):
            raise ValueError("counts of different variants or parts cannot be added")
        return PositionCounts(
            tuple(a + b for a, b in zip(self.gold, other.gold, strict=True)),
            tuple(a + b for a, b in zip(self.found, other.found, strict=True)),
            self.absent + other.absent,
            self.variant,
        )

    @property
    def missed(self) -> tuple[int, ...]:
        """Gold keyphrases that were not found, in each part."""
        return tuple(a - b for a, b in zip(self.gold, self.found, strict=True))

    @property
    def missed_shares(self) -> tuple[float | None, ...]:
        """Missed over gold in each part, in 0 … 1 (Kundu et al., figure 4, in percent); None without gold."""
        rows = zip(self.missed, self.gold, strict=True)
        return tuple(missed / gold if gold else None for missed, gold in rows)

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        return {
            "variant": self.variant,
            "gold": list(self.gold),
            "found": list(self.found),
            "missed": list(self.missed),
            "missed_shares": list(self.missed_shares),
            "absent": self.absent,
        }
