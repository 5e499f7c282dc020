"""Gold and predictions that Python callers hand over, checked as strictly as files are."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from kpframe.errors import DataError
from kpframe.evaluation._phrase_values import are_phrases
from kpframe.evaluation.predictions import GoldRecord, Prediction
from kpframe.model import AUTO, Document, Gold, Keyphrase
from kpframe.model.blank import is_blank

__all__ = ["gold_records", "predictions_of"]


def gold_records(gold: Any) -> Iterator[GoldRecord]:
    """Of documents, or of a mapping of ids to gold keyphrases; DataError with the document at fault."""
    pairs = _by_id(gold, "gold")
    if pairs is not None:
        for name, phrases in pairs:
            place = f"gold of {name!r}"
            items = _listed(place, phrases)
            if are_phrases(items):
                yield name, tuple([Gold.known((item,)) for item in items]), None
            else:
                yield name, tuple([_gold(place, item) for item in items]), None
        return
    seen: set[str] = set()
    for document in _items(gold, "gold", "documents, or a mapping of ids to lists of keyphrases"):
        if not isinstance(document, Document):
            problem = f"{reprlib.repr(document)} is no document"
            raise DataError.at("gold", problem, "give documents, or a mapping of ids to lists of keyphrases")
        _once(document.id, seen, "gold")
        record = document.id, document.gold, document.text
        yield record if document.language == AUTO else (*record, document.language)


def predictions_of(predictions: Any) -> Iterator[Prediction]:
    """Of a mapping of ids to phrases, best first, or of extractions; DataError with the document at fault."""
    pairs = _by_id(predictions, "predictions")
    if pairs is None:
        pairs = _extracted(predictions)
    for name, phrases in pairs:
        place = f"predictions for {name!r}"
        items = _listed(place, phrases)
        scores = None
        if not are_phrases(items):
            # As in a file: scores count where every phrase has one.
            if items and all(isinstance(one, Keyphrase) for one in items):
                scores = tuple([one.score for one in items])
            texts = [one.text if isinstance(one, Keyphrase) else one for one in items]
            items = [_phrase(place, text) for text in texts]
        yield Prediction(name, tuple(items), scores=scores)


def _extracted(predictions: Any) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for found in _items(predictions, "predictions", "a mapping of ids to lists of phrases, or extractions"):
        if not hasattr(found, "id") or not hasattr(found, "error"):
            problem = f"{reprlib.repr(found)} is no extraction, and has no id"
            raise DataError.at("predictions", problem, "give a mapping of ids to lists of phrases")
        if found.error is None:
            name = _identifier("predictions", found.id)
            _once(name, seen, "predictions")
            yield name, found


def _by_id(value: Any, side: str) -> Iterator[tuple[str, Any]] | None:
    """The ids and values of a mapping or a pandas Series; None for anything else."""
    kind = _kind_of_pandas(value)
    if kind == "DataFrame":
        remedy = "give a mapping, as dict(zip(frame['id'], frame['keyphrases']))"
        raise DataError.at(side, "a DataFrame does not say what its columns are", remedy)
    if kind != "Series" and not isinstance(value, Mapping):
        return None
    return _named(value.items(), side)


def _named(pairs: Iterable[tuple[Any, Any]], side: str) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for given, phrases in pairs:
        name = _identifier(side, given)
        _once(name, seen, side)
        yield name, phrases


def _identifier(side: str, given: Any) -> str:
    if isinstance(given, str) and given:
        return str(given)
    try:
        if isinstance(given, bool):
            raise TypeError
        return str(operator.index(given))  # also the integers of numpy
    except TypeError:
        problem = f"the id {reprlib.repr(given)} is neither a string nor an integer"
        raise DataError.at(side, problem, "give every document an id") from None


def _once(name: str, seen: set[str], side: str) -> None:
    if name in seen:
        raise DataError.at(side, f"id {name!r} comes twice", "keep one of the two")
    seen.add(name)


def _items(value: Any, side: str, wanted: str) -> Iterator[Any]:
    if isinstance(value, str | bytes | Document) or not isinstance(value, Iterable):
        raise DataError.at(side, f"{reprlib.repr(value)} cannot be read", f"give {wanted}")
    return iter(value)


def _listed(place: str, value: Any) -> list[Any]:
    """The items of a list, in an order that means something."""
    wrong = isinstance(value, str | bytes | Mapping | Set) or not isinstance(value, Iterable)
    if wrong or _kind_of_pandas(value) == "DataFrame" or getattr(value, "ndim", 1) != 1:
        raise DataError.at(place, f"{reprlib.repr(value)} is not a list", "give a list of phrases")
    return list(value)


def _phrase(place: str, value: Any) -> str:
    if not isinstance(value, str):
        raise DataError.at(place, f"the phrase {reprlib.repr(value)} is not a string", "write it as a string")
    if is_blank(value):
        raise DataError.at(place, "an empty phrase", "leave it out")
    return str(value)


def _gold(place: str, one: Any) -> Gold:
    """A gold keyphrase: a string, a list of its variants, or itself."""
    variants = (
        one.variants if isinstance(one, Gold) else [one] if isinstance(one, str) else _variants(place, one)
    )
    checked = tuple([_phrase(place, variant) for variant in variants])
    return Gold(checked, one.source if isinstance(one, Gold) else "")


def _variants(place: str, value: Any) -> list[Any]:
    if isinstance(value, list | tuple) and value:
        return list(value)
    problem = f"{reprlib.repr(value)} is not a gold keyphrase"
    raise DataError.at(place, problem, "give a string, or a list of its variants")


def _kind_of_pandas(value: Any) -> str:
    """The name of a class of pandas, which is not imported for it; empty for anything else."""
    kind = type(value)
    return kind.__name__ if kind.__module__.partition(".")[0] in ("pandas", "polars") else ""
