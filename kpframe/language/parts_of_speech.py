"""The names of parts of speech in specs, and which tokens of a text have one of them.

A name in lower case is a universal class, by its plain name (`noun`, `proper_noun`, `adjective`) or
by its tag (`propn`, `adj`), and is looked up in the `pos` layer; `noun` includes proper nouns. A
name in upper case is a tag of the Penn Treebank (`NN`, `NNS`, `JJ`), looked up in the `tags` layer.
Punctuation and symbols have no name, since they are never a candidate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator

from kpframe.errors import suggestion
from kpframe.model import Annotations, IntArray

__all__ = ["CLASSES", "PENN", "PartOfSpeechNames", "PartsOfSpeech", "layer_of", "parse", "tagged"]

_PLAIN = {
    "noun": "NOUN PROPN",
    "common_noun": "NOUN",
    "proper_noun": "PROPN",
    "adjective": "ADJ",
    "verb": "VERB",
    "auxiliary": "AUX",
    "adverb": "ADV",
    "number": "NUM",
    "pronoun": "PRON",
    "determiner": "DET",
    "preposition": "ADP",
    "adposition": "ADP",
    "conjunction": "CCONJ SCONJ",
    "particle": "PART",
    "interjection": "INTJ",
    "other": "X",
}
_BY_TAG = "ADJ ADP ADV AUX CCONJ DET INTJ NUM PART PRON PROPN SCONJ VERB X"
_PENN = (
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP TO UH "
    "VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB AFX XX"
)

CLASSES: dict[str, frozenset[str]] = {
    **{tag.lower(): frozenset({tag}) for tag in _BY_TAG.split()},
    **{name: frozenset(tags.split()) for name, tags in _PLAIN.items()},
}
"""Universal classes: name in specs → universal tags."""

PENN = frozenset(_PENN.split())
"""The tags of the Penn Treebank that words have (with AFX and XX of OntoNotes)."""

Layer = Literal["pos", "tags"]


@dataclass(frozen=True, slots=True)
class PartsOfSpeech:
    """A set of tags in one layer."""

    layer: Layer
    tags: frozenset[str]


@lru_cache(maxsize=256)
def parse(names: tuple[str, ...]) -> PartsOfSpeech:
    """The tags that `names` stand for.

    Raises ValueError for an unknown name (with a suggestion), for no name at all, and where
    universal classes and Penn tags are mixed.
    """
    if not names:
        raise ValueError("name at least one part of speech, or write null for all")
    layers = {layer_of(name) for name in names}
    if len(layers) > 1:
        raise ValueError(
            "universal classes (lower case) and Penn tags (upper case) are mixed; use one of the two"
        )
    layer = layers.pop()
    if layer == "tags":
        return PartsOfSpeech(layer, frozenset(names))
    return PartsOfSpeech(layer, frozenset[str]().union(*(CLASSES[name] for name in names)))


def layer_of(name: str) -> Layer:
    """The layer in which a part of speech is looked up; ValueError for an unknown name."""
    if name in CLASSES:
        return "pos"
    if name in PENN:
        return "tags"
    hint = suggestion(name, [*CLASSES, *sorted(PENN)], listed=_PLAIN)
    raise ValueError(f"unknown part of speech {name!r}; {hint}")


def _checked(names: tuple[str, ...]) -> tuple[str, ...]:
    parse(names)
    return names


PartOfSpeechNames = Annotated[tuple[str, ...], AfterValidator(_checked)]
"""A parameter that lists parts of speech."""


def tagged(annotations: Annotations, names: Sequence[str]) -> NDArray[np.bool_]:
    """For each token whether it has one of the parts of speech `names`."""
    return annotations.once(_tagged, tuple(names))


def _tagged(annotations: Annotations, names: tuple[str, ...]) -> NDArray[np.bool_]:
    parts = parse(names)
    annotations.require(parts.layer)
    layer: IntArray | None = annotations.pos if parts.layer == "pos" else annotations.tags
    assert layer is not None
    has = np.array(list(map(parts.tags.__contains__, annotations.vocabulary)), dtype=np.bool_)
    chosen: NDArray[np.bool_] = has[layer]
    chosen.setflags(write=False)
    return chosen
