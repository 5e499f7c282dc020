"""Texts with tokens, sentences, lemmas and tags out of Stanford CoreNLP's XML.

The XML has no text, only tokens with character offsets. The text is put together from them, with
spaces for what lies between; tokens that CoreNLP rewrites for the Penn Treebank (`-LRB-`) get back
the character they stand for. CoreNLP counts UTF-16 code units; kpframe counts code points.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError

import numpy as np

from kpframe.model import Annotations, Skipped
from kpframe.model.penn import universal

__all__ = ["LAYERS", "Malformed", "annotations_of"]

LAYERS = frozenset({"tokens", "sentences", "lemmas", "tags", "pos"})
"""The layers that a CoreNLP file brings along."""

_ORIGINAL = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
    "`": "'",
    "...": "…",
    "--": "–",
    "\\/": "/",
    "\\*": "*",
    "1\\/2": "½",
    "1\\/4": "¼",
    "3\\/4": "¾",
}
"""What a rewritten token was, told by its length in the text."""


class Malformed(Exception):
    """The XML of one document cannot be used; the message says why, `line` where, if that is known."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line

    def skipped(self, place: str) -> Skipped:
        """The file at `place` as something that was left out."""
        return Skipped(place if self.line is None else f"{place}:{self.line}", str(self))


class _Token(NamedTuple):
    word: str
    lemma: str
    tag: str
    begin: int
    end: int


def annotations_of(content: bytes) -> Annotations:
    """The text and layers of one CoreNLP file. Raises Malformed; never resolves an entity."""
    building = _Building(limit=len(content))
    try:
        for sentence in _sentences(content):
            building.add(sentence)
    except ParseError as error:
        raise Malformed(f"is not XML ({error})", error.position[0]) from None
    except (ValueError, LookupError) as error:  # defusedxml's refusals and encodings are ValueErrors
        raise Malformed(f"is XML that cannot be used ({error or type(error).__name__})") from None
    return building.finished()


def _sentences(content: bytes) -> Iterator[list[_Token]]:
    from defusedxml.ElementTree import iterparse

    tokens: list[_Token] = []
    root_seen = False
    for event, element in iterparse(io.BytesIO(content), ("start", "end"), forbid_dtd=True):
        if event == "start":
            if not root_seen and element.tag != "root":
                raise Malformed(f"the outermost element is <{element.tag}>, not <root>")
            root_seen = True
        elif element.tag == "token":
            tokens.append(_token(element))
            element.clear()
        elif element.tag == "sentence":
            if tokens:
                yield tokens
            tokens = []
            element.clear()
    if tokens:
        yield tokens


def _token(element: Element) -> _Token:
    number = element.get("id", "?")
    text = {child.tag: (child.text or "").strip() for child in element}
    word = text.get("originalText") or text.get("word", "")
    try:
        begin, end = int(text["CharacterOffsetBegin"]), int(text["CharacterOffsetEnd"])
    except (KeyError, ValueError):
        raise Malformed(f"token {number} ({word!r}) has no character offsets") from None
    if not word:
        raise Malformed(f"token {number} has no word")
    if begin >= end:
        raise Malformed(f"token {number} ({word!r}) ends where it begins")
    surface = _surface(word, end - begin)
    lemma = text.get("lemma") if surface == word else ""
    return _Token(surface, lemma or surface, text.get("POS", ""), begin, end)


def _surface(word: str, length: int) -> str:
    """The characters of the text, `length` UTF-16 units long, for which a token stands."""
    original = _ORIGINAL.get(word)
    return original if original and len(original) == length != len(word) else word


@dataclass
class _Building:
    """The text so far, its length in code points, and the columns of the layers."""

    limit: int
    parts: list[str] = field(default_factory=list)
    length: int = 0
    source_end: int = 0
    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    columns: tuple[list[int], ...] = field(default_factory=lambda: ([], [], [], []))
    vocabulary: dict[str, int] = field(default_factory=dict)
    sentences: list[tuple[int, int]] = field(default_factory=list)

    def add(self, sentence: list[_Token]) -> None:
        first = len(self.begins)
        for token in sentence:
            self._place(token)
            strings = (token.word, token.lemma, token.tag, universal(token.tag))
            for column, string in zip(self.columns, strings, strict=True):
                column.append(self.vocabulary.setdefault(string, len(self.vocabulary)))
        self.sentences.append((first, len(self.begins)))

    def _place(self, token: _Token) -> None:
        """Append a token to the text.

        A surface shorter than its span in the source is followed by spaces; a longer one (only
        where CoreNLP rewrote a token in a way we do not know) moves what follows.
        """
        gap = token.begin - self.source_end
        if gap < 0:
            raise Malformed(f"the token {token.word!r} at {token.begin} overlaps the one before it")
        units = len(token.word.encode("utf-16-le")) // 2
        padding = max(0, token.end - token.begin - units)
        if self.length + gap + padding > self.limit:
            raise Malformed(f"the token {token.word!r} at {token.begin} lies beyond any text of this size")
        begin = self.length + gap
        self.parts.extend((" " * gap, token.word, " " * padding))
        self.begins.append(begin)
        self.ends.append(begin + len(token.word))
        self.length = begin + len(token.word) + padding
        self.source_end = token.end

    def finished(self) -> Annotations:
        def array(values: list[int]) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
            return np.array(values, dtype=np.int32)

        words, lemmas, tags, pos = map(array, self.columns)
        return Annotations(
            text="".join(self.parts).rstrip(),
            begins=array(self.begins),
            ends=array(self.ends),
            words=words,
            vocabulary=tuple(self.vocabulary),
            sentences=np.array(self.sentences, dtype=np.int32).reshape(-1, 2),
            lemmas=lemmas,
            tags=tags,
            pos=pos,
        )
