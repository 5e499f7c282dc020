"""How a text looks on a line, whatever code points spell it, and how many characters one sees."""

from __future__ import annotations

from unicodedata import is_normalized, normalize

import regex

__all__ = ["as_seen", "width", "widths"]

# Programs that read PDF write dashes as soft hyphens; only between two letters one is surely not seen.
_INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}--\u00ad]+", regex.V1)
_SOFT = regex.compile(r"(?<=[\p{L}\p{M}])\u00ad(?=\p{L})")
# Vowels and final consonants of Hangul that stand in a syllable of old Korean, which has no composed form.
_ON_OTHERS = regex.compile(r"[\p{M}\u1160-\u11ff\ud7b0-\ud7ff]")


def as_seen(text: str) -> str:
    """`text` composed (NFC) and without invisible signs but soft hyphens; offsets change."""
    if text.isascii():
        return text
    seen = _INVISIBLE.sub("", text)
    return seen if is_normalized("NFC", seen) else normalize("NFC", seen)


def width(text: str) -> int:
    """How many characters of `text` one sees, each letter with its marks as one."""
    if text.isascii():
        return len(text)
    seen = as_seen(text)
    return len(seen) - len(_ON_OTHERS.findall(seen)) - len(_SOFT.findall(seen))


def widths(text: str) -> tuple[int, int, int]:
    """The characters of `text` as programs that wrap lines may count: as one sees them, composed, decomposed.

    The same for all canonically equivalent texts.
    """
    if text.isascii():
        return (len(text),) * 3
    seen = as_seen(text)
    return width(seen), len(seen), len(normalize("NFD", seen))
