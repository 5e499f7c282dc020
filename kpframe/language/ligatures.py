"""Ligatures of print (ﬁ, ﬂ, ﬀ, …) as letters, and the words whole that programs break beside them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from kpframe.language.english_words import is_english_word
from kpframe.model import Traced
from kpframe.model.traced import Edit

__all__ = ["without_ligatures"]

_SIGNS = "\ufb00-\ufb06"
_LIGATURE = re.compile(f"[{_SIGNS}]")
_LETTERS = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_GAP = re.compile(
    rf"(?<=[{_SIGNS}])[ \t\u00a0]{{1,2}}(?=[^\W\d_])|(?<=[^\W\d_])[ \t\u00a0]{{1,2}}(?=[{_SIGNS}])"
)
_LONGEST = 40
"""Characters of the longest half of a word that is looked at."""
_HALF = re.compile(rf"[^\W\d_]{{1,{_LONGEST}}}+(?!\w)")
_WORD = re.compile(r"[^\W\d_]+")


class _Gap(NamedTuple):
    """Blanks beside a ligature, and the halves of a word on both sides of them: `begin` to `end`."""

    begin: int
    first: int
    last: int
    end: int


def without_ligatures(text: Traced, *, english: bool = True) -> Traced:
    """`text` with letters in place of ligatures, and words whole that have a blank behind or before one.

    Two halves are joined ("classiﬁ cation") if the whole word stands elsewhere in the text, or is an English
    word while the half with the ligature is none; never where both halves are words themselves ("oﬀ set").
    `english`: look words up in the list of English words too.
    """
    if not _LIGATURE.search(text.text):
        return text
    whole = text.edited(_joining(text.text, english))
    return whole.sub(_LIGATURE, lambda found: _letters(found.group()))


def _letters(text: str) -> str:
    return text.translate(_LETTERS)


def _joining(text: str, english: bool) -> Iterator[Edit]:
    """Which blanks go."""
    gaps = list(_gaps(text))
    if not gaps:
        return
    known = _Known(_words_apart(text, gaps), english)
    place = 0
    while place < len(gaps):
        taken = next(
            (count for count in (2, 1) if _one_word(text, gaps[place : place + count], count, known)), 0
        )
        for gap in gaps[place : place + taken]:
            yield gap.first, gap.last, ""
        place += taken or 1


def _gaps(text: str) -> Iterator[_Gap]:
    for found in _GAP.finditer(text):
        before = _HALF.match(text[max(0, found.start() - _LONGEST - 1) : found.start()][::-1])
        behind = _HALF.match(text, found.end())
        if before and behind:
            yield _Gap(found.start() - len(before.group()), *found.span(), behind.end())


def _words_apart(text: str, gaps: Sequence[_Gap]) -> frozenset[str]:
    """The words of a text that stand at no such gap."""
    parts, place = [], 0
    for gap in gaps:
        parts.append(text[place : max(place, gap.begin)])
        place = max(place, gap.end)
    parts.append(text[place:])
    return frozenset(_WORD.findall(_letters(" ".join(parts)).casefold()))


class _Known:
    """Which words there are."""

    def __init__(self, here: frozenset[str], english: bool) -> None:
        self.here = here
        self._english = english

    def english(self, word: str) -> bool:
        return self._english and is_english_word(word)

    def __contains__(self, word: str) -> bool:
        return len(word) > 1 and (word in self.here or self.english(word))


def _one_word(text: str, gaps: Sequence[_Gap], count: int, known: _Known) -> bool:
    """Whether what `count` gaps part, the second of which begins where the first one ends, is one word."""
    if len(gaps) < count or any(one.end != other.first for one, other in pairwise(gaps)):
        return False
    edges = [gaps[0].begin, *(edge for gap in gaps for edge in (gap.first, gap.last)), gaps[-1].end]
    halves = [text[begin:end] for begin, end in zip(edges[::2], edges[1::2], strict=True)]
    letters = [_letters(half).casefold() for half in halves]
    if all(half in known for half in letters):
        return False
    whole = "".join(letters)
    if whole in known.here:
        return True
    ends = (letter for half, letter in zip(halves, letters, strict=True) if _LIGATURE.search(half))
    return known.english(whole) and not any(half in known for half in ends)
