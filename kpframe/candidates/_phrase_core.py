"""Phrases without what merely introduces them: determiners, possessives, pronouns, punctuation."""

from __future__ import annotations

from typing import Literal

from kpframe.candidates._wordlike import unbroken, wordlike
from kpframe.model import Annotations, Place

__all__ = ["CoreFinder"]

_DETERMINING = frozenset({"DET", "PRON"})
_BEFORE_DETERMINERS = frozenset({"ADV", "ADP", "NUM", *_DETERMINING})
_INTRODUCING_WORDS = frozenset({"of", "own", "such"})
"""English words that no keyphrase begins with, whatever a tagger calls them."""


class CoreFinder:
    """Finds the core of phrases in one text.

    Punctuation and clitics at both ends are always left off, and of a phrase that an open bracket, a sign
    of markup or an address breaks only the longest part is taken. With `drop="determiners"` so are
    leading determiners, possessives and pronouns. With `drop="introduction"` so is all that
    introduces a noun phrase: also adverbs, numbers and prepositions before a determiner ("each of
    the systems" → "systems", "only a small part" → "small part"), conjunctions, "own", "such", and
    number words ("two fast disks" → "fast disks"), but for those with a capital inside a sentence, which
    belong to a name ("Three Mile Island"), and numbers in digits ("802.11 networks").
    """

    def __init__(
        self, annotations: Annotations, drop: Literal["nothing", "determiners", "introduction"]
    ) -> None:
        self._annotations = annotations
        self._words: list[bool] = wordlike(annotations).tolist()
        self._drop = drop
        self._tags: list[str] = []
        if drop != "nothing":
            annotations.require("pos")
            assert annotations.pos is not None
            self._tags = annotations.strings(annotations.pos)

    def core(self, begin: int, end: int) -> Place | None:
        """The core of the tokens `begin` to `end` (half-open), None if nothing is left."""
        whole = None
        # What is left off at an end may be the other half of a bracket or quote.
        while whole != (begin, end) and begin < end:
            whole = begin, end
            begin, end = unbroken(self._annotations, begin, end)
            if self._drop == "introduction":
                begin = self._after_determiners(begin, end)
            while begin < end and (not self._words[begin] or self._introduces(begin)):
                begin += 1
            while begin < end and not self._words[end - 1]:
                end -= 1
        return (begin, end) if begin < end else None

    def _after_determiners(self, begin: int, end: int) -> int:
        """The token after the last determiner among those that may stand before one."""
        after = begin
        for token in range(begin, end):
            tag = self._tags[token]
            if tag in _DETERMINING:
                after = token + 1
            elif self._words[token] and tag not in _BEFORE_DETERMINERS:
                break
        return after

    def _introduces(self, token: int) -> bool:
        if self._drop == "nothing":
            return False
        tag = self._tags[token]
        if tag in _DETERMINING or self._drop == "determiners":
            return tag in _DETERMINING
        if tag == "NUM":
            return self._counts(token)
        return tag == "CCONJ" or self._annotations.folded_words[token] in _INTRODUCING_WORDS

    def _counts(self, token: int) -> bool:
        word = self._annotations.surface(token, token + 1)
        return word.isalpha() and (word.islower() or self._begins_a_sentence(token))

    def _begins_a_sentence(self, token: int) -> bool:
        sentence_of = self._annotations.sentence_of
        return token == 0 or sentence_of[token - 1] != sentence_of[token]
