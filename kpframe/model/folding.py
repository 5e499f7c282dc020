"""How characters are made equal before anything is compared: one rule for gold, predictions and texts.

There are two rules. `full` is kpframe's own; `lower` is what the programs do whose figures presets
reproduce, and no more: `straße` and `strasse`, `φ` and `ϕ`, `–` and `-`, `CO₂` and `CO2` stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal
from unicodedata import normalize

from kpframe.model.compatible import HYPHENS, LEVEL, Compatible, Kept, level, without_fractions
from kpframe.model.remembered import remembered
from kpframe.model.small_digits import TO_ASCII, written_out

__all__ = [
    "ASCII_MARKS",
    "DIRECTIONS",
    "FOLDINGS",
    "INVISIBLE",
    "Folding",
    "fold",
    "fold_with_dashes_apart",
    "fold_word",
    "lower",
    "plain",
    "seen",
    "squeeze",
    "without",
]

Folding = Literal["full", "lower"]
"""full: in NFC, case-folded, quotes, dashes, widths, small digits … as ASCII; lower: in lower case alone."""

_APOSTROPHES = "‘’‚‛ʹʻʼʽ′‵`´＇‹›׳᾽᾿"
_QUOTES = "“”„‟«»″‶〝〞＂״"
_LONG_DASHES = "‒–—―−⸺⸻﹘︱︲"

# Characters that say how a line may break or in which direction it runs; they are no part of a word.
# U+200B marks a place between words, so it is white space rather than nothing.
DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks of the direction in which a text runs."""
_RANGES = (0x034F, 0x034F), (0x2060, 0x2065), (0x206A, 0x206F), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)
INVISIBLE = f"\u00ad\u180e{DIRECTIONS}" + "".join(
    chr(code) for first, last in _RANGES for code in range(first, last + 1)
)
"""Signs that are no part of a word and end none: the one set for folding, for words and for cleaning."""
_UNSEEN: dict[int, str | None] = {**dict.fromkeys(map(ord, INVISIBLE)), 0x200B: " "}
# In texts out of PDF a soft hyphen may be a dash that was printed.
_SHOWN = {code: sign for code, sign in _UNSEEN.items() if code != 0xAD}
_JOINERS = "\u200c\u200d"
_JOINER = re.compile(f"[{_JOINERS}]")
_LOOSE_JOINER = re.compile(f"(?<!\\S)[{_JOINERS}]+|[{_JOINERS}]+(?!\\S)")

ASCII_MARKS = (
    str.maketrans(
        {"’": "'", "‘": "'", "ʼ": "'", "‛": "'", "´": "'", "＇": "'", "“": '"', "”": '"', "‐": "-", "‑": "-"}
    )
    | TO_ASCII
    | LEVEL
)
"""Typographic quotes, hyphens, full-width letters and small digits as in ASCII; one character stays one."""

_FOLDED: dict[int, str | None] = {
    ord(character): made
    for character, made in {
        **dict.fromkeys(_APOSTROPHES, "'"),
        **dict.fromkeys(_QUOTES, '"'),
        **dict.fromkeys(_LONG_DASHES + HYPHENS, "-"),
    }.items()
}
_FOLDED |= _UNSEEN
_TYPED = Compatible(LEVEL | _FOLDED)
# What texts may leave out, and most do: the long stroke and the vowel signs of Arabic, the points and accents
# of Hebrew, the dots of the Cyrillic ё.
_ARABIC, _HEBREW = "\u0640\u07fa\u064b-\u0652\u0670", "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
_OPTIONAL = re.compile(f"[{_ARABIC}{_HEBREW}]|(?<=е)\u0308")
# Once letters are composed again: Persian and Arabic keyboards have their own k and y.
_COMPOSED = Kept({**_FOLDED, 0x643: "\u06a9", 0x64A: "\u06cc"})
_INNER_DASH = re.compile(f"(?<=\\S)[{_LONG_DASHES}](?=\\S)")


def fold(text: str) -> str:
    """In NFC and case-folded, white space squeezed, all quotes, hyphens, dashes and minus signs as in ASCII.

    Widths, fonts, ligatures and other forms of print are as `compatible.py` says, œ and æ as two letters,
    vowel signs of Arabic and Hebrew, tatweel and the dots of ё as left out. Small digits inside words (CO₂)
    are as large ones, but for marks of footnotes and powers of numbers.
    Canonically equivalent texts fold alike, and what is folded stays so when it is folded again. The i with
    and the ı without a dot are one letter, as are their capitals.
    """
    if text.isascii():
        if text.isalnum():  # most words are
            return text.lower()
        return squeeze(text).lower().replace("`", "'")
    # Marks must stand in canonical order when case is folded (Unicode 3.13, D145): a iota subscript becomes
    # a letter, behind which no mark of the letter before it may be left.
    parted = normalize("NFD", without_fractions(level(text)).translate(_TYPED)).casefold()
    # œ and æ are two letters where a keyboard has not got them, in every language; ø, å, ü have no such rule.
    # Turkic languages write I without a dot for ı, and İ for i: which case means which is known for a text in
    # such a language alone, and its names stand in others too. So both are one letter.
    parted = parted.replace("i\u0307", "i").replace("ı", "i").replace("œ", "oe").replace("æ", "ae")
    folded = squeeze(normalize("NFC", _OPTIONAL.sub("", parted)).translate(_COMPOSED))
    # Joiners inside a word are part of its spelling, at an end they are left over.
    return written_out(squeeze(_LOOSE_JOINER.sub("", folded)) if _JOINER.search(folded) else folded)


fold_word = remembered(fold)
"""`fold` of words and short phrases, remembered."""


def plain(text: str) -> str:
    """`text` composed (NFC), without soft hyphens and marks of direction; case and typography stay.

    Joiners (U+200C, U+200D) stay inside words, which are spelt with them, and go at the ends.
    """
    if text.isascii():
        return text
    return normalize("NFC", text.translate(_UNSEEN)).strip(_JOINERS)


def seen(text: str) -> str:
    """`text` as it is shown: without what cannot be seen, white space squeezed; letters stay as they are.

    Soft hyphens stay, which may be seen.
    """
    if text.isascii():
        return squeeze(text)
    visible = squeeze(text.translate(_SHOWN))
    return squeeze(_LOOSE_JOINER.sub("", visible)) if _JOINER.search(visible) else visible


def without(signs: re.Pattern[str], text: str) -> tuple[str, list[int]] | None:
    """`text` without some signs, and where in it each character that is left stands; None if there are none.

    There is one place more, the end of the text.
    """
    if text.isascii() or not signs.search(text):
        return None
    kept = [(place, sign) for place, sign in enumerate(text) if not signs.match(sign)]
    return "".join(sign for _, sign in kept), [*(place for place, _ in kept), len(text)]


def fold_with_dashes_apart(text: str) -> str | None:
    """`fold` of a text in which a dash between two letters parts them, None where there is none.

    "neural–symbolic" is one word with a hyphen, "networks—a survey" is not; print does not tell which.
    """
    parted, times = _INNER_DASH.subn(lambda found: f" {found.group()} ", text)
    return fold(parted) if times else None


def lower(text: str) -> str:
    """In lower case, white space squeezed, every other character as it is."""
    return squeeze(text).lower()


def squeeze(text: str) -> str:
    """Every run of white space as one space, none at the ends."""
    return " ".join(text.split())


FOLDINGS: Mapping[Folding, Callable[[str], str]] = {"full": fold, "lower": lower}
