"""Numbers that belong to a name: IEEE 802.11, type 2 diabetes. Years and counts do not."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from kpframe.candidates._token_classes import BoolArray
from kpframe.candidates._wordlike import wordlike
from kpframe.language.stop_lists import stop_words
from kpframe.model import Annotations
from kpframe.model.folding import fold
from kpframe.model.remembered import remembered

__all__ = ["NumberNames", "number_names"]

_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,4}){0,3}[a-z]{0,2}")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_ACRONYM = re.compile(r"[A-Z]{2,}[A-Z0-9-]*")
_CLASSES = frozenset(
    [
        "type",
        "phase",
        "stage",
        "grade",
        "class",
        "tier",
        "level",
        "category",
        "generation",
        "version",
        "layer",
        "model",
        "typ",
        "stufe",
        "klasse",
        "tipo",
        "fase",
        "grado",
        "classe",
        "stade",
    ]
)
"""What numbers tell kinds of apart. Words that number parts of a text (table, step, section) are not here."""


class NumberNames(NamedTuple):
    """For each token whether it is a number of a name, and whether that name needs the word behind it."""

    numbers: BoolArray
    unfinished: BoolArray


def number_names(annotations: Annotations) -> NumberNames:
    """The numbers that belong to the word before them, in the same sentence with only blanks between.

    That is a word of classes ("type 2 diabetes", "phase 3 trial") or an acronym that is no stop word and does
    not refer to a part of the text ("IEEE 802.11", "ISO 9001"). A number of four digits that can be a year is
    none, and neither is one behind an acronym and before a plural in small letters, which it counts ("NASA 35
    users"). A class and its number before another word are not a name by themselves.
    """
    return annotations.once(_number_names)


@remembered
def _is_like_number(word: str) -> bool:
    return bool(_NUMBER.fullmatch(word) and not _YEAR.fullmatch(word))


def _number_names(annotations: Annotations) -> NumberNames:
    numbers, unfinished = (np.zeros(len(annotations), dtype=np.bool_) for _ in range(2))
    vocabulary = annotations.vocabulary
    like = list(map(_is_like_number, vocabulary))
    places = np.flatnonzero(np.array(like)[annotations.words]).tolist() if True in like else []
    if not places:
        return NumberNames(numbers, unfinished)
    words, sentence = annotations.strings(annotations.words), annotations.sentence_of
    word = wordlike(annotations)
    barred = stop_words(("en", "papers"))
    last = len(words) - 1
    for place in places:
        if not place or sentence[place - 1] != sentence[place] or not annotations.adjacent(place - 1, place):
            continue
        before = words[place - 1]
        goes_on = place < last and sentence[place + 1] == sentence[place] and bool(word[place + 1])
        after = words[place + 1] if goes_on and annotations.adjacent(place, place + 1) else ""
        if fold(before) in _CLASSES:
            numbers[place] = True
            unfinished[place] = after[:1].isalpha() and fold(after) not in barred
        elif _ACRONYM.fullmatch(before) and fold(before) not in barred:
            counts = after.islower() and after.endswith("s") and fold(after) not in barred
            numbers[place] = not (counts and words[place].isdigit())
    return NumberNames(numbers, unfinished)
