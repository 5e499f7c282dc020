"""What supervised rankings know of a candidate, in numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kpframe.model import Candidates
from kpframe.model.annotations import SECTION_KINDS
from kpframe.ranking._labels import stemmed
from kpframe.ranking._phrase_forms import ENDINGS, PATTERNS, ending, is_acronym, pattern

__all__ = [
    "COHERENCE",
    "NOMINAL",
    "Column",
    "Description",
    "Feature",
    "TrainingCounts",
    "describe",
    "feature_matrix",
]

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
    "pos_sequence",
    "ending",
    "acronym",
    "parts_tf",
    "section",
    "in_heading",
    "coherence_1",
    "coherence_2",
    "coherence_3",
    "coherence_4",
]
COHERENCE: tuple[Feature, ...] = ("coherence_1", "coherence_2", "coherence_3", "coherence_4")
"""Features of a second pass: association with the first, second, … candidate of the first."""

_OPEN_POS = ("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB")
_CLOSED_POS = ("ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ", "PUNCT", "SYM", "X")
_POS = (*_OPEN_POS, *_CLOSED_POS)
_POS_NUMBER = {tag: float(number) for number, tag in enumerate(_POS)}

NOMINAL: Mapping[str, int] = {
    "head_pos": len(_POS),
    "pos_sequence": PATTERNS,
    "ending": ENDINGS,
    "section": len(SECTION_KINDS),
}
"""Features whose values are names, numbered from 0, with how many there are."""


@dataclass(frozen=True, slots=True)
class Description:
    """The candidates of one document, m of them.

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
    """Counts over the training documents: in how many each key stands, and is gold by its form.

    `documents_of` has the numbers of the documents with a key, where features of coherence need them.
    """

    documents: int
    with_key: Mapping[str, int]
    as_gold: Mapping[str, int]
    documents_of: Mapping[str, frozenset[int]] = field(default_factory=dict)


def describe(candidates: Candidates, features: Sequence[Feature], stem: str | None) -> Description:
    """Describe the candidates; with `stem` also their forms."""
    places = candidates.places_of
    rows = range(len(candidates))
    tokens = max(len(candidates.annotations), 1)
    language = candidates.document.language
    return Description(
        keys=candidates.keys,
        frequencies=np.array([len(places[i]) / tokens for i in rows], dtype=np.float64),
        firsts=tuple(places[i][0][0] for i in rows),
        columns={
            name: np.array(_column(name, candidates), dtype=np.float64)
            for name in features
            if name in _MEASURES or name in _TOGETHER
        },
        forms=tuple(stemmed(candidates.surfaces[i], stem, language) for i in rows) if stem else (),
    )


def _column(name: str, candidates: Candidates) -> list[float]:
    if name in _TOGETHER:
        return _TOGETHER[name](candidates)
    return [_MEASURES[name](candidates, index) for index in range(len(candidates))]


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


def _tags(candidates: Candidates, index: int) -> list[str]:
    annotations = candidates.annotations
    annotations.require("pos")
    assert annotations.pos is not None
    begin, end = candidates.places_of[index][0]
    return [annotations.vocabulary[number] for number in annotations.pos[begin:end].tolist()]


def _pos_sequence(candidates: Candidates, index: int) -> float:
    return float(pattern(_tags(candidates, index)))


def _ending(candidates: Candidates, index: int) -> float:
    head = candidates.places_of[index][0][1] - 1
    return float(ending(candidates.annotations.surface(head, head + 1)))


def _acronym(candidates: Candidates, index: int) -> float:
    return float(any(map(is_acronym, candidates.surfaces[index].split())))


def _section(candidates: Candidates) -> list[float]:
    """For each candidate the number of the kind of the section in which it first stands."""
    annotations = candidates.annotations
    annotations.require("sections")
    assert annotations.sections is not None and annotations.section_kinds is not None
    numbers = [float(SECTION_KINDS.index(kind)) for kind in annotations.strings(annotations.section_kinds)]
    firsts = [places[0][0] for places in candidates.places_of]
    where = np.searchsorted(annotations.sections[:, 0], firsts, side="right") - 1
    return [numbers[at] for at in where.tolist()]


def _in_heading(candidates: Candidates) -> list[float]:
    """For each candidate 1 if any of its places begins in a heading or the title, else 0."""
    annotations = candidates.annotations
    annotations.require("sections")
    assert annotations.headings is not None
    inside = {token for begin, end in annotations.headings.tolist() for token in range(begin, end)}
    return [float(any(begin in inside for begin, _ in places)) for places in candidates.places_of]


def _parts_tf(candidates: Candidates) -> list[float]:
    """For each candidate the occurrences of those that are a contiguous part of it, token by token."""
    times = {key: len(places) for key, places in zip(candidates.keys, candidates.places_of, strict=True)}
    totals = []
    for key in candidates.keys:
        tokens = key.split(" ")
        parts = {
            " ".join(tokens[begin : begin + length])
            for length in range(1, len(tokens))
            for begin in range(len(tokens) - length + 1)
        }
        totals.append(float(sum(times.get(part, 0) for part in parts)))
    return totals


_TOGETHER: Mapping[str, Callable[[Candidates], list[float]]] = {
    "parts_tf": _parts_tf,
    "section": _section,
    "in_heading": _in_heading,
}

_MEASURES: Mapping[str, Callable[[Candidates, int], float]] = {
    "first_position": _first_position,
    "last_position": _last_position,
    "spread": _spread,
    "length": _length,
    "tf": _tf,
    "head_pos": _head_pos,
    "in_title": _in_title,
    "n_chars": _n_chars,
    "pos_sequence": _pos_sequence,
    "ending": _ending,
    "acronym": _acronym,
}
