"""Annotations built by hand, and by spaCy, for tests of selections."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from kpframe.language import models as language_model
from kpframe.language.words import token_spans
from kpframe.model import Annotations, Candidates, Document
from kpframe.stages import Selection

UNIVERSAL = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "JJ": "ADJ", "JJR": "ADJ", "JJS": "ADJ",
    "DT": "DET", "PRP": "PRON", "PRP$": "PRON", "IN": "ADP", "CC": "CCONJ", "CD": "NUM", "RB": "ADV",
    "VB": "VERB", "VBZ": "VERB", "VBD": "VERB", "VBN": "VERB", "VBG": "VERB", "VBP": "VERB", "MD": "AUX",
    "POS": "PART", "TO": "PART", ".": "PUNCT", ",": "PUNCT", ":": "PUNCT", "``": "PUNCT", "''": "PUNCT",
}  # fmt: skip


def _ids(strings: Sequence[str], vocabulary: dict[str, int]) -> np.ndarray:
    return np.array([vocabulary.setdefault(s, len(vocabulary)) for s in strings], dtype=np.int32)


def _spans(pairs: Sequence[Sequence[int]]) -> np.ndarray:
    return np.array(pairs, dtype=np.int32).reshape(-1, 2)


def annotated(
    text: str,
    *,
    tags: str | None = None,
    pos: str | None = None,
    lemmas: str | None = None,
    sentences: Sequence[tuple[int, int]] | None = None,
    chunks: Sequence[tuple[int, int]] | None = None,
    entities: Sequence[tuple[int, int, str]] | None = None,
) -> Annotations:
    """`text` tokenised by `normalize.token_spans`; layers are given one string a token.

    With Penn `tags` the `pos` layer follows from them. Sentences end after ".", "!" and "?".
    """
    spans = token_spans(text)
    words = [text[b:e] for b, e in spans]
    vocabulary: dict[str, int] = {}
    if tags is not None:
        pos = " ".join(UNIVERSAL[tag] for tag in tags.split())
    made = {
        name: None if given is None else _ids(given.split(), vocabulary)
        for name, given in (
            ("lemmas", lemmas),
            ("tags", tags),
            ("pos", pos),
        )
    }
    for layer in made.values():
        assert layer is None or len(layer) == len(words), (words, made)
    if sentences is None:
        cuts = [0, *(i for i, word in enumerate(words, 1) if word in ".!?" and i < len(words)), len(words)]
        sentences = list(pairwise(cuts)) if words else []
    word_ids = _ids(words, vocabulary)
    labels = None if entities is None else _ids([label for _, _, label in entities], vocabulary)
    return Annotations(
        text,
        np.array([b for b, _ in spans], dtype=np.int32),
        np.array([e for _, e in spans], dtype=np.int32),
        word_ids,
        tuple(vocabulary),
        _spans(sentences),
        chunks=None if chunks is None else _spans(chunks),
        entities=None if entities is None else _spans([(b, e) for b, e, _ in entities]),
        entity_labels=labels,
        **made,
    )


def parsed(text: str) -> Annotations:
    """`text` with all layers, by the English spaCy model."""
    doc = language_model.load("en")(text)
    tokens = [token for token in doc if not token.is_space]
    number = {token.i: i for i, token in enumerate(tokens)}
    vocabulary: dict[str, int] = {}

    def ranges(spans):  # type: ignore[no-untyped-def]
        inside = ([number[i] for i in range(s.start, s.end) if i in number] for s in spans)
        return _spans([(found[0], found[-1] + 1) for found in inside if found])

    layers = {
        "words": _ids([token.text for token in tokens], vocabulary),
        "lemmas": _ids([token.lemma_ for token in tokens], vocabulary),
        "tags": _ids([token.tag_ for token in tokens], vocabulary),
        "pos": _ids([token.pos_ for token in tokens], vocabulary),
        "entity_labels": _ids([entity.label_ for entity in doc.ents], vocabulary),
    }
    return Annotations(
        text,
        np.array([token.idx for token in tokens], dtype=np.int32),
        np.array([token.idx + len(token) for token in tokens], dtype=np.int32),
        vocabulary=tuple(vocabulary),
        sentences=ranges(doc.sents),
        chunks=ranges(doc.noun_chunks),
        entities=ranges(doc.ents),
        **layers,
    )


def select(stage: Selection, annotations: Annotations) -> Candidates:
    """The candidates that `stage` selects in a document made of `annotations`."""
    return stage.select(Document("d", annotations.text), annotations)


def surfaces(stage: Selection, annotations: Annotations) -> list[str]:
    """Their surface forms, in order of first occurrence."""
    return list(select(stage, annotations).surfaces)
