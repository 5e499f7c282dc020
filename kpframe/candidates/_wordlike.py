"""Which tokens of a text can be part of a candidate."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kpframe.candidates._paired_signs import SINGLE_QUOTES, half_pairs, single_quotes
from kpframe.language.addresses import is_address
from kpframe.language.word_pattern import APOSTROPHES
from kpframe.language.words import LONGEST_WORD, is_wordlike
from kpframe.model import Annotations, Place
from kpframe.model.folding import fold
from kpframe.model.remembered import remembered

__all__ = ["unbroken", "wordlike"]

_MARKUP = frozenset("<>|`*#~^\\=_")
_WORD, _CLITIC = 1, 2
_CLITIC_BEGINS = frozenset(f"{APOSTROPHES}nN")
_CONTRACTED = frozenset({"n't", "'re", "'ve", "'ll", "'d", "'m"})


def wordlike(annotations: Annotations) -> NDArray[np.bool_]:
    """For each token whether it is a word or a number by itself.

    Punctuation, URLs, addresses, clitics, units of rates (mg/kg) and words of more than 100 characters
    are not, and neither is what a contraction leaves before its clitic ("do" of "don't", "ca" of "can't").
    The noun before a possessive 's is a word.
    """
    return annotations.once(_wordlike)


def _wordlike(annotations: Annotations) -> NDArray[np.bool_]:
    kinds = list(map(_kind, annotations.vocabulary))
    of_token = np.array(kinds, dtype=np.int8)[annotations.words]
    found: NDArray[np.bool_] = of_token % 2 == _WORD
    if max(kinds, default=0) >= _CLITIC:
        touch = annotations.begins[1:] == annotations.ends[:-1]
        found[:-1] &= ~((of_token[1:] >= _CLITIC) & touch)
    found.setflags(write=False)
    return found


@remembered
def _kind(word: str) -> int:
    """Whether a word is one by itself, and whether it is the clitic of a contraction, added up."""
    clitic = word[:1] in _CLITIC_BEGINS and fold(word) in _CONTRACTED
    return _WORD * is_wordlike(word) + _CLITIC * clitic


def unbroken(annotations: Annotations, begin: int, end: int) -> Place:
    """The longest part of the tokens `begin` to `end` that no sign breaks, the last of equal ones.

    A bracket or quote that the tokens do not close breaks them ("poly(ethylene glycol" without its end),
    and so do signs of markup, control characters, addresses, and words too long to be one.
    """
    words = annotations.strings(annotations.words[begin:end])
    if all(map(str.isalnum, words)):
        return begin, end
    broken = half_pairs(words) | {place for place, word in enumerate(words) if _breaks(word)}
    if not SINGLE_QUOTES.isdisjoint(words):
        halves = single_quotes(annotations)
        quotes = (token for token in range(begin, end) if token in halves)
        broken |= {token - begin for token in quotes if not begin <= halves[token] < end}
    edges = [-1, *sorted(broken), len(words)]
    parts = [(left + 1, right) for left, right in pairwise(edges)]
    first, last = max(parts, key=lambda part: (part[1] - part[0], part[0]))
    return begin + first, begin + last


def _breaks(word: str) -> bool:
    """Whether a token breaks whatever phrase it stands in."""
    return word[0] in _MARKUP or _is_control(word[0]) or len(word) > LONGEST_WORD or is_address(word)


def _is_control(sign: str) -> bool:
    return sign < " " or "\x7f" <= sign <= "\x9f"
