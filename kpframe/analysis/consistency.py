"""How consistent the indexers of a corpus are with each other, and systems with them.

Who indexed a document is told by the sources of its gold keyphrases, parted by + where several gave one.
The value of a pair is the mean over the documents that both have indexed; that of an indexer the mean over
the others: what a system would reach that is as good as he is. A system is put against the same indexers.
Source: Medelyan and Witten (2008), section 5; the coefficients are Rolling's (1981) and Hooper's (1965).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from kpframe.model import Document, Gold
from kpframe.stages import Matching
from kpframe.statistics.agreement import hooper, rolling

__all__ = ["Consistency", "Row", "consistency", "sources_of"]

_ALL = ""
"""The indexers but the one in question, their terms united; no source has this name."""


@dataclass(frozen=True, slots=True)
class Row:
    """An indexer or a system: Rolling's and Hooper's value with each other indexer, their mean, and with all.

    `phrases` is the mean number a document, `each` the values with single indexers, `mean` their mean,
    `union` the values with the terms of all others united. All None where no document is shared.
    """

    name: str
    documents: int
    phrases: float | None
    each: Mapping[str, tuple[float, float]]
    mean: tuple[float, float] | None
    union: tuple[float, float] | None

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON; pairs are (Rolling, Hooper)."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Consistency:
    """The rows of the indexers and of the systems, and the mean over all pairs of indexers."""

    matching: str
    indexers: tuple[Row, ...]
    systems: tuple[Row, ...]
    mean: tuple[float, float] | None

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        rows = {name: [one.to_json() for one in getattr(self, name)] for name in ("indexers", "systems")}
        return {"matching": self.matching, "mean": self.mean, **rows}


def sources_of(document: Document) -> dict[str, list[Gold]]:
    """The gold keyphrases of each indexer; empty where gold has no source."""
    found: dict[str, list[Gold]] = {}
    for gold in document.gold:
        for name in gold.source.split("+"):
            if name.strip():
                found.setdefault(name.strip(), []).append(gold)
    return found


def consistency(
    documents: Iterable[Document],
    matching: Matching,
    label: str,
    systems: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    *,
    top: int | None = None,
) -> Consistency:
    """The consistency of all indexers and of `systems` (name, id, phrases), terms compared by `matching`.

    Where a matching is not the same both ways (`includes`), the mean of the two counts. A document that a
    system lacks counts as one for which it gave nothing. Of what a system gave the first `top` count (None:
    all), equal phrases once, as in all measures.
    """
    sums = _Sums(matching)
    given = systems or {}
    for document in documents:
        indexed = sources_of(document)
        for first, second in combinations(sorted(indexed), 2):
            sums.add(first, second, indexed[first], indexed[second])
            sums.add(second, first, indexed[second], indexed[first])
        for name, own in indexed.items():
            rest = [one for other, terms in indexed.items() if other != name for one in terms]
            if rest:
                sums.add(name, _ALL, own, rest)
            sums.count(name, own)
        for system, lists in given.items() if indexed else ():
            given_here = [one for one in lists.get(document.id, ()) if one.strip()]
            phrases = [Gold((one,)) for one in _distinct(given_here, matching)[:top]]
            for name, own in indexed.items():
                sums.add(_as_system(system), name, phrases, own)
            sums.add(_as_system(system), _ALL, phrases, list(document.gold))
            sums.count(_as_system(system), phrases)
    names = sorted(name for name in sums.sizes if not name.startswith("\0"))
    rows = tuple(sums.row(name, names) for name in names)
    means = [one.mean for one in rows if one.mean is not None]
    pairs = [sums.mean(a, b) for a, b in combinations(names, 2)]
    known = [one for one in pairs if one is not None]
    return Consistency(
        label, rows, tuple(sums.row(_as_system(one), names) for one in given), _mean(known) if means else None
    )


def _distinct(phrases: Sequence[str], matching: Matching) -> list[str]:
    """The phrases that a matching counts: the first of those that it holds for equal."""
    found = matching.match(phrases, (), None)
    # A matching that does not say which it counts counts all.
    return [phrases[place] for place in found.positions] if found.positions else list(phrases)


def _as_system(name: str) -> str:
    """A name that no indexer has, so that a system may be called like one."""
    return f"\0{name}"


class _Sums:
    """Sums over documents, for each pair and for the number of terms."""

    def __init__(self, matching: Matching) -> None:
        self._matching = matching
        self._values: dict[tuple[str, str], list[tuple[float, float]]] = {}
        self.sizes: dict[str, list[int]] = {}

    def add(self, first: str, second: str, own: Sequence[Gold], other: Sequence[Gold]) -> None:
        there, back = (self._common(own, other), self._common(other, own)) if own else ((0.0, 0, 0),) * 2
        common = (there[0] + back[0]) / 2
        sizes = (there[1], there[2]) if own else (0, len(other))
        self._values.setdefault((first, second), []).append((rolling(common, *sizes), hooper(common, *sizes)))

    def _common(self, own: Sequence[Gold], other: Sequence[Gold]) -> tuple[float, int, int]:
        """How many terms both have, and the distinct terms of each."""
        matches = self._matching.match([gold.text for gold in own], other, None)
        return matches.hits_at(matches.predicted), matches.predicted, matches.gold

    def count(self, name: str, own: Sequence[Gold]) -> None:
        self.sizes.setdefault(name, []).append(len(own))

    def mean(self, first: str, second: str) -> tuple[float, float] | None:
        values = self._values.get((first, second))
        return _mean(values) if values else None

    def row(self, name: str, names: Sequence[str]) -> Row:
        found = ((other, self.mean(name, other)) for other in names)
        each = {other: value for other, value in found if value is not None}
        sizes = self.sizes.get(name, [])
        return Row(
            name.removeprefix("\0"),
            len(sizes),
            sum(sizes) / len(sizes) if sizes else None,
            each,
            _mean(list(each.values())) if each else None,
            self.mean(name, _ALL),
        )


def _mean(values: Sequence[tuple[float, float]]) -> tuple[float, float]:
    # fsum: the order of the documents shows in no digit.
    rollings, hoopers = zip(*values, strict=True)
    return math.fsum(rollings) / len(values), math.fsum(hoopers) / len(values)
