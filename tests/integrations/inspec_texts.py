"""Real abstracts for the integrations, and annotated documents."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from kpframe import Document
from kpframe.engine.annotating import Preprocessing
from kpframe.model import Annotations
from kpframe.stages import Reader
from kpframe.stages.registry import lookup

_ROOT = Path(__file__).resolve().parents[2]
CORPORA = (_ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets")).resolve()

needs_corpora = pytest.mark.skipif(
    not CORPORA.is_dir(), reason=f"the corpora are not in {CORPORA}; set KPFRAME_DATA"
)

RULES = {
    "preprocessing": ["simple"],
    "candidates": {"kind": "ngrams", "min": 1, "max": 2, "stopwords": ["en"]},
    "ranking": "frequency",
}
"""A pipeline that needs no language model."""


@cache
def inspec(number: int = 50) -> tuple[Document, ...]:
    """The first abstracts of the test part of Inspec (Hulth 2003), with their gold."""
    reader = lookup("documents", "hulth2003").model_validate({"path": str(CORPORA / "Hulth2003.tar.gz")})
    assert isinstance(reader, Reader)
    documents = (found for found in reader.read() if isinstance(found, Document))
    return tuple(islice(documents, number))


def annotated(documents: Sequence[Document], *kinds: str) -> list[Document]:
    """Documents with the layers that some annotators make (all, if none is named)."""
    steps = [lookup("preprocessing", k)() for k in kinds or ("tokenize", "lemmatize", "pos", "chunk", "ner")]
    layers: frozenset[str] = frozenset().union(*(step.provides() for step in steps))
    made = Preprocessing.of(steps, layers).annotate(documents)
    return [replace(document, annotations=found.value) for document, found in made]


def layers_of(made: Annotations | None) -> dict[str, object]:
    """All layers as plain values: equal annotations give equal ones, however the vocabulary is numbered."""
    assert made is not None
    found: dict[str, object] = {"text": made.text, "layers": made.layers}
    for name in ("begins", "ends", "sentences", "chunks", "entities"):
        found[name] = None if getattr(made, name) is None else getattr(made, name).tolist()
    for name in ("words", "lemmas", "tags", "pos", "entity_labels"):
        found[name] = None if getattr(made, name) is None else made.strings(getattr(made, name))
    return found
