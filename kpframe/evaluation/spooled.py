"""Paired documents on disk, so that files of any length can be scored in the memory of their ids."""

from __future__ import annotations

import logging
import marshal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from kpframe.errors import DataError
from kpframe.evaluation.alike_ids import alike_remedy
from kpframe.evaluation.missing import Missing, missing_policy
from kpframe.evaluation.predictions import (
    GoldRecord,
    Pair,
    Prediction,
    carried,
    paired_with,
    some,
)
from kpframe.language.loose_marks import LooseMarks
from kpframe.model import Gold

__all__ = ["SpooledPairs", "Waiting", "join_spooled"]

log = logging.getLogger("kpframe")

_IN_MEMORY = 8_000_000

_TOGETHER = 64
"""Documents that are written and read as one value, which is faster than one after the other."""


class SpooledPairs:
    """Documents ready for scoring, which may be read more than once, in the order of the gold."""

    def __init__(self) -> None:
        self._file = _spool()
        self._length = 0
        self._written = 0
        self._unwritten: list[tuple[Any, ...]] = []
        self.texts = True
        """Whether the text of every document is known."""
        self.scored = False
        """Whether the predictions of some document have scores."""
        self.marks = {"gold": LooseMarks(), "predictions": LooseMarks()}
        """How many phrases end in a full stop or the like."""
        self.languages: set[str] = set()
        """The languages that documents say, and `auto` if some say none."""

    def add(self, pair: Pair) -> None:
        """Put a document behind the others."""
        self._unwritten.append(_plain(pair))
        if len(self._unwritten) == _TOGETHER:
            self._write_out()
        self._length += 1
        self.texts = self.texts and pair.text is not None
        self.scored = self.scored or pair.scores is not None
        self.languages.add(pair.language)
        self.marks["gold"].look_at_forms(one.variants for one in pair.gold)
        self.marks["predictions"].look_at(pair.phrases)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Pair]:
        if self._unwritten:
            self._write_out()
        place, known = 0, Gold.known
        while place < self._written:
            together, place = _read(self._file, place)
            for name, gold, phrases, text, scores, language in together:
                kept = tuple([known(variants, source) for variants, source in gold])
                yield Pair(name, kept, phrases, text, scores, language)

    def _write_out(self) -> None:
        self._written = _write(self._file, self._unwritten)
        self._unwritten = []


@dataclass(frozen=True, slots=True)
class SpooledJoin:
    """Documents ready for scoring, and the ids that one side lacks."""

    pairs: SpooledPairs
    only_in_gold: tuple[str, ...]
    only_in_predictions: tuple[str, ...]


class Waiting:
    """Predictions that were read before their gold: on disk, but for their ids."""

    def __init__(self, predictions: Iterable[Prediction]) -> None:
        self._rest = iter(predictions)
        self._file = _spool()
        self._places: dict[str, int] = {}
        self._end = 0

    def take(self, name: str) -> Prediction | None:
        """The prediction for a document; what stands before it waits."""
        if name in self._places:
            (_, _, phrases, text, scores, language), _ = _read(self._file, self._places.pop(name))
            return Prediction(name, phrases, None, text, scores, language)
        for prediction in self._rest:
            if prediction.id == name:
                return prediction
            self._places[prediction.id] = self._end
            self._end = _write(
                self._file, _plain(paired_with((prediction.id, (), prediction.text), prediction))
            )
        return None

    def left(self) -> tuple[str, ...]:
        """The ids that nobody asked for."""
        return (*self._places, *(prediction.id for prediction in self._rest))


def join_spooled(
    gold: Iterable[GoldRecord] | None,
    predictions: Iterable[Prediction],
    *,
    missing: Missing = "empty",
) -> SpooledJoin:
    """As `predictions.join`, for sides whose ids are known to be distinct; documents are kept on disk."""
    missing = missing_policy(missing)
    pairs = SpooledPairs()
    lacking: list[str] = []
    if gold is None:
        for record, prediction in carried(predictions):
            pairs.add(paired_with(record, prediction))
        unknown: tuple[str, ...] = ()
    else:
        waiting = Waiting(predictions)
        for record in gold:
            found = waiting.take(record[0])
            if found is None:
                lacking.append(record[0])
            if found is not None or missing == "empty":
                pairs.add(paired_with(record, found))
        unknown = waiting.left()
    if len(pairs) == (len(lacking) if missing == "empty" else 0):
        problem = f"no document is in both (gold: {some(lacking)}; predictions: {some(unknown)})"
        raise DataError.at("ids", problem, alike_remedy(lacking, unknown, "give both files the same ids"))
    if missing == "refuse" and (lacking or unknown):
        sides = f"only in gold: {some(lacking)}; only in predictions: {some(unknown)}"
        remedy = "complete the files, or use `missing`: empty or skip"
        raise DataError.at("ids", sides, alike_remedy(lacking, unknown, remedy))
    for told in filter(None, (marks.told(side) for side, marks in pairs.marks.items())):
        log.warning("%s", told)
    return SpooledJoin(pairs, tuple(lacking), unknown)


def _spool() -> IO[bytes]:
    return SpooledTemporaryFile(max_size=_IN_MEMORY, prefix="kpframe-")


def _write(file: IO[bytes], value: Any) -> int:
    """Put a value behind the others, and tell where the file ends."""
    # Version 2 has no references between objects, which would have to be kept track of.
    made = marshal.dumps(value, 2)
    file.seek(0, 2)
    # Its length in front, because marshal reads from files in very small pieces.
    file.write(len(made).to_bytes(_LENGTH, "little") + made)
    return file.tell()


def _read(file: IO[bytes], place: int) -> tuple[Any, int]:
    """The value at a place, and where the next one stands."""
    file.seek(place)
    length = int.from_bytes(file.read(_LENGTH), "little")
    return marshal.loads(file.read(length)), place + _LENGTH + length


_LENGTH = 8
"""Bytes of the length that stands before a value."""


def _plain(pair: Pair) -> tuple[Any, ...]:
    gold = tuple([(one.variants, one.source) for one in pair.gold])
    return pair.id, gold, pair.phrases, pair.text, pair.scores, pair.language
