"""Texts as they would be typed, where print has changed letters, dashes and the ends of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Literal
from unicodedata import normalize

import regex
from pydantic import Field

from kpframe.language import models as language_model
from kpframe.language.codes import DEFAULT
from kpframe.language.detection import leans_to_english
from kpframe.language.hyphenation import has_broken_words, whole_words
from kpframe.model import Traced
from kpframe.model.compatible import as_typed
from kpframe.stages import Cleaner

__all__ = ["Typography"]

_VOICED = "\uff9e\uff9f"
"""Marks of half-width katakana, which are composed with the letter before them."""
# What is behind a dash is looked at where one stands, not at every character.
_DASH = regex.compile(r"[‒–](?:(?<=\p{L}\p{M}*[‒–])(?=[\p{L}\p{N}])|(?<=\p{N}[‒–])(?=\p{L}))")
# Cl−, HCO3−, SO42−: a minus of mathematics right behind symbols of elements, where nothing follows it.
_ION = re.compile(r"(?<!\w)((?:[A-Z][a-z]?[\d₀-₉]{0,3}){1,8})−(?![\w−–])")


class Typography(Cleaner):
    """Forms of print as they are typed, so that a tagger knows the words and they are shown plainly.

    - Ligatures, widths, fonts, Roman numerals and signs of several letters are the letters (ﬁ, Ａ, 𝐀, Ⅳ, ㎞,
      ℃), and hyphens that look like that of ASCII are that one. Small digits (CO₂, x²), ½, ™ and item marks
      stay;
    - words that a line end has broken are whole, by the rules of `dehyphenate`;
    - with `dashes: join` an en dash between two letters, or a letter and a digit, is a hyphen
      (SARS–CoV–2, host–pathogen); between digits (10–20) and beside blanks it stays a dash;
    - a minus that is the charge of an ion (Cl−, HCO3−) is a small one (Cl⁻), which is part of the word.

    It changes no word, and is left out for texts that come with their tokens. Not in the paper.
    """

    source: ClassVar[str] = "Unicode Standard Annex 15; Grefenstette and Tapanainen 1994 (broken words)"
    tidies: ClassVar[bool] = True

    dashes: Literal["keep", "join"] = Field(
        "keep", description="Whether an en dash between parts of a compound is a hyphen."
    )
    english: Literal["auto"] | bool = Field(
        "auto",
        description="Whether broken words are looked up in the word list of the English model; auto: those "
        "of English texts, where the model is installed.",
    )

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """Parameters, and the model whose word list is read."""
        if self.english is False or (self.english == "auto" and not language_model.is_installed(DEFAULT)):
            return self.to_spec()
        return {**self.to_spec(), "model": language_model.identity(DEFAULT)}

    def clean(self, text: str) -> str:
        """`text` as it would be typed."""
        return self.edit(Traced.of(text)).text

    def edit(self, text: Traced) -> Traced:
        """The same, with the way back."""
        whole = self._whole(text) if has_broken_words(text.text) else text
        if whole.text.isascii():
            return whole
        typed = _typed(whole).sub(_ION, lambda found: f"{found[1]}⁻")
        return typed.sub(_DASH, "-") if self.dashes == "join" else typed

    def _whole(self, text: Traced) -> Traced:
        english = self.english
        if english == "auto":
            english = leans_to_english(text.text) and language_model.is_installed(DEFAULT)
        return whole_words(text, english=english)


def _typed(text: Traced) -> Traced:
    changed = "".join(sorted(sign for sign in set(text.text) if _as_typed(sign) != sign))
    if not changed:
        return text
    pattern = re.compile(f"[{re.escape(changed)}][{_VOICED}]?")
    return text.sub(pattern, _letters)


def _letters(found: re.Match[str]) -> str:
    """What is typed for a sign; blanks around it only where there is none yet (5㎞, 20℃ below)."""
    made = normalize("NFC", "".join(map(_as_typed, found.group())))
    text, begin, end = found.string, *found.span()
    if text[begin - 1 : begin].isspace():
        made = made.lstrip()
    return made.rstrip() if text[end : end + 1].isspace() else made


_as_typed = lru_cache(maxsize=10_000)(as_typed)
