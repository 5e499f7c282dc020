"""Phrases that end in a full stop, comma, colon or semicolon, or begin with one, as cut out of a sentence.

Words are compared with their marks, so "neural networks." is another phrase than "neural networks". Names
that have such a sign are none of these: abbreviations (U.S., et al., Inc., assn., Bacillus spp.) and `.NET`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import regex

from kpframe.errors import counted
from kpframe.language.words import TITLES

__all__ = ["LooseMarks", "has_loose_mark"]

_SIGNS = frozenset(".,;:。．｡，､、；：،؛۔।։፡።")
_STOPS = ".．"
_ABBREVIATIONS = (
    "al. approx. assn. assoc. av. ave. bd. bzw. ca. cf. cia. cie. corp. dept. ed. eds. est. etc. ext. fam.",
    "fig. gov. inst. int. lib. max. min. misc. mus. nat. no. nos. nr. op. pat. ph. pp. resp. sec. soc. sp.",
    "spp. ssp. sta. str. subsp. temp. univ. usw. var. viz. vol. vs. yr. вв. гг. др. им. сокр. т.д. т.п.",
)
_KNOWN = TITLES.union(*(words.split() for words in _ABBREVIATIONS))
# One letter (C.), letters with full stops between (Ph.D.), or none but consonants (assn., ltd.).
_SHORT = regex.compile(r"(?i)(?:\p{L}\p{M}*|.*[^\W\d_]\..*[^\W\d_]|(?=[a-z])[^aeiouy\W\d_]{1,5})\.")


@dataclass
class LooseMarks:
    """How many phrases were looked at, how many of them have a loose mark, and the first of these."""

    phrases: int = 0
    loose: int = 0
    example: str = ""

    def look_at(self, phrases: Iterable[str]) -> None:
        """Count some phrases."""
        for phrase in phrases:
            self.phrases += 1
            if (phrase[-1:] in _SIGNS or phrase[:1] in _SIGNS) and has_loose_mark(phrase):
                self.loose += 1
                self.example = self.example or phrase

    def look_at_forms(self, forms: Iterable[Iterable[str]]) -> None:
        """Count phrases of one form or more: one without a loose mark is enough."""
        for variants in forms:
            self.look_at([min(variants, key=has_loose_mark)])

    def told(self, whose: str) -> str:
        """One line about the phrases of somebody (`gold`), with a remedy; empty where nothing is to tell."""
        if not self.loose:
            return ""
        example = " ".join(self.example.split())
        shown = example if len(example) <= _SHOWN else f"{example[:20]} … {example[-20:]}"
        have, match = ("begins or ends", "matches") if self.loose == 1 else ("begin or end", "match")
        return (
            f"{whose}: {self.loose:,} of {counted(self.phrases, 'phrase')} {have} with a mark of a sentence, "
            f"as {shown!r}, and {match} none without it; take it off where it is no part of the phrase"
        )


_SHOWN = 60


def has_loose_mark(phrase: str) -> bool:
    """Whether a phrase begins with a mark of a sentence, or ends in one that no abbreviation has."""
    words = phrase.split()
    if not words:
        return False
    first, last = words[0], words[-1]
    if first[0] in _SIGNS and (first[0] not in _STOPS or not first[1:2].isalnum()):
        return True
    if last[-1] not in _SIGNS:
        return False
    return last[-1] not in _STOPS or not (last.casefold() in _KNOWN or _SHORT.fullmatch(last))
