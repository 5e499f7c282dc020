"""Where sentences begin: one rule for every tokenizer.

A sentence ends after . ! or ? (with the quotes and brackets that close it) when what follows begins
a sentence, always at a blank line, and at the end of a title, a heading, a list item and a row of a
table (`_lines`); a line break that merely wraps a sentence is white space. Abbreviations, initials,
enumerators ("1. Method") and decimals do not end one. The rule works on characters and reads no
model, so sentences are the same whatever annotators run.

Source: the cues are those of Kiss and Strunk 2006, "Unsupervised multilingual sentence boundary
detection" (abbreviations, initials, ordinals, sentence starters), with fixed lists in place of
learned ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from kpframe.model import IntArray
from kpframe.model.folding import DIRECTIONS, plain, without
from kpframe.preprocessing._lines import line_borders

__all__ = ["sentence_begins", "sentence_spans"]

_LINE = r"(?>\r\n?|[\n\u2028])"
_BREAK = re.compile(
    rf"""
      (?<![.!?…؟۔।॥])(?P<mark>[.!?…؟۔।॥]++)["'”’»)\]}}]*+\s+   # a mark, what it closes, white space
    | (?:[。！？｡]|(?<!\d)．(?!\d))+[」』）”’"]*\s*   # marks of scripts that put no space after them
    | (?:{_LINE}[^\S\r\n\u2028]*{_LINE}|\u2029)\s*   # a blank line
    """,
    re.VERBOSE,
)
_CUE = re.compile(r"[.!?…؟۔।॥。！？｡．\r\n\u2028\u2029]")
"""What a break begins with: looked for first, since a set of characters is found ten times as fast."""
_BLANK_LINE = regex.compile(rf"{_LINE}[^\S\r\n\u2028]*{_LINE}|\u2029")
_OPENING = re.compile(r"""(?:[-–—•*·]+\s+)?["'“‘„«»(\[{¿¡`$£€§#]*""")
_ENUMERATOR = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*|[ivxIVX]{1,5}|[^\W\d_])")
_DOTTED = re.compile(r"[^\W\d_]{1,3}(?:\.[^\W\d_]{1,3})+")
_WORD = regex.compile(r"\w++")
_DIRECTION = re.compile(f"[{DIRECTIONS}]")

_LISTS = {
    # lead up to a name, a number or an example, so never end a sentence
    "never": "approx bzw ca capt cf ch chap col cpl d.h dr e.g eg eq eqn eqs esp fig figs gen gov hon i.e ie "
    "lt maj messrs mlle mm mme mr mrs ms mt mx nr op orig p p.ex par pp prof ref refs rep resp rev sec sect "
    "sen sens sgt st tab u.a v viz vs z.b",
    # are abbreviations only where a number follows ("no. 5")
    "before a number": "abb app apr art aug bd cor dec def eds ex feb issue jan jul jun lem mar no nos nov "
    "oct prop sep sept thm vol vols",
    # end a sentence only before a word that usually begins one
    "perhaps": "al assn ave blvd bros co corp dept dist ed est gmbh hwy inc jr ltd mfg rd sq sr univ",
    "starters": "A After All Also Although An And Are As At Because Before Both But By Do Does Each For From "
    "He Her Here His How However I If In Is It Its Many More Moreover Most My No Not On One Or Our Several "
    "She Since So Some Such That The Their Then There Therefore These They This Those Thus To Two Under "
    "Using We What When Where Whether Which While Who Why With You Das Der Die Ein Eine El Er Es Ich Il La "
    "Las Le Les Los Nous Sie Un Une Wir",
}
_NEVER, _BEFORE_NUMBER, _PERHAPS, _STARTERS = (frozenset(words.split()) for words in _LISTS.values())
_ORDINALS = frozenset({"cs", "da", "de", "et", "fi", "hr", "hu", "is", "lv", "nb", "sk", "sl"})
"""Languages that write ordinal numbers with a full stop ("3. Oktober")."""


def sentence_begins(text: str, language: str = "en") -> list[int]:
    """The code-point offset of the first character of every sentence, in order; [] for blank text."""
    if (visible := without(_DIRECTION, text)) is not None:  # "end.⟨mark⟩ Next"
        kept, places = visible
        return [places[begin] for begin in sentence_begins(kept, language)]
    first = len(text) - len(text.lstrip())
    if first == len(text):
        return []
    begins = [first]
    uncased = text.islower()
    for found in _breaks(text, first):
        after = found.end()
        if after == len(text):
            break
        mark = found["mark"]
        if (
            mark is None
            or _BLANK_LINE.search(found.group())
            or _ends(text, found, begins[-1], language, uncased)
        ):
            begins.append(after)
    borders = line_borders(text)
    return sorted({*begins, *borders}) if borders else begins


def _breaks(text: str, begin: int) -> Iterator[re.Match[str]]:
    """All matches of `_BREAK` from `begin`, one after the other."""
    while cue := _CUE.search(text, begin):
        found = _BREAK.match(text, cue.start())
        begin = cue.end()
        if found:
            begin = found.end()
            yield found


def sentence_spans(token_begins: NDArray[np.integer[Any]], begins: Sequence[int]) -> IntArray:
    """Sentences as half-open token ranges, shape (m, 2), from offsets of tokens and of sentences."""
    count = len(token_begins)
    if not count:
        return np.zeros((0, 2), dtype=np.int32)
    found = np.searchsorted(token_begins, np.asarray(begins, dtype=token_begins.dtype)).tolist()
    edges = np.array([*sorted({0, *found} - {count}), count], dtype=np.int32)
    return np.stack((edges[:-1], edges[1:]), axis=1)


def _ends(text: str, found: re.Match[str], begin: int, language: str, uncased: bool) -> bool:
    """Whether the mark in `found` ends the sentence that began at `begin`."""
    opening = _OPENING.match(text, found.end())
    following = opening.end() if opening else found.end()
    first = text[following : following + 1]
    if not first.isalnum() or (first.islower() and not uncased):
        return False
    if found["mark"] != ".":
        return True
    return not _abbreviates(text, found.start(), begin, following, language)


def _abbreviates(text: str, stop: int, begin: int, following: int, language: str) -> bool:
    """Whether the full stop at `stop` belongs to the word before it; `following` is what comes next."""
    words = text[max(begin, stop - 32) : stop].split()
    if not words or text[stop - 1].isspace():
        return False
    word = plain(words[-1].lstrip("\"'“‘„«([{"))
    folded = word.casefold()
    if _ENUMERATOR.fullmatch(word) and _starts_line(text, stop - len(words[-1]), begin):
        return True
    if folded in _NEVER:
        return True
    if folded in _BEFORE_NUMBER:
        return text[following].isdigit()
    if language in _ORDINALS and word.isdigit() and len(word) <= 2:
        return True
    initial = len(word) == 1 and word.isalpha()
    if initial or folded in _PERHAPS or _DOTTED.fullmatch(word):
        return not _is_starter(text, following)
    return False


def _starts_line(text: str, position: int, begin: int) -> bool:
    before = text[max(0, position - 40) : position].rstrip(" \t")
    return position == begin or not before or before[-1] in "\r\n\u2028"


def _is_starter(text: str, position: int) -> bool:
    found = _WORD.match(text, position)
    if found is None or found.group().capitalize() not in _STARTERS:
        return False
    return text[found.end() : found.end() + 1] != "."
