"""The lists of keyphrases of a finished run, read as far as they are asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from kpframe.errors import DataError, KpframeError
from kpframe.model import Keyphrase
from kpframe.runs.strict_json import BROKEN, DECODER, decode_json, number, of

__all__ = ["SavedKeyphrases", "Written"]

Written = tuple[str, str, str, str]
"""Of a keyphrase its text, score, rank and places, each as JSON: `SavedKeyphrases.first` finds them so."""

_LIST = '"keyphrases":['
_RANK = ',"rank":'
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_WRITTEN = re.compile(
    rf'\{{"text":({_STRING}),"score":(-?[\d.eE+-]+),"rank":(\d+),"key":{_STRING},"spans":(\[[^"{{}}]*\])\}}',
    re.ASCII,
)


class SavedKeyphrases:
    """The keyphrases of a document as a line of `keyphrases.jsonl`, read as far as they are asked for.

    Lists are long, and most of what a report tells is about their first few phrases. `place` is where the
    line stands; everything raises DataError, with this place, for a line that is damaged where it is read.
    """

    __slots__ = ("_line", "_place")

    def __init__(self, line: str, place: str) -> None:
        self._line = line.rstrip()
        self._place = place
        if not self._line.endswith("}"):
            raise self._damage()

    @property
    def id(self) -> str:
        """The id of the document, with which a line begins."""
        try:
            if not self._line.startswith('{"id":'):
                raise self._damage()
            found, _ = DECODER.raw_decode(self._line, 7 if self._line.startswith(" ", 6) else 6)
            return of(str, found)
        except ValueError:
            raise self._damage() from None

    @property
    def shortened(self) -> bool:
        """Whether the document had more keyphrases than were saved."""
        return '],"total":' in self._line[-40:]

    def whole(self) -> list[Keyphrase]:
        """All keyphrases, best first."""
        try:
            return list(map(_keyphrase, of(list, decode_json(self._line)["keyphrases"])))
        except (*BROKEN, ValueError):
            raise self._damage() from None

    def first(self, most: int) -> list[Written]:
        """The first keyphrases, as many as there are, as they are written.

        To find them takes an eighth of the time of making them from JSON, and most of them stand in the
        lists of many systems: what is told of one needs to be read once.
        """
        begin = self._line.find(_LIST) + len(_LIST)
        # In a string a quote follows a backslash: these stand only where a keyphrase begins and has its rank.
        behind = self._line.find(f"{_RANK}{most + 1},", begin)
        end = self._line.rfind(',{"text":', begin, behind) if behind > 0 else len(self._line)
        found: list[Written] = (
            _WRITTEN.findall(self._line, begin, end) if begin >= len(_LIST) and most > 0 else []
        )
        # Whatever is not as runs write it is read whole; other ranks than these say nothing of places.
        ranks = [int(rank) for _, _, rank, _ in found]
        complete = self._line.count(_RANK, begin, end) == len(found) and (behind < 0 or len(found) == most)
        if not found or not complete or ranks != [*range(1, len(found) + 1)]:
            return self._first_of_whole(most)
        return found

    def _first_of_whole(self, most: int) -> list[Written]:
        return [
            (json.dumps(one.text), json.dumps(one.score), str(one.rank), json.dumps(one.spans))
            for one in self.whole()[: max(0, most)]
        ]

    def text(self, phrase: Written) -> str:
        """The text of a phrase of the list."""
        try:
            return of(str, DECODER.decode(phrase[0]))
        except ValueError:
            raise self._damage() from None

    def score(self, phrase: Written) -> float:
        """Its score."""
        try:
            return number(float(phrase[1]))
        except ValueError:
            raise self._damage() from None

    def spans(self, phrase: Written) -> tuple[tuple[int, int], ...]:
        """Where it stands in the text."""
        try:
            return _checked_spans(DECODER.decode(phrase[3]))
        except (*BROKEN, ValueError):
            raise self._damage() from None

    def _damage(self) -> KpframeError:
        return DataError.at(self._place, "is damaged", "run the experiment again")


def _keyphrase(found: dict[str, Any]) -> Keyphrase:
    text, score, rank, key = found["text"], found["score"], found["rank"], found["key"]
    if not (type(text) is str and type(key) is str and type(rank) is int):
        raise ValueError("a keyphrase has no text, key or rank")
    return Keyphrase(text, number(score), rank, key, _checked_spans(found["spans"]))


def _checked_spans(found: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    spans = tuple([(begin, end) for begin, end in found])
    for begin, end in spans:
        if type(begin) is not int or type(end) is not int or not 0 <= begin <= end:
            raise ValueError("a span is none")
    return spans
