"""Which components of a spaCy model make which layers, and how a batch of Docs goes through them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kpframe.errors import ResourceError
from kpframe.language import models as language_model
from kpframe.model import penn
from kpframe.preprocessing._embedding import embedded

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.strings import StringStore
    from spacy.tokens import Doc

__all__ = ["ComponentPlan", "bounded", "plan", "process"]

MAX_STRINGS = 400_000
"""How many strings a model may keep (about 300 bytes each) before those of a batch are temporary."""


_SIGNS = re.compile(r"\w(?:/\w|#|\+\+)|\.net\b", re.IGNORECASE)
# What was taken is not given back: a line of Base64 with a double slash took for ever.
_LETTERED = r"(?=[^/]*?[^\W\d_])[^/]++"
_NAME = re.compile(rf"{_LETTERED}(?:/{_LETTERED})+|[^\W\d_](?:\+\+|#)|\.net", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ComponentPlan:
    """The components of `model` that make `layers`; `penn`: parts of speech follow from Penn tags.

    Documents of one plan can share a batch. `keeps` tells which entity labels are wanted.
    """

    model: str
    layers: frozenset[str]
    components: tuple[str, ...]
    penn: bool
    keeps: Callable[[str], bool]

    @property
    def nlp(self) -> Language:
        """The loaded model."""
        return language_model.load(self.model)


@cache
def plan(
    model: str, layers: frozenset[str], given: frozenset[str], keeps: Callable[[str], bool]
) -> ComponentPlan:
    """How `model` makes `layers` for texts that have the layers `given` already.

    Raises ResourceError if the model has no component for one of them.
    """
    nlp = language_model.load(model)
    penn_tags = _has_penn_tags(nlp)
    needed = _needed(layers, given, penn_tags)
    missing = sorted(needed - set(nlp.pipe_names) - {"tagger", "morphologizer", "attribute_ruler"})
    if missing:
        raise ResourceError.at(
            f"language model {model!r}",
            f"has no component {', '.join(missing)}",
            "name a model that has it, or leave the annotator out",
        )
    needed |= _upstream(nlp, needed)
    # The parser comes last, so that no other layer depends on whether it ran.
    ordered = sorted((name for name in nlp.pipe_names if name in needed), key=lambda n: n == "parser")
    settled = penn_tags and bool(layers & {"pos", "chunks"}) and ("tags" in given or "tagger" in needed)
    return ComponentPlan(model, layers, tuple(ordered), settled, keeps)


@contextmanager
def bounded(nlp: Language) -> Iterator[None]:
    """A block after which `nlp` forgets the strings and words that were new in it, once it knows many.

    Documents and hashes made in the block are invalid afterwards. Until there are many, all are kept,
    since that is faster: the tokenizer caches no word that is temporary.
    """
    if len(nlp.vocab.strings) < MAX_STRINGS:
        yield
        return
    with nlp.memory_zone():
        yield
    for _, component in nlp.pipeline:
        cache_of_lemmas = getattr(component, "cache", None)
        if isinstance(cache_of_lemmas, dict) and len(cache_of_lemmas) > MAX_STRINGS:
            cache_of_lemmas.clear()


def process(how: ComponentPlan, docs: Iterable[Doc]) -> list[Doc]:
    """Run the components of a plan over one batch."""
    batch = list(docs)
    for name in how.components:
        component: Any = how.nlp.get_pipe(name)
        if hasattr(component, "listening_components"):
            batch = embedded(component, batch)
        else:
            batch = list(component.pipe(batch, batch_size=max(1, len(batch))))
        if name == "tagger" and _has_penn_tags(how.nlp):
            for doc in batch:
                _name_compounds(doc)
    if how.penn:
        numbers = _universal_numbers(how.model)
        for doc in batch:
            _set_pos(doc, numbers)
    return batch


def _name_compounds(doc: Doc) -> None:
    """Compounds with a slash and names with symbols are nouns, or adjectives where the tagger says so.

    Taggers learned texts in which such signs were words, and take whole ones for quotes or prepositions.
    """
    if not _SIGNS.search(doc.text):
        return
    for token in doc:
        if _NAME.fullmatch(token.text) and token.tag_[:2] not in ("NN", "JJ"):
            token.tag_ = "NN" if token.text.islower() else "NNP"


def _needed(layers: frozenset[str], given: frozenset[str], penn_tags: bool) -> set[str]:
    needed: set[str] = set()
    parts_of_speech = layers & {"pos", "lemmas", "chunks"} and not given & {"tags", "pos"}
    if "tags" in layers or parts_of_speech:
        needed |= {"tagger"} if penn_tags else {"tagger", "morphologizer", "attribute_ruler"}
    if "lemmas" in layers:
        needed |= {"lemmatizer"}
        if "tags" in given or "tagger" in needed:
            needed |= {"attribute_ruler"}
    if "chunks" in layers:
        needed |= {"parser"}
    if "entities" in layers:
        needed |= {"ner"}
    return needed


def _upstream(nlp: Language, needed: Collection[str]) -> set[str]:
    """The embedding components that some needed component listens to."""
    return {
        name
        for name, component in nlp.pipeline
        if set(getattr(component, "listening_components", ())) & set(needed)
    }


def _has_penn_tags(nlp: Language) -> bool:
    labels = set(nlp.pipe_labels.get("tagger", ()))
    return {"NNS", "VBZ"} <= labels


class _UniversalNumbers(dict[int, int]):
    """From the hash of a Penn tag to spaCy's number of its universal part of speech."""

    def __init__(self, strings: StringStore) -> None:
        super().__init__()
        self._strings = strings

    def __missing__(self, tag: int) -> int:
        # The names of parts of speech are among the symbols that every string store knows.
        self[tag] = self._strings[penn.universal(self._strings[tag])] if tag else 0
        return self[tag]


@cache
def _universal_numbers(model: str) -> _UniversalNumbers:
    return _UniversalNumbers(language_model.load(model).vocab.strings)


def _set_pos(doc: Doc, numbers: _UniversalNumbers) -> None:
    tags = doc.to_array("TAG").tolist()
    pos: Any = np.array([numbers[tag] for tag in tags], dtype=np.uint64)
    doc.from_array(["POS"], pos.reshape(-1, 1))
