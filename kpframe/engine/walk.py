"""One document walks through the boxes: annotations, candidates, ranking, post-processing.

This is the only place that knows their order; the pipeline walks one chain, an experiment all of its cells.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from kpframe.engine.clock import StageClock
from kpframe.engine.outcome import Outcome
from kpframe.engine.tree import Node, Tree
from kpframe.model import Annotations, Document, Keyphrases

__all__ = ["Trail", "walk"]

Trail = tuple[Keyphrases, ...]
"""The list after the ranking and after each step; a step that changes nothing hands on the list itself.

Where cells share a ranking, lists that are equal in content are one object.
"""


def walk(
    document: Document,
    annotated: Outcome[Annotations],
    tree: Tree,
    clock: StageClock | None = None,
    given: Mapping[str, Keyphrases] | None = None,
) -> Iterator[tuple[str, Outcome[Trail]]]:
    """For every cell of a tree what a document is there: its trail, or at which stage it failed.

    Every node is computed once. Cells come in the order of the branches. `given` has the lists of other
    programs by cell, which stand at the place of rankings.
    """
    clock = clock or StageClock()
    for selection in tree:
        if selection.given:
            lists = _Lists(clock, shared=selection.ends > 1)
            listed: Outcome[Keyphrases] = annotated.then(selection.stage, _among(selection, given or {}))
            yield from _onwards(selection, listed.then("", lists.known).then("", _beginning), lists)
            continue
        select = partial(clock.timed, selection.box, selection.work, document)
        candidates = annotated.then(selection.stage, select)
        for ranking in selection.children:
            lists = _Lists(clock, shared=ranking.ends > 1)
            ranked = candidates.then(ranking.stage, partial(clock.timed, ranking.box, ranking.work))
            yield from _onwards(ranking, ranked.then("", lists.known).then("", _beginning), lists)


def _onwards(node: Node, trail: Outcome[Trail], lists: _Lists) -> Iterator[tuple[str, Outcome[Trail]]]:
    """The cells that end at a node, then those behind it; a failure is that of all of them."""
    for cell in node.cells:
        yield cell, trail
    for step in node.children:
        yield from _onwards(step, lists.extended(trail, step), lists)


def _beginning(ranked: Keyphrases) -> Trail:
    return (ranked,)


def _among(node: Node, given: Mapping[str, Keyphrases]) -> Callable[[Annotations], Keyphrases]:
    return lambda annotations: node.work(given)


class _Lists:
    """The lists that come out of one ranking of one document, each content once.

    Many steps change nothing (a stop list finds nothing to strip), and many orders of steps end in the
    same list. Where cells share a ranking, lists are told apart by content, so that no step is applied to
    the same list twice and no list is evaluated twice.
    """

    def __init__(self, clock: StageClock, *, shared: bool) -> None:
        self._clock = clock
        self._shared = shared
        self._by_entries: dict[Any, tuple[Keyphrases, Keyphrases]] = {}
        self._by_content: dict[Any, Keyphrases] = {}
        self._processed: dict[tuple[int, int], Outcome[Keyphrases]] = {}

    def known(self, made: Keyphrases) -> Keyphrases:
        """The list of this content that was made first, where other cells may make it again."""
        if not self._shared:
            return made
        # Filters hand on the entries themselves: comparing which they are is much cheaper than comparing
        # what they say, and is enough to see that a step changed nothing.
        entries = (made.level, *map(id, made.entries))
        if entries not in self._by_entries:
            first = self._by_content.setdefault(_content(made), made)
            # The list itself is held too: its entries must not make room for others of the same id.
            self._by_entries[entries] = first, made
        return self._by_entries[entries][0]

    def extended(self, trail: Outcome[Trail], step: Node) -> Outcome[Trail]:
        """A trail with what a step makes of its last list."""
        if trail.failed:
            return trail
        lists = trail.value
        where = (id(lists[-1]), step.number)
        if where not in self._processed:
            made = Outcome.attempt(step.stage, self._clock.timed, step.box, step.work, lists[-1])
            self._processed[where] = made.then("", self.known)
        return self._processed[where].then("", lambda last: (*lists, last))


def _content(made: Keyphrases) -> tuple[Any, ...]:
    """All that a list says. Scores by their bytes: -0.0 is written otherwise than 0.0, though equal."""
    columns = list(zip(*made.entries, strict=True)) or [(), (), (), ()]
    keys, surfaces, scores, places = columns
    return made.level, keys, surfaces, array("d", scores).tobytes(), places
