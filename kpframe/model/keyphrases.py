"""Ranked phrases: inside the chain (`Ranked`) and as users see them (`Keyphrase`)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from kpframe.errors import StageError
from kpframe.model.annotations import Annotations
from kpframe.model.candidates import Candidates, Place
from kpframe.model.document import Document

__all__ = ["Keyphrase", "Keyphrases", "Ranked"]


class Ranked(NamedTuple):
    """A phrase inside the chain: its key, surface form, score and places (token ranges)."""

    key: str
    surface: str
    score: float
    places: tuple[Place, ...]


# What `Ranked._make` does, without a call of Python for each of very many.
_ranked = partial(tuple.__new__, Ranked)


@dataclass(frozen=True, slots=True)
class Keyphrase:
    """A keyphrase as users see it.

    `text` is the surface form, without signs that nobody sees; `score` is comparable only within one document
    and one configuration; `rank` counts from 1; `key` is the identity that joins its forms; `spans` are
    half-open ranges of code-point offsets into the document's text as it was given: where a cleaner
    changed it, a span holds what `text` was made of ("capabili-⏎ties", `poly<b>mer</b>`).
    """

    text: str
    score: float
    rank: int
    key: str
    spans: tuple[tuple[int, int], ...]

    def __reduce__(self) -> tuple[type[Keyphrase], tuple[Any, ...]]:
        # As a dataclass does it, results of a cheap pipeline took longer to send than to compute.
        return type(self), (self.text, self.score, self.rank, self.key, self.spans)

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "text": self.text,
            "score": self.score,
            "rank": self.rank,
            "key": self.key,
            "spans": list(map(list, self.spans)),
        }


@dataclass(frozen=True, eq=False)
class Keyphrases:
    """The ranked phrases of one document, best first; a higher score is better.

    Ties are ordered by first place in the text, then by surface; keys are distinct. `level` is the
    level of the candidates (`words` or `lemmas`).
    """

    document: Document
    annotations: Annotations
    entries: tuple[Ranked, ...]
    level: str = "words"

    @classmethod
    def ranked(cls, candidates: Candidates, scores: Iterable[float]) -> Keyphrases:
        """Rank `candidates` by `scores` (one a key, in the order of the keys).

        Raises StageError, naming document and candidate, for a score that is not a finite number.
        """
        given = map(float, scores)
        columns = zip(candidates.keys, candidates.surfaces, given, candidates.places_of, strict=True)
        entries = list(map(_ranked, columns))
        return cls(
            candidates.document, candidates.annotations, _in_order(entries, candidates), candidates.level
        )

    def replaced(self, entries: Iterable[Ranked]) -> Keyphrases:
        """The same document with other entries, brought into order."""
        return Keyphrases(self.document, self.annotations, _in_order(entries, self), self.level)

    def kept(self, entries: Iterable[Ranked]) -> Keyphrases:
        """The same document with some of the entries, which must already be in order."""
        return Keyphrases(self.document, self.annotations, tuple(entries), self.level)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Ranked]:
        return iter(self.entries)

    @property
    def surfaces(self) -> list[str]:
        """The surface forms, best first."""
        return [surface for _, surface, _, _ in self.entries]

    def public(self, limit: int | None = None) -> list[Keyphrase]:
        """The best `limit` entries (all by default) with ranks and character spans."""
        spans = self.spans
        return [
            Keyphrase(surface, score, rank, key, spans(places))
            for rank, (key, surface, score, places) in enumerate(self.entries[:limit], start=1)
        ]

    def spans(self, places: Iterable[Place]) -> tuple[tuple[int, int], ...]:
        """Token ranges as ranges of characters of the text as it was given."""
        begins, ends = self.annotations.offsets
        # Annotations may hold phrases behind the text, which have no place in it.
        length = len(self.document.text)
        found = [(begins[b], ends[e - 1]) for b, e in places if begins[b] < length]
        origin = self.document.origin
        return tuple(found if origin is None else [origin.span(begin, end) for begin, end in found])


def _in_order(entries: Iterable[Ranked], of: Candidates | Keyphrases) -> tuple[Ranked, ...]:
    # A tuple and not the entry itself, whose fields are asked for by name, which takes twice as long.
    ordered = sorted(entries, key=_order)
    _refuse_bad_scores(ordered, of.document)
    return tuple(ordered)


def _order(entry: tuple[str, str, float, tuple[Place, ...]]) -> tuple[float, Place, str]:
    _, surface, score, places = entry
    return -score, places[0], surface


def _refuse_bad_scores(entries: Sequence[Ranked], document: Document) -> None:
    if math.isfinite(sum([entry.score for entry in entries])):
        return
    for entry in entries:
        if not math.isfinite(entry.score):
            raise StageError.at(
                f"document {document.id!r}, candidate {entry.surface!r}",
                f"the ranking gave the score {entry.score}",
                "scores must be finite numbers",
            )
