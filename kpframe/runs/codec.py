"""The files of a run as text and back: each record is encoded here once and decoded here once.

What is decoded is checked: whatever has another shape than what is encoded makes a decoder raise
ValueError and never anything else; whoever knows the place makes a DataError of it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kpframe.errors import StageError
from kpframe.model import Matches
from kpframe.runs.records import (
    CellRecord,
    FailedDocument,
    RunMarker,
    SavedHit,
    SavedMatches,
    ScoredDocument,
)
from kpframe.runs.strict_json import decode_json, natural, number, of, strict

__all__ = [
    "DocumentLines",
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
