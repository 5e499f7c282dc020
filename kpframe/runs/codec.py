"""The files of a run as text and back: each record is encoded here once and decoded here once.

What is decoded is checked: whatever has another shape than what is encoded makes a decoder raise
ValueError and never anything else; whoever knows the place makes a DataError of it.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kpframe.errors import DataError, KpframeError, StageError
from kpframe.model import Keyphrase, Matches
from kpframe.runs.records import (
    CellRecord,
    FailedDocument,
    RunMarker,
    SavedHit,
    SavedMatches,
    ScoredDocument,
)
from kpframe.runs.strict_json import BROKEN, DECODER, decode_json, natural, number, of, strict

__all__ = [
    "DocumentLines",
    "SavedKeyphrases",
    "Written",
    "decode_cell",
    "decode_marker",
    "decode_scores",
    "document_lines",
    "encode_cell",
    "encode_marker",
    "failure_lines",
    "seal",
    "spec_checksum",
]


class DocumentLines(NamedTuple):
    """The lines of a document for `keyphrases.jsonl` and for `scores.jsonl`, without line ends."""

    keyphrases: str
    scores: str


_ELSEWHERE = ("documents", "reference", "reports")
"""The parts of a spec that do not change what its cells hold: where a corpus lies may change."""


def document_lines(
    id: str,
    keyphrases: str,
    total: int,
    matched: Mapping[str, Matches],
    counts: Mapping[str, Sequence[float]],
) -> DocumentLines:
    """The lines of a document that went through: that of its `total` keyphrases, and what was counted.

    `matched` has the matches by the label of the matching, `counts` what each metric counted by column.
    The same values give the same bytes. Raises StageError for a count that is not a finite number: JSON
    has none such, and no average either.
    """
    record = {
        "id": id,
        "predicted": total,
        "matches": {label: _encoded_matches(matches) for label, matches in matched.items()},
        "counts": counts,
    }
    try:
        scores = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        wrong = next(column for column, numbers in counts.items() if not all(map(math.isfinite, numbers)))
        problem = f"the metric counted {list(counts[wrong])}"
        raise StageError.at(f"document {id!r}, {wrong}", problem, "counts must be finite numbers") from None
    return DocumentLines(keyphrases, scores)


def _encoded_matches(matches: Matches) -> dict[str, Any]:
    hits = [
        (rank, gold, matches.rules[rank - 1]) for rank, gold in enumerate(matches.hits, start=1) if gold >= 0
    ]
    # Where all phrases stayed on the list, their places in it say nothing.
    whole = matches.positions == tuple(range(len(matches.given)))
    return {
        "gold": matches.gold,
        "dropped": matches.dropped,
        "predicted": matches.predicted,
        "hits": hits,
        **({} if whole else {"positions": matches.positions}),
    }


def failure_lines(failure: FailedDocument) -> DocumentLines:
    """The lines of a document that failed in a cell."""
    record = {"id": failure.id, "keyphrases": [], "error": f"{failure.stage}: {failure.error}"}
    scores = {"id": failure.id, "failure": failure.to_json()}
    return DocumentLines(json.dumps(record, ensure_ascii=False), json.dumps(scores, ensure_ascii=False))


@strict
def decode_scores(line: str) -> ScoredDocument | FailedDocument:
    """A line of `scores.jsonl`."""
    record = decode_json(line)
    if "failure" in record:
        return _failure(record["failure"])
    matches = {label: _decoded_matches(found) for label, found in record["matches"].items()}
    counts = {column: tuple(numbers) for column, numbers in record["counts"].items()}
    for numbers in counts.values():
        for counted in numbers:
            number(counted)
    return ScoredDocument(of(str, record["id"]), natural(record["predicted"]), matches, counts)


def _decoded_matches(found: dict[str, Any]) -> SavedMatches:
    gold, predicted = natural(found["gold"]), natural(found["predicted"])
    hits = tuple([SavedHit(rank, hit, rule) for rank, hit, rule in found["hits"]])
    for rank, hit, rule in hits:
        whole = type(rank) is int and type(hit) is int and type(rule) is str
        if not whole or not 0 < rank <= predicted or not 0 <= hit < gold:
            raise ValueError("a hit is of no rank or no gold keyphrase")
    positions = found.get("positions")
    if positions is not None:
        positions = tuple(map(natural, positions))
        # Those of a matching that says nothing of its positions are none at all.
        if len(positions) not in (0, predicted):
            raise ValueError("the positions are not those of the phrases")
    return SavedMatches(gold, natural(found["dropped"]), predicted, hits, positions)


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


def encode_cell(record: CellRecord) -> str:
    """`cell.json`, sealed."""
    content: dict[str, Any] = {
        "key": record.key,
        "files": dict(record.files),
        "unlearned": [failure.to_json() for failure in record.unlearned],
    }
    if record.state:
        content["state"] = record.state
    if any(record.incomplete.values()):
        content["incomplete"] = {name: list(ids) for name, ids in record.incomplete.items()}
    return json.dumps({**content, "seal": seal(content)}) + "\n"


@strict
def decode_cell(text: str) -> CellRecord:
    """`cell.json`; ValueError also where its seal does not fit."""
    content = decode_json(text)
    if content.pop("seal", None) != seal(content):
        raise ValueError("the seal does not fit")
    files = {of(str, name): of(str, checksum) for name, checksum in content["files"].items()}
    unlearned = tuple(map(_failure, content["unlearned"]))
    lacking = of(dict, content.get("incomplete", {})).items()
    incomplete = {of(str, name): tuple(of(str, id) for id in ids) for name, ids in lacking}
    return CellRecord(
        of(str, content["key"]), files, unlearned, of(str, content.get("state", "")), incomplete
    )


def encode_marker(marker: RunMarker) -> str:
    """`run.json`."""
    keys = {"spec": marker.spec, "keys": dict(marker.keys)} if marker.spec else {}
    return json.dumps({"name": marker.name, **keys}) + "\n"


@strict
def decode_marker(text: str) -> RunMarker:
    """`run.json`."""
    found = decode_json(text)
    keys = {cell: of(str, key) for cell, key in of(dict, found.get("keys", {})).items()}
    return RunMarker(of(str, found["name"]), of(str, found.get("spec", "")), keys)


def spec_checksum(tree: Mapping[str, Any]) -> str:
    """A checksum of the parts of a resolved spec that its cells depend on, however it is written as YAML."""
    content = {key: value for key, value in tree.items() if key not in _ELSEWHERE}
    return _checksum(json.dumps(content, sort_keys=True, default=str))


def seal(content: Mapping[str, Any]) -> str:
    """A checksum of plain values, by which a change of them is seen."""
    return _checksum(json.dumps(content, sort_keys=True))


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _failure(found: dict[str, Any]) -> FailedDocument:
    return FailedDocument(*(of(str, found[name]) for name in ("id", "stage", "error")))
