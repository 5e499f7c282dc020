"""What the files of a run hold, as typed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["CellRecord", "FailedDocument", "RunMarker", "SavedHit", "SavedMatches", "ScoredDocument"]


@dataclass(frozen=True, slots=True)
class RunMarker:
    """`run.json`: whose the folder is.

    `spec` is the checksum of what `resolved.yaml` computes and `keys` has the key of every cell of it;
    both are empty in runs of version 0.1.0, which did not write them.
    """

    name: str
    spec: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)


class SavedHit(NamedTuple):
    """The phrase of `rank` (from 1, among those that count) hits the kept gold keyphrase `gold` by `rule`."""

    rank: int
    gold: int
    rule: str


@dataclass(frozen=True, slots=True)
class SavedMatches:
    """What one matching found in a document: gold kept and dropped, phrases that count, and hits.

    `positions` has for each phrase that counts its index in the whole list, where some phrases do not
    count; None where all do, and empty where the matching does not tell.
    """

    gold: int
    dropped: int
    predicted: int
    hits: tuple[SavedHit, ...]
    positions: tuple[int, ...] | None = None

    def position(self, rank: int) -> int:
        """The index in the whole list of the phrase of a rank (from 1)."""
        return self.positions[rank - 1] if self.positions else rank - 1

    def found(self, cut: int) -> set[int]:
        """The gold keyphrases that the phrases up to rank `cut` hit."""
        return {hit.gold for hit in self.hits if hit.rank <= cut}


@dataclass(frozen=True, slots=True)
class ScoredDocument:
    """A line of `scores.jsonl`: the length of the list, matches by their label, counts by column."""

    id: str
    predicted: int
    matches: Mapping[str, SavedMatches]
    counts: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class FailedDocument:
    """A document without a result in a cell: the stage that failed, and how."""

    id: str
    stage: str
    error: str

    def to_json(self) -> dict[str, str]:
        """Plain values for JSON."""
        return {"id": self.id, "stage": self.stage, "error": self.error}


@dataclass(frozen=True, slots=True)
class CellRecord:
    """`cell.json`: the key of a cell, the checksums of its files, what its ranking could not learn from.

    `state` identifies what the ranking had learned, empty if it learns nothing. `incomplete` has the ids of
    documents whose failures are no results: the worker died with them while they were `evaluated`, or
    while the ranking `learned` from them.
    """

    key: str
    files: Mapping[str, str]
    unlearned: tuple[FailedDocument, ...] = ()
    state: str = ""
    incomplete: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
