"""One document on its way through spaCy: cut into pieces, made into Docs, put together again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from kpframe.model import Annotations, Document, penn
from kpframe.preprocessing._pieces import (
    TYPOGRAPHIC,
    Shifts,
    original_offsets,
    pieces,
    plain_quotes,
    squeezed,
)
from kpframe.preprocessing._sentences import sentence_begins, sentence_spans
from kpframe.preprocessing._spacy_arrays import Columns, Hashes, Offsets, columns, joined, with_columns
from kpframe.preprocessing._spacy_plan import Plan

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["GivenJob", "Job", "Piece", "TextJob"]

_UNIVERSAL = frozenset({*penn.UNIVERSAL.values(), "SCONJ"})


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A part of a job: a range of characters (of tokens, where they are given) and its size."""

    job: Job
    begin: int
    end: int
    characters: int


@dataclass(slots=True, eq=False)
class Job(ABC):
    """A document, how it is to be processed, and what was made of its pieces so far, in text order."""

    document: Document
    plan: Plan
    made: list[Columns] = field(default_factory=list)

    @abstractmethod
    def pieces(self, limit: int) -> list[Piece]:
        """The parts, in text order, of at most `limit` characters (or one sentence of given tokens)."""

    @abstractmethod
    def doc(self, piece: Piece) -> Doc:
        """The tokens of a piece, with the sentence starts set."""

    @abstractmethod
    def columns(self, doc: Doc, piece: Piece) -> Columns:
        """What spaCy said of a piece."""

    @abstractmethod
    def annotations(self) -> Annotations:
        """Everything put together, once all pieces are made."""


@dataclass(slots=True, eq=False)
class TextJob(Job):
    """A plain text.

    spaCy sees it with its white space squeezed and with ASCII quotes, so that neither line breaks nor
    typography change what it finds; offsets and words are those of the text as it is.
    """

    begins: list[int] = field(default_factory=list)
    shifts: dict[int, Shifts] = field(default_factory=dict)

    def pieces(self, limit: int) -> list[Piece]:
        """Ranges of characters that end where sentences end."""
        text = self.document.text
        self.begins = sentence_begins(text, self.document.language)
        return [Piece(self, begin, end, end - begin) for begin, end in pieces(text, self.begins, limit)]

    def doc(self, piece: Piece) -> Doc:
        """The tokens that the model's tokenizer makes."""
        plain, shifts = squeezed(self.document.text[piece.begin : piece.end])
        self.shifts[piece.begin] = shifts
        doc = self.plan.nlp.tokenizer(plain_quotes(plain))
        begins = original_offsets(doc.to_array("IDX").astype(np.int64), shifts) + piece.begin
        for start in sentence_spans(begins, self.begins)[:, 0].tolist():
            doc[start].is_sent_start = True
        return doc

    def columns(self, doc: Doc, piece: Piece) -> Columns:
        """Columns with words and with offsets into the document."""
        found = columns(doc, self.plan.layers | {"words"}, self.plan.keeps)
        shifts = self.shifts[piece.begin]
        begins = original_offsets(found.begins, shifts) + piece.begin
        ends = original_offsets(found.ends - 1, shifts) + piece.begin + 1
        self._restore_words(found.strings["words"], begins, ends, piece)
        return replace(found, begins=begins, ends=ends)

    def _restore_words(self, words: Hashes, begins: Offsets, ends: Offsets, piece: Piece) -> None:
        """Write the words that have typographic quotes or hyphens as they stand in the text."""
        text = self.document.text
        if text.isascii():
            return
        places = [found.start() for found in TYPOGRAPHIC.finditer(text, piece.begin, piece.end)]
        for token in np.unique(np.searchsorted(begins, places, side="right") - 1).tolist():
            words[token] = self.plan.nlp.vocab.strings.add(text[begins[token] : ends[token]])

    def annotations(self) -> Annotations:
        """Tokens, sentences and all layers."""
        found = joined(self.made, self.plan.layers | {"words"})
        return with_columns(
            Annotations.empty(self.document.text),
            found,
            self.plan.nlp.vocab.strings,
            begins=found.begins.astype(np.int32),
            ends=found.ends.astype(np.int32),
            sentences=sentence_spans(found.begins, self.begins),
        )


@dataclass(slots=True, eq=False)
class GivenJob(Job):
    """A text with tokens: they and all their layers stay as they are, missing layers are added."""

    given: Annotations = field(kw_only=True)

    def pieces(self, limit: int) -> list[Piece]:
        """Ranges of tokens that end where sentences end."""
        begins, ends = self.given.offsets
        cut: list[Piece] = []
        for first, last in self.given.sentences.tolist():
            before = cut[-1].begin if cut else first
            size = ends[last - 1] - begins[before]
            if cut and size <= limit:
                cut[-1] = Piece(self, before, last, size)
            else:
                cut.append(Piece(self, first, last, ends[last - 1] - begins[first]))
        return cut

    def doc(self, piece: Piece) -> Doc:
        """The given tokens with their tags and parts of speech."""
        from spacy.tokens import Doc

        given, begin, end = self.given, piece.begin, piece.end
        starts = np.zeros(end - begin, dtype=bool)
        starts[[first - begin for first, _ in given.sentences.tolist() if begin <= first < end]] = True
        gaps = given.begins[begin + 1 : end] > given.ends[begin : end - 1]
        pos = None if given.pos is None else given.strings(given.pos[begin:end])
        return Doc(
            self.plan.nlp.vocab,
            words=[word if word.strip() else "_" for word in given.strings(given.words[begin:end])],
            spaces=[*gaps.tolist(), False],
            sent_starts=[start or None for start in starts.tolist()],
            tags=None if given.tags is None else given.strings(given.tags[begin:end]),
            pos=None if pos is None else [p if p in _UNIVERSAL else "X" for p in pos],
        )

    def columns(self, doc: Doc, piece: Piece) -> Columns:
        """The missing layers alone, one row a given token."""
        return columns(doc, self.plan.layers, self.plan.keeps)

    def annotations(self) -> Annotations:
        """What was given, and what was missing."""
        found = joined(self.made, self.plan.layers)
        return with_columns(self.given, found, self.plan.nlp.vocab.strings)
