"""Superscript and subscript digits: part of a word (H₂O, x², ¹³C), or the mark of a footnote (method²).

A footnote is a superscript number, or a range of them (³⁻⁵), at the end of a word: right behind four or more
letters, or two or more of a script without capitals, or three behind a hyphen; behind the number of a name
with two letters (Covid-19⁴, IL-6²); wherever another follows behind a comma (Ann¹,²). Or it stands right
before a word of four or more letters (¹Department). It is no part of the word, and no word. So `sigma²` and
`acres²` are taken for words with a footnote, `map²`, `MC²` and `x1²` are not. Case does not count, so that a
text and its folded form are cut alike.
"""

from __future__ import annotations

import regex

__all__ = [
    "FOOTNOTE_AHEAD",
    "FOOTNOTE_BEHIND",
    "RAISED",
    "SMALL",
    "TO_ASCII",
    "is_small_number",
    "written_out",
]

_SUPERSCRIPT, _SUBSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
TO_ASCII = str.maketrans(_SUPERSCRIPT + _SUBSCRIPT, "0123456789" * 2)
"""Each small digit as a digit; one character stays one."""
_WRITTEN = TO_ASCII | str.maketrans("⁺⁻", "+-")

RAISED = _SUPERSCRIPT
SMALL = f"{_SUPERSCRIPT}{_SUBSCRIPT}⁺⁻₊₋"
"""The superscript digits, and all small digits and signs, as parts of a set of characters of a pattern."""

_MARK = rf"[{RAISED}]++(?:⁻[{RAISED}]++)*+"
_LETTER = r"\p{L}\p{M}*"
_HYPHEN = "[-‐‑]"
# method², 研究², state-of-the-art², the user's², the 1990s², Covid-19², TGF-β1²
_BEFORE_MARK = (
    rf"(?:{_LETTER}){{4}}|(?:\p{{Lo}}\p{{M}}*){{2}}|{_LETTER}{_HYPHEN}(?:{_LETTER}){{3}}|{_LETTER}['’]s|\d{{4}}s"
    rf"|{_LETTER}{_HYPHEN}?{_LETTER}{_HYPHEN}?\d{{1,4}}"
)
_MARK_ENDS = rf"(?![^\W_]|[{SMALL}])"
# Ann¹,² and p53¹,²
_LISTED = rf"(?<={_LETTER}(?:{_LETTER}|{_HYPHEN}?\d{{1,4}})){_MARK}(?=[,˒]{_MARK}{_MARK_ENDS})"
FOOTNOTE_BEHIND = rf"(?=[{RAISED}])(?:(?<={_BEFORE_MARK}){_MARK}{_MARK_ENDS}|{_LISTED})"
FOOTNOTE_AHEAD = rf"{_MARK}(?=(?:\p{{L}}\p{{M}}*+){{4,}}+{_MARK_ENDS})"
"""Patterns of the mark behind a word, and of the one before a word, where nothing of a word is before it."""

_MARKS = frozenset(SMALL + "-‐‑")
_SOME = regex.compile(f"[{SMALL}]")
_RAISED = regex.compile(
    rf"(?<=[^\W\d_]|[{_SUBSCRIPT}])(?!{FOOTNOTE_BEHIND})(?:⁻?[{RAISED}]++(?:⁺{_MARK_ENDS})?+|⁺{_MARK_ENDS})"
    rf"|(?<![^\W_]|[{SMALL}])(?!{FOOTNOTE_AHEAD})[{RAISED}]++(?=[^\W\d_])"
)
_LOWERED = regex.compile(f"[{_SUBSCRIPT}]++")


def written_out(text: str) -> str:
    """A text with the small digits of its words as digits: CO₂ is CO2, s⁻¹ is s-1, Ca²⁺ is Ca2+, ¹³C is 13C.

    Footnotes stay, and so do powers of numbers (10³), which would be other numbers.
    """
    if not _SOME.search(text):
        return text
    raised = _RAISED.sub(lambda found: found.group().translate(_WRITTEN), text)
    return _LOWERED.sub(lambda found: found.group().translate(_WRITTEN), raised)


def is_small_number(word: str) -> bool:
    """Whether a token is nothing but small digits and signs, as the mark of a footnote, or of some (³-⁵)."""
    return word[:1] in SMALL and set(word) <= _MARKS
