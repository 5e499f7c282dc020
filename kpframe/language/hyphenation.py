"""Words that a line end has broken, whole again. Source: Grefenstette and Tapanainen (1994)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from kpframe.language.english_words import is_english_word
from kpframe.model import Traced
from kpframe.model.traced import Edit

__all__ = ["has_broken_words", "whole_words"]

_BROKEN = re.compile(r"(?<!\w)(\w++)([-‐\u00ad])[ \t]*(?:\r\n?|\n)[ \t]*(-?)(?=[^\W_])(\w+)")
_WORDS = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_ELLIPTIC = frozenset({"and", "bzw", "e", "et", "o", "oder", "or", "ou", "resp", "to", "und", "y"})
"""Words before which a hyphen stands for something left out ("pre- and postprocessing")."""


def has_broken_words(text: str) -> bool:
    """Whether a hyphen breaks any word of a text at a line end."""
    return _BROKEN.search(text) is not None


def whole_words(text: Traced, *, english: bool = True) -> Traced:
    """`text` with words joined that a hyphen breaks at a line end; what is a compound keeps its hyphen.

    The rules are those of the cleaner `dehyphenate`; `english`: look words up in the list of English words.
    """
    return text.edited(_edits(text.text, english))


def _edits(text: str, english: bool) -> Iterator[Edit]:
    """What goes: the line end, with the hyphen or without."""
    if not has_broken_words(text):
        return
    rest = Counter(word.casefold() for word in _WORDS.findall(_BROKEN.sub(" ", text)))
    for found in _BROKEN.finditer(text):
        left, hyphen, again, right = found.groups()
        if right.casefold() not in _ELLIPTIC:
            # In Portuguese the hyphen of a compound is written again on the next line.
            keep = hyphen != "\u00ad" and (bool(again) or _is_compound(left, right, rest, english))
            yield found.end(2) if keep else found.start(2), found.start(4), ""


def _is_compound(left: str, right: str, rest: Counter[str], english: bool) -> bool:
    if left[-1].isdigit() or right[0].isdigit() or len(left) == 1:
        return True
    if left.isupper() != right.isupper() and (left.isupper() or right[0].isupper()):
        return True
    first, second = left.casefold(), right.casefold()
    joined, hyphenated = rest[first + second], rest[f"{first}-{second}"]
    if joined != hyphenated:
        return hyphenated > joined
    if english and is_english_word(first + second):
        return False
    return _is_word(first, rest, english) and _is_word(second, rest, english)


def _is_word(half: str, rest: Counter[str], english: bool) -> bool:
    return len(half) > 1 and (half in rest or (english and is_english_word(half)))
