"""One document on its way through spaCy: cut into pieces, made into Docs, put together again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from kpframe.language.scripts import UNSPACED_LANGUAGES
from kpframe.model import Annotations, Document, penn
from kpframe.preprocessing._pieces import pieces
from kpframe.preprocessing._sentences import sentence_begins, sentence_spans
from kpframe.preprocessing._spacy_arrays import Columns, columns, joined, with_columns
from kpframe.preprocessing._spacy_plan import ComponentPlan
from kpframe.preprocessing._spacy_words import Words

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
    plan: ComponentPlan
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

    spaCy sees the words of `kpframe.language.words`, composed and with ASCII quotes, so that neither line
    breaks nor typography change what it finds; offsets are those of the text as it is.
    """

    begins: list[int] = field(default_factory=list)
    words: dict[int, Words] = field(default_factory=dict)

    def pieces(self, limit: int) -> list[Piece]:
        """Ranges of characters that end where sentences end."""
        text = self.document.text
        self.begins = sentence_begins(text, self.document.language)
        return [Piece(self, begin, end, end - begin) for begin, end in pieces(text, self.begins, limit)]

    def doc(self, piece: Piece) -> Doc:
        """The words of a piece; those of scripts without blanks are found by the model's tokenizer."""
        text = self.document.text[piece.begin : piece.end]
        nlp = self.plan.nlp
        if nlp.lang in UNSPACED_LANGUAGES:
            doc = nlp.tokenizer(text)
            starts = np.asarray(doc.to_array("IDX")).astype(np.int64) + piece.begin
        else:
            words = self.words[piece.begin] = Words.of(text, nlp.lang or "")
            doc = words.doc(nlp)
            starts = words.begins + piece.begin
        for start in sentence_spans(starts, self.begins)[:, 0].tolist():
            doc[start].is_sent_start = True
        return doc

    def columns(self, doc: Doc, piece: Piece) -> Columns:
        """Columns with words and with offsets into the document."""
        found = columns(doc, self.plan.layers | {"words"}, self.plan.keeps)
        words = self.words.pop(piece.begin, None)
        if words is None:
            return replace(found, begins=found.begins + piece.begin, ends=found.ends + piece.begin)
        words.restore(found.strings["words"], self.plan.nlp)
        return replace(found, begins=words.begins + piece.begin, ends=words.ends + piece.begin)

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
