"""From a Doc that another spaCy pipeline has annotated to Annotations, without parsing anything again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kpframe.errors import DataError, Problem
from kpframe.model import Annotations, IntArray, penn

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["NUMERIC", "Wanted", "annotations_of", "kept_tokens"]

NUMERIC = frozenset({"CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"})
"""Labels of entities that are mere numbers, amounts and dates: those that `ner` leaves out by default."""

_MAKERS = {
    "sentences": ("SENT_START", "sentence boundaries", "sentencizer, senter or parser"),
    "tags": ("TAG", "tags", "tagger"),
    "pos": ("POS", "parts of speech", "tagger with attribute_ruler, or morphologizer"),
    "lemmas": ("LEMMA", "lemmas", "lemmatizer"),
    "chunks": ("DEP", "dependency parse for noun chunks", "parser"),
    "entities": ("ENT_IOB", "entities", "ner"),
}
"""For each layer: spaCy's attribute, what it is called, and the component that makes it."""


@dataclass(frozen=True)
class Wanted:
    """The layers to take from a Doc, and which of them it must have; tokens and sentences always.

    Of entities only those with `labels` are taken (None: all but numbers).
    """

    layers: frozenset[str]
    needed: frozenset[str]
    labels: frozenset[str] | None = None

    def keeps(self, label: str) -> bool:
        """Whether an entity with this label is wanted."""
        return label not in NUMERIC if self.labels is None else label in self.labels


def kept_tokens(doc: Doc) -> list[int]:
    """The indexes of the tokens of `doc` that are no white space; kpframe numbers these from 0."""
    return [token.i for token in doc if token.text.strip()]


def annotations_of(doc: Doc, wanted: Wanted) -> Annotations:
    """The wanted layers of `doc`, with sentences.

    Chunks and entities end where their sentence ends; chunks lose punctuation at their ends. Universal
    parts of speech that a Doc lacks follow from its Penn tags. Raises DataError that names each missing
    layer and the component that makes it.
    """
    kept = kept_tokens(doc)
    if not kept:
        return _without_tokens(doc.text, wanted.layers)
    _refuse_missing(doc, wanted.needed)
    layers = {layer for layer in wanted.layers if layer in wanted.needed or _has(doc, layer)}
    tokens = [doc[i] for i in kept]
    strings = _Strings()
    words = strings.numbers(token.text for token in tokens)
    begins = np.array([token.idx for token in tokens], dtype=np.int32)
    ends = begins + np.array([len(token) for token in tokens], dtype=np.int32)
    lemmas = tags = pos = chunks = entities = labels = None
    if "lemmas" in layers:
        lemmas = strings.numbers(token.lemma_ or token.text for token in tokens)
    if "tags" in layers:
        tags = strings.numbers(token.tag_ for token in tokens)
    if "pos" in layers:
        known = doc.has_annotation("POS")
        pos = strings.numbers(token.pos_ if known else penn.universal(token.tag_) for token in tokens)
    places = _Places(kept, len(doc), _sentences(doc, kept))
    if "chunks" in layers:
        wordlike = [any(map(str.isalnum, token.text)) for token in tokens]
        found = (places.within(chunk.start, chunk.end) for chunk in doc.noun_chunks)
        chunks = _spans([span for begin, end in found for span in _trimmed(begin, end, wordlike)])
    if "entities" in layers:
        named = [e for e in doc.ents if wanted.keeps(e.label_) and e.text.strip()]
        entities = _spans([places.within(entity.start, entity.end) for entity in named])
        labels = strings.numbers(entity.label_ for entity in named)
    return Annotations(
        doc.text,
        begins,
        ends,
        words,
        tuple(strings.known),
        _spans(places.sentences),
        lemmas,
        tags,
        pos,
        chunks,
        entities,
        labels,
    )


class _Strings:
    """A vocabulary that grows."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def numbers(self, strings: Iterable[str]) -> IntArray:
        known = self.known
        return np.array([known.setdefault(string, len(known)) for string in strings], dtype=np.int32)


class _Places:
    """From token indexes of a Doc to those of its Annotations."""

    def __init__(self, kept: Sequence[int], size: int, sentences: list[tuple[int, int]]) -> None:
        self.sentences = sentences
        self._before = np.searchsorted(kept, np.arange(size + 1)).tolist()
        self._ends = [end for begin, end in sentences for _ in range(begin, end)]

    def within(self, start: int, end: int) -> tuple[int, int]:
        """The tokens of a span, which holds at least one, up to the end of its sentence."""
        begin = self._before[start]
        return begin, min(self._before[end], self._ends[begin])


def _sentences(doc: Doc, kept: Sequence[int]) -> list[tuple[int, int]]:
    number = 0
    owner = []
    for token in doc:
        number += bool(token.is_sent_start)
        owner.append(number)
    owners = [owner[i] for i in kept]
    begins = [i for i, one in enumerate(owners) if i == 0 or one != owners[i - 1]]
    return list(zip(begins, [*begins[1:], len(kept)], strict=True))


def _trimmed(begin: int, end: int, wordlike: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The span without tokens of mere punctuation at its ends; nothing if all are."""
    places = [i for i in range(begin, end) if wordlike[i]]
    if places:
        yield places[0], places[-1] + 1


def _spans(pairs: Sequence[tuple[int, int]]) -> IntArray:
    return np.array(pairs, dtype=np.int32).reshape(-1, 2)


def _without_tokens(text: str, layers: frozenset[str]) -> Annotations:
    columns = {name: np.zeros(0, dtype=np.int32) for name in layers & {"lemmas", "tags", "pos"}}
    spans = {name: _spans([]) for name in layers & {"chunks", "entities"}}
    labels = {"entity_labels": np.zeros(0, dtype=np.int32)} if "entities" in layers else {}
    return Annotations.empty(text).with_layers(**columns, **spans, **labels)


def _refuse_missing(doc: Doc, layers: frozenset[str]) -> None:
    problems = []
    for layer, (attribute, name, component) in _MAKERS.items():
        if layer not in layers | {"sentences"} or _has(doc, layer):
            continue
        problem, remedy = f"the text has no {name}", f"add the component {component} before kpframe"
        if doc.has_annotation(attribute):
            problem = f"spaCy finds no noun chunks in language {doc.lang_!r}"
            remedy = "use a kpframe pipeline whose chunks come from a grammar, as noun-phrases"
        problems.append(Problem("spaCy pipeline", problem, remedy))
    if problems:
        raise DataError(problems)


def _has(doc: Doc, layer: str) -> bool:
    """Whether a layer was made, or follows from what was made."""
    if layer not in _MAKERS or doc.has_annotation(_MAKERS[layer][0]):
        return layer != "chunks" or _has_noun_chunks(doc)
    return layer == "pos" and doc.has_annotation("TAG") and _has_penn_tags(doc)


def _has_penn_tags(doc: Doc) -> bool:
    return all(token.tag_ in penn.UNIVERSAL or token.tag_ == "_SP" for token in doc)


def _has_noun_chunks(doc: Doc) -> bool:
    return doc.vocab.get_noun_chunks is not None
