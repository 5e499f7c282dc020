"""From spaCy's Doc to the arrays of Annotations, by whole columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kpframe.model import Annotations, IntArray

if TYPE_CHECKING:
    from spacy.strings import StringStore
    from spacy.tokens import Doc

__all__ = ["Columns", "Hashes", "Offsets", "columns", "joined", "with_columns"]

Hashes = NDArray[np.uint64]
"""Strings as keys of spaCy's string store."""

Offsets = NDArray[np.int64]

_ATTRIBUTES = {"words": "ORTH", "lemmas": "LEMMA", "tags": "TAG", "pos": "POS"}


@dataclass(frozen=True, slots=True)
class Columns:
    """What one pass of spaCy says of one piece of text, n tokens without white space.

    `begins` and `ends` (shape n) are offsets into the text of the Doc. `strings` maps the layers
    words, lemmas, tags, pos to hashes of shape n. `chunks` and `entities` are token ranges of shape
    (m, 2), `labels` the hashes of the entities' labels; None for a layer that was not asked for.
    """

    begins: Offsets
    ends: Offsets
    strings: dict[str, Hashes]
    chunks: IntArray | None = None
    entities: IntArray | None = None
    labels: Hashes | None = None


def columns(doc: Doc, layers: frozenset[str], keeps: Callable[[str], bool]) -> Columns:
    """The wanted `layers` of `doc`, without tokens of white space and entities that `keeps` refuses."""
    named = [name for name in _ATTRIBUTES if name in layers]
    attributes: list[int | str] = [
        "IDX",
        "LENGTH",
        "IS_SPACE",
        "ORTH",
        *(_ATTRIBUTES[name] for name in named),
    ]
    table: Hashes = np.asarray(doc.to_array(attributes), np.uint64).reshape(len(doc), len(attributes))
    chunks = [(c.start, c.end) for c in doc.noun_chunks] if "chunks" in layers else None
    found = [e for e in doc.ents if keeps(e.label_)] if "entities" in layers else []
    entities = [(e.start, e.end) for e in found] if "entities" in layers else None
    space = table[:, 2] != 0
    if space.any():
        kept = np.concatenate(([0], np.cumsum(~space)))
        chunks, entities = _renumbered(chunks, kept), _renumbered(entities, kept)
        table = table[~space]
    strings = {name: table[:, 4 + i] for i, name in enumerate(named)}
    if "lemmas" in strings:
        strings["lemmas"] = np.where(strings["lemmas"] == 0, table[:, 3], strings["lemmas"])
    begins = table[:, 0].astype(np.int64)
    ends = begins + table[:, 1].astype(np.int64)
    labels = np.array([e.label for e in found], dtype=np.uint64)
    return Columns(begins, ends, strings, _spans(chunks), _spans(entities), labels)


def joined(parts: Sequence[Columns], layers: frozenset[str]) -> Columns:
    """One set of columns, with `layers`, for pieces that follow each other (for none: empty ones)."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return _without_tokens(layers)
    firsts = np.cumsum([0, *(len(part.begins) for part in parts)])
    return Columns(
        np.concatenate([part.begins for part in parts]),
        np.concatenate([part.ends for part in parts]),
        {name: np.concatenate([part.strings[name] for part in parts]) for name in parts[0].strings},
        _moved([part.chunks for part in parts], firsts),
        _moved([part.entities for part in parts], firsts),
        np.concatenate([part.labels for part in parts if part.labels is not None]),
    )


def with_columns(base: Annotations, made: Columns, strings: StringStore, **tokens: Any) -> Annotations:
    """`base` with the layers in `made`; `tokens` are fields of Annotations that are set as well.

    Chunks and entities that cross the end of a sentence are cut off there; chunks lose punctuation at
    their ends.
    """
    sentences = tokens.get("sentences", base.sentences)
    labels = made.labels if made.labels is not None else np.zeros(0, dtype=np.uint64)
    every = [*made.strings.values(), labels]
    distinct, inverse = np.unique(np.concatenate(every), return_inverse=True)
    vocabulary, numbers = _extended(base.vocabulary, [strings[int(key)] if key else "" for key in distinct])
    indexes = numbers[inverse]
    layers: dict[str, Any] = {}
    start = 0
    for name, hashes in made.strings.items():
        layers[name] = indexes[start : start + len(hashes)]
        start += len(hashes)
    if made.chunks is not None:
        words = layers.get("words", base.words)
        wordlike = np.array([any(map(str.isalnum, string)) for string in vocabulary], dtype=bool)[words]
        layers["chunks"] = _trimmed(_within(made.chunks, sentences), wordlike)
    if made.entities is not None:
        layers["entities"] = _within(made.entities, sentences)
        layers["entity_labels"] = indexes[start:]
    return base.with_layers(vocabulary=vocabulary, **layers, **tokens)


def _without_tokens(layers: frozenset[str]) -> Columns:
    none, spans = np.zeros(0, dtype=np.int64), _spans([])
    return Columns(
        none,
        none,
        {name: none.astype(np.uint64) for name in _ATTRIBUTES if name in layers},
        spans if "chunks" in layers else None,
        spans if "entities" in layers else None,
        none.astype(np.uint64),
    )


def _spans(pairs: list[tuple[int, int]] | None) -> IntArray | None:
    return None if pairs is None else np.array(pairs, dtype=np.int32).reshape(-1, 2)


def _renumbered(pairs: list[tuple[int, int]] | None, kept: NDArray[np.int64]) -> list[tuple[int, int]] | None:
    if pairs is None:
        return None
    return [(int(kept[b]), int(kept[e])) for b, e in pairs]


def _moved(parts: Sequence[IntArray | None], firsts: NDArray[np.int64]) -> IntArray | None:
    moved = [part + first for part, first in zip(parts, firsts[:-1], strict=True) if part is not None]
    return np.concatenate(moved).astype(np.int32) if moved else None


def _within(spans: IntArray, sentences: IntArray) -> IntArray:
    if not len(spans):
        return spans
    owner = np.searchsorted(sentences[:, 0], spans[:, 0], side="right") - 1
    return np.stack((spans[:, 0], np.minimum(spans[:, 1], sentences[owner, 1])), axis=1).astype(np.int32)


def _trimmed(spans: IntArray, wordlike: NDArray[np.bool_]) -> IntArray:
    """`spans` without the tokens at both ends that are not `wordlike`; those with none are left out."""
    if not len(spans):
        return spans
    before = np.concatenate(([0], np.cumsum(wordlike)))  # how many of the first i tokens are
    places = np.flatnonzero(wordlike)
    first, last = before[spans[:, 0]], before[spans[:, 1]]
    kept = first < last
    return np.stack((places[first[kept]], places[last[kept] - 1] + 1), axis=1).astype(np.int32)


def _extended(known: tuple[str, ...], strings: list[str]) -> tuple[tuple[str, ...], IntArray]:
    """`known` with `strings` added, and the index of each of `strings` in it."""
    if not known:
        return tuple(strings), np.arange(len(strings), dtype=np.int32)
    vocabulary = list(known)
    numbers = {string: index for index, string in enumerate(known)}
    for string in strings:
        if string not in numbers:
            numbers[string] = len(vocabulary)
            vocabulary.append(string)
    return tuple(vocabulary), np.array([numbers[string] for string in strings], dtype=np.int32)
