"""How strings are made comparable: one Unicode form, no case, no typography, no invisible characters."""

from __future__ import annotations

import unicodedata

__all__ = ["ASCII_MARKS", "fold", "plain", "squeeze"]

ASCII_MARKS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "‐": "-", "‑": "-"})
"""Typographic quotes and hyphens as their ASCII forms; one character stays one."""

# Characters that say how a line may break or in which direction it runs; they are no part of a word.
# U+200B marks a place between words, so it is white space rather than nothing.
_INVISIBLE = dict.fromkeys([0xAD, 0x180E, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, 0xFEFF])
_INVISIBLE |= dict.fromkeys(range(0x2061, 0x206A))
_UNSEEN: dict[int, str | None] = {**_INVISIBLE, 0x200B: " "}
_JOINERS = "\u200c\u200d"


def plain(text: str) -> str:
    """`text` composed (NFC), without soft hyphens and marks of direction; case and typography stay.

    Joiners (U+200C, U+200D) stay inside words, which are spelt with them, and go at the ends.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.translate(_UNSEEN)).strip(_JOINERS)


def fold(text: str) -> str:
    """Composed, case-folded, white space squeezed, typographic quotes and hyphens as their ASCII forms.

    Equal for texts that are canonically equivalent (NFC and NFD), and with or without soft hyphens.
    """
    if text.isascii():
        return squeeze(text).lower()
    # Folding can take a letter apart (İ), so the result is composed once more.
    folded = squeeze(plain(text)).translate(ASCII_MARKS).casefold()
    return unicodedata.normalize("NFC", folded)


def squeeze(text: str) -> str:
    """Every run of white space as one space, none at the ends."""
    return " ".join(text.split())
