"""Unicode normalisation of texts."""

from __future__ import annotations

import re
import unicodedata
from typing import ClassVar, Literal

import regex
from pydantic import Field

from kpframe.model import Traced
from kpframe.model.folding import INVISIBLE
from kpframe.stages import Cleaner

__all__ = ["Unicode"]

_UNSEEN = re.compile(f"[{INVISIBLE}]")
_ZERO_SPACE = re.compile("\u200b++")
_SEEN = regex.compile(r"\X(?:\p{M}\X?+)*+(?<=[^\x00-\x7f])")
_RUN = regex.compile(r"\S++")
_ALL = regex.compile(r"(?s).++")


class Unicode(Cleaner):
    """One form for equal characters: composed, and without soft hyphens and zero-width characters.

    A zero-width space (U+200B) parts words, so it becomes a blank where there is none beside it.
    NFC composes letters and accents ("e" + "´" → "é"); NFKC also takes ligatures apart ("ﬁ" → "fi")
    and turns full-width and superscript characters into plain ones ("x²" → "x2"). Joiners (U+200C,
    U+200D) stay, because some scripts spell with them. Not in the paper.
    """

    source: ClassVar[str] = "Unicode Standard Annex 15 (Unicode Normalization Forms)"
    short: ClassVar[str] = "form"

    form: Literal["NFC", "NFKC"] = Field(
        "NFC", description="The Unicode normalisation form: NFC keeps ligatures, NFKC takes them apart."
    )

    def clean(self, text: str) -> str:
        """`text` in the wanted form."""
        return self.edit(Traced.of(text)).text

    def edit(self, text: Traced) -> Traced:
        """The same, with the way back."""
        if text.text.isascii():
            return text
        seen = text.sub(_UNSEEN, "")
        seen = seen.sub(_ZERO_SPACE, _blank)
        if unicodedata.is_normalized(self.form, seen.text):
            return seen
        wanted = unicodedata.normalize(self.form, seen.text)
        for units in (_SEEN, _RUN, _ALL):
            made = seen.sub(units, lambda found: unicodedata.normalize(self.form, found.group()))
            # Where a form joins what two units are made of (half-width Hangul), greater ones are taken.
            if made.text == wanted:
                break
        return made


def _blank(found: re.Match[str]) -> str:
    """What stands in place of zero-width spaces: a blank between two signs that are none."""
    before, after = (
        found.string[max(0, found.start() - 1) : found.start()],
        found.string[found.end() : found.end() + 1],
    )
    return " " if before.strip() and after.strip() else ""
