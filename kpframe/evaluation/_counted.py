"""Documents matched one by one and counted together, by all metrics that are wanted of a matching."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from kpframe.evaluation.predictions import Pair
from kpframe.evaluation.tallies import Tally
from kpframe.model import AUTO, MatchedDocuments, Matches
from kpframe.spec.measures import Measure
from kpframe.stages import Counts, Matching, Metric

__all__ = ["batches", "tallied_columns"]

_BATCH = 1000

_TOGETHER = 100
"""Documents that are counted together: more would take hardly less time, and outcomes can be large."""


def batches(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """As many documents at a time as the index of gold remembers between one matching and the next."""
    waiting = iter(pairs)
    while some := list(islice(waiting, _BATCH)):
        yield some


def tallied_columns(pairs: Sequence[Pair], measures: Sequence[Measure]) -> list[Iterator[Tally]]:
    """For each measure the tallies of all documents, in their order, made when they are asked for."""
    groups: dict[Matching, _Counted] = {}
    for measure in measures:
        groups.setdefault(measure.matching, _Counted(measure.matching)).wanted.append(measure.metric)
    # All matchings of a document one after the other: what they have in common is then still remembered.
    counting = list(groups.values())
    for pair in pairs:
        for group in counting:
            group.add(pair)
    columns = {matching: iter(group.tallies()) for matching, group in groups.items()}
    return [next(columns[measure.matching]) for measure in measures]


class _Counted:
    """Documents under one matching, counted by every metric that is wanted of it."""

    def __init__(self, matching: Matching) -> None:
        self.wanted: list[Metric] = []
        self._matching = matching
        self._waiting: list[Matches] = []
        self._columns: list[list[Counts]] = []
        self._gold: list[int] = []
        self._predicted: list[int] = []

    def add(self, pair: Pair) -> None:
        """Match a document; it is counted together with others."""
        matching = self._matching
        here = matching if pair.language == AUTO else matching.in_language(pair.language)
        matches = here.match(pair.phrases, pair.gold, pair.text)
        if pair.scores is not None:
            matches = matches.scored(pair.scores)
        self._waiting.append(matches)
        if len(self._waiting) == _TOGETHER:
            self._count()

    def _count(self) -> None:
        documents = MatchedDocuments(self._waiting)
        self._waiting = []
        self._gold += documents.gold
        self._predicted += documents.predicted
        self._columns = self._columns or [[] for _ in self.wanted]
        for column, metric in zip(self._columns, self.wanted, strict=True):
            column += _counts(metric, documents)

    def tallies(self) -> Iterator[Iterator[Tally]]:
        """For each metric, in the order in which they were wanted, the tallies of all documents."""
        if self._waiting:
            self._count()
        # What `Tally._make` does, without a call of Python for each.
        made = partial(tuple.__new__, Tally)
        for column in self._columns:
            yield map(made, zip(column, self._gold, self._predicted, strict=True))


def _counts(metric: Metric, documents: MatchedDocuments) -> list[Counts]:
    """The counts of documents, together where the class of the metric says how.

    One that inherits that from a class may have changed what it counts.
    """
    if "count_all" in vars(type(metric)):
        return metric.count_all(documents)
    return list(map(metric.count, documents))
