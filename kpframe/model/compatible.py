"""Characters that Unicode calls compatible, and which of them are one when phrases and texts are compared.

Unicode's compatibility decomposition (NFKD) is the guide. What it undoes is folded where it is a matter of
typing or print: widths (Ｃ＋＋, ｶﾞ), fonts (𝐀, ℝ), ligatures (ﬁ, ĳ), forms of Arabic letters, radicals,
Roman numerals (Ⅳ), squares (㎞, ㎡) and signs (℃, №). It is not folded where another word would come out:

- marks that begin an item (①, ⒈, ⑴, Ⓐ), which would be glued to the word behind them; they are no words;
- ™ and ℠, which would be letters of the name before them; raised letters of phonetics (tʰ is not th);
- punctuation (，．…！): where sentences end and words part has rules of its own, but for what stands between
  digits (３．１４);
- accents that stand alone (¨), which would be a blank and a mark; the letters of Hangul that stand alone
  (ㅋㅋ), which would be joined to syllables;
- small digits, which have their own rule (`small_digits.py`).

Fractions stand apart from what is before them: 2½ is 2 1/2, not 21/2. Beyond NFKD, decimal digits of all
scripts are one, and kin of the hyphen, the minus and the slash are that sign.

Source: Unicode Standard Annex 15 (Unicode Normalization Forms), section 1.2 and 6.
"""

from __future__ import annotations

import re
from unicodedata import category, decimal, decomposition, normalize

import regex

__all__ = [
    "HYPHENS",
    "LEVEL",
    "NO_WORDS",
    "Compatible",
    "Kept",
    "as_typed",
    "level",
    "with_signs_alone",
    "without_fractions",
]

HYPHENS = "‐‑−⁃˗﹣－֊־᐀᠆⸗゠"
"""What joins parts of a word as the hyphen of ASCII does: the minus too, which is none between blanks."""

_SLASHES = "⁄∕／"
_APOSTROPHES = "ʼ᾽᾿"  # letters and accents to Unicode, apostrophes to those who type them
_RANGES = (0x2460, 0x24FF), (0x2776, 0x2793), (0x3200, 0x321E), (0x3220, 0x3243), (0x3248, 0x324F)
_MORE_RANGES = (0x3251, 0x32BF), (0x32D0, 0x32FE), (0x1F100, 0x1F10C), (0x1F110, 0x1F169)
_ENUMERATORS = "".join(chr(code) for first, last in _RANGES + _MORE_RANGES for code in range(first, last + 1))
"""Numbers and letters in circles, in brackets or with a full stop, each in one character."""

_FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅟↉"
_ANY_FRACTION = frozenset(_FRACTIONS)
_FRACTION = regex.compile(rf"(?<![\p{{L}}\p{{M}}])[{_FRACTIONS}]")
"""A fraction in one character, a word by itself; not behind a letter, as in texts decoded wrongly."""

NO_WORDS = _ENUMERATORS + _FRACTIONS
"""What is a token by itself and no word: no keyphrase begins or ends with it."""
_BY_ITSELF = frozenset(NO_WORDS)
_ALONE = regex.compile(f"[{_ENUMERATORS}]|{_FRACTION.pattern}")

_PUNCTUATION = "．，：；！？"
LEVEL: dict[int, str] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in _PUNCTUATION},
    **dict.fromkeys(map(ord, HYPHENS), "-"),
    **dict.fromkeys(map(ord, _SLASHES), "/"),
    **dict.fromkeys(map(ord, _APOSTROPHES), "’"),
}
"""Signs, letters and digits that are cut as those of ASCII are; one character stays one."""
_LEVELLED = frozenset(map(chr, LEVEL))
_STOPS = frozenset(_PUNCTUATION[:3])
_BETWEEN_DIGITS = re.compile(f"(?<=\\d)[{_PUNCTUATION[:3]}](?=\\d)")

