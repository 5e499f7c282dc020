"""Lines of a paragraph that cannot be wrapped text, as all of them together tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import regex

from kpframe.preprocessing._line_signs import (
    WANTING,
    Line,
    Widths,
    begins_anew,
    could_end,
    ended,
    is_caseless,
)

__all__ = ["lines_anew"]

_FIELD = regex.compile(
    r"[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}.-]{1,20}(?:[ ][\p{L}\p{M}-]{1,20}){0,2}[ ]?:[ \t]+\S"
)
_ROMAN = re.compile(r"\(?(X{0,3}(?:IX|IV|V?I{0,3})|x{0,3}(?:ix|iv|v?i{0,3}))[.)][ \t]+\S")
_TITLE = regex.compile(r"[\"'“‘„«]*+[\p{Lu}\p{Lt}]")
_WORD = regex.compile(r"\p{L}{3}")
_STOPPED = re.compile(r"[.!?।؟۔]['\"”’»)\]}]*$")
_SUBJECTS = frozenset(
    word
    for words in ("he her his i it our she that", "there these they this those we you")
    for word in words.split()
)
"""With `WANTING`: what sentences begin with, and titles of news and papers hardly."""

_NARROWEST = 24
"""Characters that are less than any text is wrapped at."""
_NARROWEST_CASELESS = 16
_LONGEST_TITLE = 60
_ENOUGH = 3
"""Lines of the shortest list."""


def lines_anew(lines: Sequence[Line], page: Callable[[], Widths | None]) -> set[int]:
    """The numbers of the lines that begin something new; `page` gives the longest lines of longer paragraphs.

    - header fields ("Author: Ada Lovelace"), two or more below each other, and what follows the last one;
    - items with Roman numbers that follow each other;
    - lists of lines that are shorter than any text is wrapped, if all begin anew;
    - after a title that is longer than the rest: wrapped with it, each of the following lines would have
      room for the next word, so these were wrapped by themselves; and
    - a title above a line that is a sentence, if no wider text stands around that tells otherwise.
    """
    return {*_fields(lines), *_roman_items(lines), *_list_lines(lines), *_below_title(lines, page)}


def _fields(lines: Sequence[Line]) -> Iterator[int]:
    are = [":" in line.text and _FIELD.match(line.text) is not None for line in lines]
    if sum(are) < 2:
        return
    for number in range(1, len(lines)):
        if are[number - 1] and are[number]:
            yield number
        last = number > 1 and are[number - 2] and are[number - 1] and not are[number]
        before = lines[number - 1]
        whole = before.width <= _LONGEST_TITLE and not ended(before.text)
        if last and whole and could_end(before.text, lines[number].text):
            yield number


def _roman_items(lines: Sequence[Line]) -> Iterator[int]:
    found = [(number, _ROMAN.match(line.text)) for number, line in enumerate(lines)]
    items = [(number, _value(item[1].upper())) for number, item in found if item and item[1]]
    for (first, one), (second, two) in pairwise(items):
        if two == one + 1:
            yield from (first, second)


def _value(roman: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10}[sign] for sign in roman]
    return sum(-one if one < two else one for one, two in pairwise([*values, 0]))


def _list_lines(lines: Sequence[Line]) -> Iterator[int]:
    longest = max(line.widths[2] for line in lines)
    if len(lines) < _ENOUGH or longest > _NARROWEST:
        return
    # Without capitals only the shortness tells.
    if any(is_caseless(line.first) for line in lines) and longest > _NARROWEST_CASELESS:
        return
    if all(_is_short_title(line.text) for line in lines):
        yield from range(1, len(lines))


def _is_short_title(line: str) -> bool:
    if not line:
        return False
    begins = begins_anew(line) or is_caseless(line.split(None, 1)[0])
    return begins and not ended(line) and line.rsplit(None, 1)[-1].casefold() not in WANTING


def _below_title(lines: Sequence[Line], page: Callable[[], Widths | None]) -> Iterator[int]:
    title, after = lines[:2]
    # In texts of PDF signs above and below a line are lines too, and entries of a bibliography are as long.
    if not _TITLE.match(title.text) or not _WORD.search(after.text) or ended(title.text):
        return
    if not could_end(title.text, after.text):
        return
    if len(lines) == 2:
        if _is_headline(title, after, page):
            yield 1
    elif all(line.has_room(below.first, title.widths) for line, below in pairwise(lines[1:])):
        yield 1


def _is_headline(title: Line, sentence: Line, page: Callable[[], Widths | None]) -> bool:
    first = title.first.casefold()
    if title.width > _LONGEST_TITLE or first in WANTING or first in _SUBJECTS:
        return False
    # A number may go on, and what has commas is rather the begin of a sentence.
    if ", " in title.text or title.text.isupper() or sentence.text[:1].isdigit():
        return False
    if not _STOPPED.search(sentence.text):
        return False
    edge = page()
    return edge is None or title.has_room(sentence.first, edge)
