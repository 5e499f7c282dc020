"""What supervised rankings know of a candidate, in numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kpframe.model import Candidates
from kpframe.ranking._labels import stemmed

__all__ = ["NOMINAL", "Column", "Description", "Feature", "TrainingCounts", "describe", "feature_matrix"]

Column = NDArray[np.float64]

Feature = Literal[
    "tfidf",
    "first_position",
    "last_position",
    "spread",
    "length",
    "tf",
    "keyphraseness",
    "head_pos",
    "in_title",
    "n_chars",
]

_OPEN_POS = ("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB")
_CLOSED_POS = ("ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ", "PUNCT", "SYM", "X")
_POS = (*_OPEN_POS, *_CLOSED_POS)
_POS_NUMBER = {tag: float(number) for number, tag in enumerate(_POS)}

NOMINAL: Mapping[str, int] = {"head_pos": len(_POS)}
"""Features whose values are names, numbered from 0, with how many there are."""


@dataclass(frozen=True, slots=True)
class Description:
    """The candidates of one document that are frequent enough, m of them.

    `frequencies` (shape m) are occurrences divided by the tokens of the text, `firsts` the token at
    which each first stands, `columns` the features (shape m each) that depend on the document
    alone. `forms` are stemmed surface forms, empty unless asked for.
    """

    keys: tuple[str, ...]
    frequencies: Column
    firsts: tuple[int, ...]
    columns: Mapping[str, Column]
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrainingCounts:
    """Counts over the training documents: in how many each key stands, and is gold by its form."""

    documents: int
    with_key: Mapping[str, int]
    as_gold: Mapping[str, int]


def describe(
    candidates: Candidates, features: Sequence[Feature], min_count: int, stem: str | None
) -> Description:
    """Describe the candidates with at least `min_count` occurrences; with `stem` also their forms."""
    places = candidates.places_of
    rows = [i for i in range(len(candidates)) if len(places[i]) >= min_count]
    tokens = max(len(candidates.annotations), 1)
    return Description(
        keys=tuple(candidates.keys[i] for i in rows),
        frequencies=np.array([len(places[i]) / tokens for i in rows], dtype=np.float64),
        firsts=tuple(places[i][0][0] for i in rows),
        columns={
            name: np.array([_MEASURES[name](candidates, i) for i in rows], dtype=np.float64)
            for name in features
            if name in _MEASURES
        },
        forms=tuple(stemmed(candidates.surfaces[i], stem) for i in rows) if stem else (),
    )


def feature_matrix(
    described: Description,
    features: Sequence[Feature],
    counts: TrainingCounts,
    own_gold: Collection[str] | None = None,
) -> Column:
    """The features of each candidate, shape (candidates, features).

    For a training document give the stemmed forms of its gold as `own_gold`: the document is then
    left out of the counts, as a new document is not in them either.
    """
    columns = []
    for name in features:
        match name:
            case "tfidf":
                columns.append(tfidf(described, counts, own=own_gold is not None))
            case "keyphraseness":
                columns.append(_keyphraseness(described, counts, own_gold or ()))
            case _:
                columns.append(described.columns[name])
    return np.column_stack(columns)


def tfidf(described: Description, counts: TrainingCounts, *, own: bool = False) -> Column:
    """tf / tokens · -log2((df + 1) / (N + 1)), as in KEA; with `own` without the document itself."""
    documents = counts.documents - own
    known = (counts.with_key.get(key, 0) - own for key in described.keys)
    idf = [math.log2((documents + 1) / (df + 1)) for df in known]
    return described.frequencies * np.array(idf, dtype=np.float64)


def _keyphraseness(described: Description, counts: TrainingCounts, own_gold: Collection[str]) -> Column:
    own = frozenset(own_gold)
    times = [counts.as_gold.get(form, 0) - (form in own) for form in described.forms]
    return np.array(times, dtype=np.float64)


def _first_position(candidates: Candidates, index: int) -> float:
    return candidates.places_of[index][0][0] / len(candidates.annotations)


def _last_position(candidates: Candidates, index: int) -> float:
    return candidates.places_of[index][-1][0] / len(candidates.annotations)


def _spread(candidates: Candidates, index: int) -> float:
    places = candidates.places_of[index]
    return (places[-1][0] - places[0][0]) / len(candidates.annotations)


def _length(candidates: Candidates, index: int) -> float:
    begin, end = candidates.places_of[index][0]
    return float(end - begin)


def _tf(candidates: Candidates, index: int) -> float:
    return float(len(candidates.places_of[index]))


def _head_pos(candidates: Candidates, index: int) -> float:
    annotations = candidates.annotations
    annotations.require("pos")
    assert annotations.pos is not None
    head = candidates.places_of[index][0][1] - 1
    return _POS_NUMBER.get(annotations.vocabulary[annotations.pos[head]], _POS_NUMBER["X"])


def _in_title(candidates: Candidates, index: int) -> float:
    title_length = candidates.document.metadata.get("title_length", 0)
    begins, _ = candidates.annotations.offsets
    return float(begins[candidates.places_of[index][0][0]] < title_length)


def _n_chars(candidates: Candidates, index: int) -> float:
    return float(len(candidates.surfaces[index]))


_MEASURES: Mapping[str, Callable[[Candidates, int], float]] = {
    "first_position": _first_position,
    "last_position": _last_position,
    "spread": _spread,
    "length": _length,
    "tf": _tf,
    "head_pos": _head_pos,
    "in_title": _in_title,
    "n_chars": _n_chars,
}
