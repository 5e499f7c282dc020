"""Noun phrases by a pattern over parts of speech: one letter a token, one regular expression."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from kpframe.model import Annotations, IntArray

__all__ = ["LETTERS", "TAG_LETTERS", "default_pattern", "noun_phrases"]

LETTERS = {
    "ADJ": "A",
    "ADP": "I",
    "ADV": "R",
    "AUX": "U",
    "CCONJ": "J",
    "DET": "D",
    "INTJ": "X",
    "NOUN": "N",
    "NUM": "C",
    "PART": "T",
    "PRON": "O",
    "PROPN": "P",
    "PUNCT": "Z",
    "SCONJ": "S",
    "SYM": "X",
    "VERB": "V",
    "X": "X",
}
"""The letter of each universal part of speech in patterns."""

TAG_LETTERS = {"POS": "Y", "VBG": "G", "VBN": "E"}
"""Letters that a Penn tag has instead: possessive endings, present and past participles."""

# Adjectives, numbers, nouns and participles before a noun; a participle after a verb or an adverb
# ("has shown", "recently shown") belongs to the verb, and a gerund needs a determiner or adjective.
_ENGLISH = r"D?(?:R?A|(?<![RUV])E|(?<=[AD])G|[CNP])*[NP](?:Y(?:R?A|[CENP])*[NP])*"
_ROMANCE = r"D?[AC]*[NP]+[ANP]*"
_ROMANCE_LANGUAGES = frozenset({"ca", "es", "fr", "gl", "it", "pt", "ro"})


def default_pattern(language: str) -> str:
    """The pattern of noun phrases in a language; in Romance ones adjectives may follow the noun."""
    return _ROMANCE if language in _ROMANCE_LANGUAGES else _ENGLISH


def noun_phrases(annotations: Annotations, pattern: str) -> IntArray:
    """The longest leftmost matches of `pattern` in every sentence, as token ranges of shape (m, 2)."""
    annotations.require("pos")
    assert annotations.pos is not None
    line = _letters(annotations.vocabulary, annotations.pos, annotations.tags)
    matching = _compiled(pattern)
    spans = [
        found.span()
        for begin, end in annotations.sentences.tolist()
        for found in matching.finditer(line, begin, end)
        if found.end() > found.start()
    ]
    return np.array(spans, dtype=np.int32).reshape(-1, 2)


def _letters(vocabulary: tuple[str, ...], pos: IntArray, tags: IntArray | None) -> str:
    """One letter for each token."""
    letters = [LETTERS.get(name, "X") for name in vocabulary]
    if tags is None:
        return "".join([letters[i] for i in pos.tolist()])
    by_tag = [TAG_LETTERS.get(name) for name in vocabulary]
    pairs = zip(pos.tolist(), tags.tolist(), strict=True)
    return "".join([by_tag[tag] or letters[part] for part, tag in pairs])


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
