"""Which tokens may stand in a candidate: what kpframe takes for words, or what other programs take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kpframe.candidates._wordlike import wordlike
from kpframe.model import Annotations

__all__ = ["TOKEN_CLASS", "BoolArray", "TokenClass", "is_plain", "of_words", "token_class"]

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
    return of_words(annotations, is_plain if name == "plain" else _has_letter_or_digit)


def of_words(annotations: Annotations, holds: Callable[[str], bool]) -> BoolArray:
    """For each token whether `holds` is true of its word."""
    used = set(annotations.words.tolist())
    vocabulary = annotations.vocabulary
    of_word = np.zeros(len(vocabulary), dtype=np.bool_)
    of_word[[i for i in used if holds(vocabulary[i])]] = True
    chosen: BoolArray = of_word[annotations.words]
    return chosen


def _has_letter_or_digit(word: str) -> bool:
    return any(character.isalnum() for character in word)


def is_plain(word: str) -> bool:
    """Whether a token has two or more characters, all of them letters, digits or hyphens."""
    return len(word) > 1 and word.replace("-", "").isalnum()
