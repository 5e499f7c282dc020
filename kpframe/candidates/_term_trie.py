"""Finds the terms of a list in texts, in time that does not depend on the length of the list."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal

import regex

from kpframe.candidates._term_lists import Term
from kpframe.language.stems import stemmer_of
from kpframe.model import Annotations
from kpframe.model.folding import fold

__all__ = ["Match", "TermTrie"]

Match = Literal["exact", "stem", "lemma"]

_PIECE = regex.compile(r"\w++|[^\w\s]\p{M}*+")
_END = ""
"""The edge to the number of the term that ends at a node; no piece is empty."""

Pieces = tuple[str, ...]


class TermTrie:
    """Terms as paths of pieces; a piece is a run of letters and digits, or one mark.

    A text's tokens are taken apart in the same way, so that "input/output" is found whether it was
    one token or three, but a match begins and ends with a token. Under `stem` pieces are compared by
    their stems in the language (Porter for English, Snowball for others); under `lemma` a token of the
    text stands for its word and for its lemma, and terms are taken as written. A form that belongs to
    several terms stands for the one that prefers it, otherwise for the first of them.
    """

    def __init__(self, terms: Iterable[Term], match: Match, language: str = "en") -> None:
        listed = list(terms)
        self.preferred = [term[0] for term in listed]
        self._match = match
        self._language = language
        self._root: dict[str, Any] = {}
        for number, (preferred, *_) in enumerate(listed):
            self._add(preferred, number)
        for number, (_, *synonyms) in enumerate(listed):
            for synonym in synonyms:
                self._add(synonym, number)

    def _add(self, form: str, number: int) -> None:
        node = self._root
        for piece in _pieces(form, self._match, self._language):
            node = node.setdefault(piece, {})
        node.setdefault(_END, number)

    def forms(self, annotations: Annotations) -> list[tuple[Pieces, ...]]:
        """For each token the pieces that it can stand for, the word's own first."""
        match, language = self._match, self._language
        words = [_pieces_of_word(word, match, language) for word in annotations.strings(annotations.words)]
        if match != "lemma":
            return [(word,) for word in words]
        annotations.require("lemmas")
        assert annotations.lemmas is not None
        lemmas = (
            _pieces_of_word(lemma, match, language) for lemma in annotations.strings(annotations.lemmas)
        )
        return [
            (word,) if word == lemma else (word, lemma) for word, lemma in zip(words, lemmas, strict=True)
        ]

    def ends(self, forms: list[tuple[Pieces, ...]], begin: int, stop: int) -> list[tuple[int, int]]:
        """(end, number of the term) of all matches from token `begin`, ends ascending, by `stop`."""
        found: list[tuple[int, int]] = []
        nodes = [self._root]
        for token in range(begin, stop):
            steps = (_walk(node, pieces) for node in nodes for pieces in forms[token])
            nodes = [node for node in steps if node is not None]
            if not nodes:
                break
            number = next((node[_END] for node in nodes if _END in node), None)
            if number is not None:
                found.append((token + 1, number))
        return found


def _walk(node: dict[str, Any] | None, pieces: Pieces) -> dict[str, Any] | None:
    for piece in pieces:
        node = node.get(piece) if node is not None else None
    return node


def _pieces(text: str, match: Match, language: str) -> Pieces:
    found = _PIECE.findall(fold(text))
    return tuple(map(stemmer_of(language), found)) if match == "stem" else tuple(found)


_pieces_of_word = lru_cache(maxsize=200_000)(_pieces)
