"""Which tokens may stand in a candidate: what kpframe takes for words, or what other programs take."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kpframe.candidates._wordlike import wordlike
from kpframe.language.words import has_letter_or_digit
from kpframe.model import Annotations
from kpframe.model.folding import fold
from kpframe.model.remembered import remembered

__all__ = [
    "TOKEN_CLASS",
    "BoolArray",
    "TokenClass",
    "among",
    "has_letter",
    "is_plain",
    "of_words",
    "token_class",
]

BoolArray = NDArray[np.bool_]

TokenClass = Literal["words", "alphanumeric", "plain"]

TOKEN_CLASS = (
    "Tokens that may stand in a candidate. words: no punctuation, URLs, clitics or what a contraction leaves "
    "before them; alphanumeric: all with a letter or a digit, as RAKE's programs; plain: at least two "
    "characters, all of them letters, digits or hyphens, as pke."
)


def token_class(annotations: Annotations, name: TokenClass) -> BoolArray:
    """For each token whether it is of the class `name`, as `TOKEN_CLASS` tells."""
    if name == "words":
        return wordlike(annotations)
    return of_words(annotations, is_plain if name == "plain" else has_letter_or_digit)


def of_words(annotations: Annotations, holds: Callable[[str], bool]) -> BoolArray:
    """For each token whether `holds` is true of its word; asked once a word, so it should remember."""
    return annotations.once(_of_words, holds)


def _of_words(annotations: Annotations, holds: Callable[[str], bool]) -> BoolArray:
    of_word = np.array(list(map(holds, annotations.vocabulary)), dtype=np.bool_)
    chosen: BoolArray = of_word[annotations.words]
    chosen.setflags(write=False)
    return chosen


@cache
def among(listed: frozenset[str]) -> Callable[[str], bool]:
    """Whether a word, folded, is listed; remembered, since documents share most of their words."""
    return remembered(lambda word: fold(word) in listed)


@remembered
def has_letter(word: str) -> bool:
    """Whether a token has a letter."""
    return any(map(str.isalpha, word))


@remembered
def is_plain(word: str) -> bool:
    """Whether a token has two or more characters, all of them letters, digits or hyphens."""
    return len(word) > 1 and word.replace("-", "").isalnum()
