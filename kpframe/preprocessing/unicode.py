"""Unicode normalisation of texts."""

from __future__ import annotations

import re
import unicodedata
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.stages import Cleaner

__all__ = ["Unicode"]

_INVISIBLE = re.compile("[\u00ad\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff]")


class Unicode(Cleaner):
    """One form for equal characters: composed, and without soft hyphens and zero-width characters.

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
        return text if text.isascii() else unicodedata.normalize(self.form, _INVISIBLE.sub("", text))
