"""Paired documents on disk, so that files of any length can be scored in the memory of their ids."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Literal

from kpframe.errors import DataError
from kpframe.evaluation.predictions import (
    GoldRecord,
    Pair,
    Prediction,
    carried,
    check_missing,
    paired_with,
    some,
)
from kpframe.model import Gold

__all__ = ["SpooledPairs", "join_spooled"]

_IN_MEMORY = 8_000_000


class SpooledPairs:
    """Documents ready for scoring, which may be read more than once, in the order of the gold."""

    def __init__(self) -> None:
        self._file = _spool()
        self._length = 0
        self.texts = True
        """Whether the text of every document is known."""
        self.languages: set[str] = set()
        """The languages that documents say, and `auto` if some say none."""

    def add(self, pair: Pair) -> None:
        """Put a document behind the others."""
        self._file.seek(0, 2)
        _write(self._file, _plain(pair))
        self._length += 1
        self.texts = self.texts and pair.text is not None
        self.languages.add(pair.language)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Pair]:
        place = 0
        for _ in range(self._length):
            self._file.seek(place)
            name, gold, phrases, text, scores, language = marshal.load(self._file)
            place = self._file.tell()
            kept = tuple([Gold(variants, source) for variants, source in gold])
            yield Pair(name, kept, phrases, text, scores, language)


@dataclass(frozen=True, slots=True)
class SpooledJoin:
    """Documents ready for scoring, and the ids that one side lacks."""

    pairs: SpooledPairs
    only_in_gold: tuple[str, ...]
    only_in_predictions: tuple[str, ...]


class _Waiting:
    """Predictions that were read before their gold: on disk, but for their ids."""

    def __init__(self, predictions: Iterable[Prediction]) -> None:
        self._rest = iter(predictions)
        self._file = _spool()
        self._places: dict[str, int] = {}

    def take(self, name: str) -> Prediction | None:
        """The prediction for a document; what stands before it waits."""
        if name in self._places:
            self._file.seek(self._places.pop(name))
            _, _, phrases, text, scores, language = marshal.load(self._file)
            return Prediction(name, phrases, None, text, scores, language)
        for prediction in self._rest:
            if prediction.id == name:
                return prediction
            self._file.seek(0, 2)
            self._places[prediction.id] = self._file.tell()
            _write(self._file, _plain(paired_with((prediction.id, (), prediction.text), prediction)))
        return None

    def left(self) -> tuple[str, ...]:
        """The ids that nobody asked for."""
        return (*self._places, *(prediction.id for prediction in self._rest))


def join_spooled(
    gold: Iterable[GoldRecord] | None,
    predictions: Iterable[Prediction],
    *,
    missing: Literal["zero", "skip", "error"] = "zero",
) -> SpooledJoin:
    """As `predictions.join`, for sides whose ids are known to be distinct; documents are kept on disk."""
    check_missing(missing)
    pairs = SpooledPairs()
    lacking: list[str] = []
    if gold is None:
        for record, prediction in carried(predictions):
            pairs.add(paired_with(record, prediction))
        unknown: tuple[str, ...] = ()
    else:
        waiting = _Waiting(predictions)
        for record in gold:
            found = waiting.take(record[0])
            if found is None:
                lacking.append(record[0])
            if found is not None or missing == "zero":
                pairs.add(paired_with(record, found))
        unknown = waiting.left()
    if len(pairs) == (len(lacking) if missing == "zero" else 0):
        problem = f"no document is in both (gold: {some(lacking)}; predictions: {some(unknown)})"
        raise DataError.at("ids", problem, "give both files the same ids")
    if missing == "error" and (lacking or unknown):
        sides = f"only in gold: {some(lacking)}; only in predictions: {some(unknown)}"
        raise DataError.at("ids", sides, "complete the files, or use missing: zero or skip")
    return SpooledJoin(pairs, tuple(lacking), unknown)


def _spool() -> IO[bytes]:
    return SpooledTemporaryFile(max_size=_IN_MEMORY, prefix="kpframe-")


def _write(file: IO[bytes], values: tuple[Any, ...]) -> None:
    # Version 2 has no references between objects, which would have to be kept track of.
    file.write(marshal.dumps(values, 2))


def _plain(pair: Pair) -> tuple[Any, ...]:
    gold = tuple([(one.variants, one.source) for one in pair.gold])
    return pair.id, gold, pair.phrases, pair.text, pair.scores, pair.language
