"""Texts for the tests of rankings: tokens parted by one space, one string a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from kpframe.model import Annotations, Candidates, Document, Gold, Keyphrases, Place


def annotate(*sentences: str, pos: str = "") -> Annotations:
    """Annotations of `sentences`, whose tokens are parted by one space; `pos` has a tag a token."""
    text = " ".join(sentences)
    words = text.split()
    tags = pos.split()
    vocabulary = tuple(dict.fromkeys([*words, *tags]))
    number = {word: index for index, word in enumerate(vocabulary)}
    lengths = np.array([len(word) for word in words], dtype=np.int32)
    begins = np.concatenate(([0], np.cumsum(lengths + 1)[:-1])) if words else lengths
    sizes = [len(sentence.split()) for sentence in sentences]
    ends = np.cumsum(sizes, dtype=np.int32)
    return Annotations(
        text,
        begins.astype(np.int32),
        (begins + lengths).astype(np.int32),
        np.array([number[word] for word in words], dtype=np.int32),
        vocabulary,
        np.column_stack((ends - np.array(sizes), ends)).astype(np.int32).reshape(-1, 2),
        pos=np.array([number[tag] for tag in tags], dtype=np.int32) if tags else None,
    )


def candidates(
    *sentences: str,
    places: Iterable[Place] | None = None,
    longest: int = 1,
    without: str = ".",
    gold: Iterable[str | tuple[str, ...]] = (),
    id: str = "d",
    key: Callable[[str], str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    pos: str = "",
) -> Candidates:
    """Candidates at `places`, or all n-grams up to `longest` tokens without the words in `without`."""
    made = annotate(*sentences, pos=pos)
    variants = [(g,) if isinstance(g, str) else g for g in gold]
    document = Document(id, made.text, gold=tuple(Gold(v) for v in variants), metadata=dict(metadata or {}))
    if places is None:
        places = list(_ngrams(made, longest, frozenset(without.split())))
    surface = made.surface
    named = (lambda place: key(surface(*place))) if key else None
    return Candidates.build(document, made, places, key=named)


def _ngrams(made: Annotations, longest: int, without: frozenset[str]) -> Iterable[Place]:
    words = made.folded_words
    for begin, end in made.sentences.tolist():
        for first in range(begin, end):
            for last in range(first + 1, min(first + longest, end) + 1):
                if not without.intersection(words[first:last]):
                    yield first, last


def scores(ranked: Keyphrases) -> dict[str, float]:
    """Score by key."""
    return {entry.key: entry.score for entry in ranked}


def keys(ranked: Keyphrases) -> list[str]:
    """Keys, best first."""
    return [entry.key for entry in ranked]