_POSITIONS = "<initial> <medial> <final> <isolated>"
_PRINTED = frozenset(f"<font> {_POSITIONS} <narrow> <wide> <square> <vertical> <small> <compat>".split())
_RAISED_LETTERS = "ªºⁿⁱ"
_JAMO = range(0x3131, 0x3190)


def level(text: str) -> str:
    """`text` with kin of ASCII's signs, letters and digits (full-width, minus) as those, of equal length."""
    if text.isascii():
        return text
    if not _STOPS.isdisjoint(text):
        text = _BETWEEN_DIGITS.sub(lambda found: chr(ord(found.group()) - 0xFEE0), text)
    return text if _LEVELLED.isdisjoint(text) else text.translate(_LEVEL)


class Kept(dict[int, str | int | None]):
    """A table of characters in which others stay; `str.translate` is slow where many are in no table."""

    def __missing__(self, code: int) -> int:
        self[code] = code
        return code


_LEVEL = Kept(LEVEL)


class Compatible(dict[int, str | None]):
    """What each character is compared as, found when it is asked for: few of a million ever are."""

    def __missing__(self, code: int) -> str | None:
        sign = chr(code)
        parts = normalize("NFD", sign)
        # Some letters are canonically made of ones that have a compatible one (ϓ of ϒ).
        made = self[code] = _compared(sign) if parts == sign else self._whole(sign, parts)
        return made

    def _whole(self, sign: str, parts: str) -> str:
        made = parts.translate(self)
        return sign if made == parts else made


def as_typed(sign: str) -> str:
    """A character of print as it is typed: ﬁ as fi, Ａ as A, 𝐀 as A, Ⅳ as IV, ℃ as °C; others as they are.

    Unlike what is compared, this can be shown: case, accents, digits of other scripts, small digits, brackets
    and punctuation stay, and so do all hyphens but the two that look like that of ASCII.
    """
    if sign in "‐‑":
        return "-"
    tag = decomposition(sign).partition(" ")[0]
    if tag not in _PRINTED or sign in _ENUMERATORS or ord(sign) in _JAMO or category(sign)[0] == "P":
        return sign
    made = normalize("NFKC", sign)
    # µ, ϕ and ℵ are symbols that look as they should.
    if tag == "<compat>" and len(made) == 1 and not made.isascii():
        return sign
    return _apart(sign, made)


def with_signs_alone(text: str) -> str:
    """`text` with a mark in place of what is a word by itself, of the same length, to be cut."""
    return text if _BY_ITSELF.isdisjoint(text) else _ALONE.sub("•", text)


def without_fractions(text: str) -> str:
    """`text` with fractions of one character written out: 2½ is 2 1/2."""
    if _ANY_FRACTION.isdisjoint(text):
        return text
    return _FRACTION.sub(lambda found: f" {normalize('NFKD', found.group()).replace('⁄', '/')} ", text)


def _compared(sign: str) -> str:
    kind = category(sign)
    if kind == "Nd":  # also those of other scripts
        return str(decimal(sign))
    tag = decomposition(sign).partition(" ")[0]
    if not tag.startswith("<") or sign in _ENUMERATORS or ord(sign) in _JAMO:
        return sign
    if tag in ("<super>", "<sub>"):
        letter = sign in _RAISED_LETTERS or (tag == "<sub>" and kind.startswith("L"))
        return normalize("NFKD", sign) if letter else sign
    if tag not in _PRINTED:
        return sign
    return _apart(sign, normalize("NFKC", sign).translate(LEVEL))


def _apart(sign: str, made: str) -> str:
    """What a sign is made of, apart from the words beside it if it was no part of them: 5㎞ is 5 km."""
    if made[0] == " " or (kind := category(sign))[0] == "P" or kind == "Zs":
        return sign
    if kind[0] in "LNM":
        return made
    return f"{' ' * made[0].isalnum()}{made}{' ' * made[-1].isalnum()}"
