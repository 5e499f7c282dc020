"""What one sees of a line of a paragraph: its width, and whether it could end before the next one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import regex

from kpframe.language.widths import widths

__all__ = [
    "WANTING",
    "Line",
    "Widths",
    "begins_anew",
    "closed",
    "could_end",
    "ended",
    "is_caseless",
    "longest_of",
]

_CLOSING = "'\"”’»)]}」』）】》〉］｝"
_STOPS = frozenset(".!?…:;。．｡！？：；؟۔؛।॥")
_ENDS = _STOPS | frozenset(",-–—/&([{，、､،「『（【《〈［｛")
WANTING = frozenset(
    word
    for words in (
        "a an and as at between by for from in into is its of on or over than that the their to under",
        "versus via vs with within without",
        "al am as auf aus au aux bei con da das de degli dei del della delle dem den der des di die do dos",
        "du e el em en et for från für i im in la las le les los mit nach och of og oder on ou para per por",
        "pour sur um und una une van vom von y zum zur à över",
    )
    for word in words.split()
)
"""Words that no title ends with."""


_CASELESS = regex.compile(r"[\p{Lo}\u10d0-\u10ff]")

Widths = tuple[int, int, int]
"""How long a line is, as each kind of program that wraps lines counts (see `language.widths`)."""


class Line(NamedTuple):
    """Where a line begins, how it looks without white space around it, and how long it is."""

    place: int
    text: str
    widths: Widths

    @property
    def width(self) -> int:
        """How many characters one sees."""
        return self.widths[0]

    @property
    def first(self) -> str:
        """The first word; empty where nothing can be seen."""
        return self.text.split(None, 1)[0] if self.text else ""

    def has_room(self, word: str, edge: Widths, share: float = 1) -> bool:
        """Whether a word would have had room behind the line, before (a share of) the edge, by any count."""
        more = (len(word),) * 3 if word.isascii() else widths(word)
        return (
            self.widths[0] + 1 + more[0] <= share * edge[0]
            and self.widths[1] + 1 + more[1] <= share * edge[1]
            and self.widths[2] + 1 + more[2] <= share * edge[2]
        )


def longest_of(lines: Iterable[Line]) -> Widths:
    """The edge of the longest lines; nothing has room before that of none."""
    seen, composed, decomposed = zip(*[line.widths for line in lines], strict=True)
    return max(seen), max(composed), max(decomposed)


def closed(line: str) -> bool:
    """Whether a line has a mark at its end that closes something, or leads up to something else."""
    return line.rstrip(_CLOSING)[-1:] in _STOPS


def ended(line: str) -> bool:
    """Whether a line has any mark at its end, so that it is no title."""
    return line.rstrip(_CLOSING)[-1:] in _ENDS


def begins_anew(line: str) -> bool:
    """Whether a line begins with a capital or a number, as sentences and titles do."""
    opening = line.lstrip("\"'“‘„«»([")[:1]
    return opening.isupper() or opening.isdigit()


def is_caseless(word: str) -> bool:
    """Whether a word is of a script that is written without capitals."""
    return not word.isascii() and _CASELESS.search(word) is not None


def could_end(line: str, following: str) -> bool:
    """Whether the words of a line do not want those of the next one, which begins anew."""
    if not begins_anew(following):
        return False
    return not line or line.rsplit(None, 1)[-1].casefold() not in WANTING
