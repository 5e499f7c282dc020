"""The phrases of a document, predicted or gold, as files have them: checked, and brought into order.

`place` is file and line, for errors.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

from kpframe.errors import DataError
from kpframe.model import Gold
from kpframe.model.blank import is_blank, visible
from kpframe.statistics.calibration import confidence

__all__ = [
    "Better",
    "are_phrases",
    "gold_of",
    "is_pair",
    "list_of",
    "phrase_of",
    "phrases_of",
    "rising",
    "scores_of",
]

Better = Literal["higher", "lower"] | None
"""Which scores are better; None: it is not said, and higher ones are."""


def _split(phrases: str) -> list[str]:
    return [part.strip() for part in phrases.split(";") if visible(part)]


def phrases_of(place: str, value: Any, better: Better = None) -> tuple[str, ...]:
    """Predicted phrases, best first: by rank if they have ranks, else by score, else as listed.

    The best score is the highest, or the lowest where that is `better`.
    """
    if isinstance(value, str):
        return tuple(_split(value))
    if are_phrases(value):
        return tuple(value)
    rows = [_row(item) for item in list_of(place, _as_pairs(value))]
    texts = [phrase_of(place, row.get("text")) for row in rows]
    return tuple(texts[i] for i in _order(place, rows, better))


def are_phrases(value: Any) -> bool:
    """Whether it is a list of phrases and no more, as most are: then there is nothing to bring into order."""
    if not isinstance(value, list) or not set(map(type, value)) <= {str} or not all(map(str.strip, value)):
        return False
    return "".join(value).isascii() or all(map(visible, value))


def _as_pairs(value: Any) -> Any:
    """Scores by phrase as pairs; everything else as it is."""
    if isinstance(value, dict) and value and all(type(score) in (int, float) for score in value.values()):
        return [list(pair) for pair in value.items()]
    return value


def _row(item: Any) -> dict[str, Any]:
    """An object as it is, a pair of phrase and score (pke, YAKE) or a phrase alone as one."""
    if is_pair(item):
        return {"text": item[0], "score": item[1]}
    return item if isinstance(item, dict) else {"text": item}


def is_pair(item: Any) -> bool:
    """Whether a list is a phrase and its score."""
    two = isinstance(item, list) and len(item) == 2
    return two and isinstance(item[0], str) and type(item[1]) in (int, float)


def rising(value: Any) -> bool | None:
    """Whether pairs of phrase and score are listed with scores that rise; None where that cannot be told."""
    value = _as_pairs(value)
    if not isinstance(value, list) or not all(map(is_pair, value)):
        return None
    scores = [item[1] for item in value]
    if len(set(scores)) < 2:
        return None
    return all(one <= other for one, other in pairwise(scores))


def scores_of(place: str, value: Any, better: Better = None) -> tuple[float, ...] | None:
    """The scores of predicted phrases in the order of `phrases_of`; None unless every phrase has one.

    A score is a number, or the confidence that follows from a phrase's token `probabilities`. Where lower
    ones are `better`, their signs are changed: what is handed on is the better the higher.
    """
    value = _as_pairs(value)
    if not isinstance(value, list) or not value or isinstance(value[0], str):
        return None
    rows = [_row(item) for item in value]
    if all(isinstance(row.get("probabilities"), list) for row in rows):
        found = [_confidence(place, row["probabilities"]) for row in rows]
    elif all(isinstance(row.get("score"), int | float) for row in rows):
        found = [-float(row["score"]) if better == "lower" else float(row["score"]) for row in rows]
    else:
        return None
    return tuple(found[i] for i in _order(place, rows, better))


def _confidence(place: str, probabilities: list[Any]) -> float:
    try:
        return confidence(probabilities)
    except DataError as error:
        raise error.under(place) from None


def _order(place: str, rows: Sequence[Mapping[str, Any]], better: Better) -> Sequence[int]:
    for key, sign in (("rank", 1), ("score", 1 if better == "lower" else -1)):
        values = [row[key] for row in rows if row.get(key) is not None]
        if not values:
            continue
        if len(values) < len(rows):
            raise DataError.at(place, f"only some keyphrases have a {key}", "give it to all or to none")
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise DataError.at(
                    place, f"the {key} {reprlib.repr(value)} is not a finite number", "correct it"
                )
        return sorted(range(len(rows)), key=lambda i: sign * values[i])
    return range(len(rows))


def gold_of(place: str, value: Any) -> tuple[Gold, ...]:
    """Gold keyphrases: strings, lists of variants, or objects with variants and source."""
    items = _split(value) if isinstance(value, str) else list_of(place, value)
    if are_phrases(items):
        return tuple([Gold.known((item,)) for item in items])
    return tuple(_gold_keyphrase(place, item) for item in items)


def _gold_keyphrase(place: str, item: Any) -> Gold:
    """One gold keyphrase: a string, a list of variants, or both with their source."""
    source = item.get("source") or "" if isinstance(item, dict) else ""
    forms = item.get("variants", item.get("text")) if isinstance(item, dict) else item
    variants = list_of(place, forms) if not isinstance(forms, str) else [forms]
    if not variants or not isinstance(source, str):
        raise DataError.at(
            place, f"{reprlib.repr(item)} is not a gold keyphrase", "give its variants and its source"
        )
    return Gold(tuple(phrase_of(place, variant) for variant in variants), source)


def list_of(place: str, value: Any) -> list[Any]:
    """The value, if it is a list; else DataError."""
    if not isinstance(value, list):
        raise DataError.at(place, f"{reprlib.repr(value)} is not a list", "give a list of phrases")
    return value


def phrase_of(place: str, value: Any) -> str:
    """A string with something in it, which may stand in a list of its own; else DataError."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str):
        raise DataError.at(place, f"the phrase {reprlib.repr(value)} is not a string", "write it as a string")
    if is_blank(value):
        raise DataError.at(place, "an empty phrase", "leave it out")
    return value
