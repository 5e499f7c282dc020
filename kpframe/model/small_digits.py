"""Superscript and subscript digits: part of a word (H₂O, x², ¹³C), or the mark of a footnote (method²).

A footnote is a superscript number at the end of a word, right behind four or more letters, or behind two or
more of a script without capitals; or right before a word of four or more letters (¹Department). It is no
part of the word, and no word. So `sigma²` and `acres²` are taken for words with a footnote, `map²` and `MC²`
are not. Case does not count, so that a text and its folded form are cut alike.
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

FOOTNOTE_BEHIND = rf"(?<=(?:\p{{L}}\p{{M}}*){{4}}|(?:\p{{Lo}}\p{{M}}*){{2}})[{RAISED}]++(?![^\W_]|[{SMALL}])"
FOOTNOTE_AHEAD = rf"[{RAISED}]++(?=(?:\p{{L}}\p{{M}}*+){{4,}}+(?![^\W_]|[{SMALL}]))"
"""Patterns of the mark behind a word, and of the one before a word, where nothing of a word is before it."""

_SOME = regex.compile(f"[{SMALL}]")
_LETTER = r"[^\W\d_]"
_END = rf"(?![^\W_]|[{SMALL}])"
_RAISED = regex.compile(
    rf"(?<={_LETTER}|[{_SUBSCRIPT}])(?!{FOOTNOTE_BEHIND})(?:⁻?[{RAISED}]++(?:⁺{_END})?+|⁺{_END})"
    rf"|(?<![^\W_]|[{SMALL}])(?!{FOOTNOTE_AHEAD})[{RAISED}]++(?={_LETTER})"
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
    """Whether a token is nothing but small digits and signs, as the mark of a footnote."""
    return word[:1] in SMALL and set(word) <= set(SMALL)
