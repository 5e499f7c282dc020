"""Documents under all cells: each list is matched, measured and written once, and its losses are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from kpframe.engine.clock import StageClock, Timed
from kpframe.engine.given import given_lists, read_given
from kpframe.engine.losses import Numbered, cut, first_hits, losses, numbered, present_of, whole_of
from kpframe.engine.outcome import Outcome
from kpframe.engine.plan import Plan
from kpframe.engine.spool import Entry, read_documents
from kpframe.engine.walk import Trail, walk
from kpframe.model import Document, Keyphrases, Matches
from kpframe.model.collector import no_garbage_collection
from kpframe.runs import codec
from kpframe.runs.codec import DocumentLines
from kpframe.runs.lost_gold import losses_line
from kpframe.runs.phrase_lines import PhraseLines
from kpframe.runs.records import FailedDocument
from kpframe.stages import Matching

__all__ = ["CellLines", "Evaluated", "evaluate", "failure_lines"]


class CellLines(NamedTuple):
    """The lines of a document for `keyphrases.jsonl`, `scores.jsonl` and `losses.jsonl`.

    `decided` is False for a failure that is nobody's fault, which the next run tries again.
    """

    keyphrases: str
    scores: str
    losses: str
    decided: bool = True

    @property
    def failed(self) -> bool:
        """Whether the document has no result."""
        return '"failure": ' in self.scores  # a key: in a text the quotes would be escaped


Evaluated = Mapping[str, CellLines]
"""By the name of a cell, the lines of a document."""


def evaluate(plan: Plan, batch: Sequence[Entry]) -> Timed[Evaluated]:
    """For each document of a batch: for each cell its lines.

    FilesChanged if a file that a stage names is not what it was when the keys of the cells were made.
    """
    return plan.files.steadily(lambda: _evaluated(plan, batch))


@no_garbage_collection()
def _evaluated(plan: Plan, batch: Sequence[Entry]) -> Timed[Evaluated]:
    clock = StageClock()
    documents = read_documents(plan.spool, batch)
    predicted = read_given(plan.given, batch)
    results: list[dict[str, CellLines]] = [{} for _ in batch]
    evaluations: list[dict[str, _Evaluation]] = [{} for _ in batch]
    for preprocessing, tree in plan.tree.items():
        with clock.during("preprocessing"):
            annotated = preprocessing.annotate(documents, plan.annotation_cache)
        for number, (document, made) in enumerate(annotated):
            # Cleaners may have made other texts of it, and what stands in the text depends on that.
            known = evaluations[number].setdefault(document.text, _Evaluation(plan, document, clock))
            given = given_lists(document, predicted[number]) if any(root.given for root in tree) else None
            for cell, trail in walk(document, made, tree, clock, given):
                results[number][cell] = known.lines(trail, cell in plan.probable)
    clock.count(plan.annotation_cache.counted())
    return Timed(results, clock)


def failure_lines(failure: FailedDocument, *, decided: bool) -> CellLines:
    """The lines of a document that has no result in a cell."""
    return CellLines(*codec.failure_lines(failure), losses_line(failure.id), decided)


class _Evaluation:
    """One document against its gold: what cells have in common is matched, counted and written once."""

    def __init__(self, plan: Plan, document: Document, clock: StageClock) -> None:
        self._plan = plan
        self._document = document
        self._clock = clock
        self._phrase_lines = PhraseLines()
        self._matched: dict[tuple[str, ...], Matches] = {}
        # Whatever is remembered by the id of a list holds the list too: an id says which only while it lives.
        self._made: dict[tuple[Any, ...], Any] = {}

    def lines(self, trail: Outcome[Trail], probable: bool) -> CellLines:
        """The lines of a cell; metrics see scores only where they are `probable`."""
        outcome = trail.then("evaluation", lambda lists: self._lines(lists, probable))
        if outcome.failed:
            return failure_lines(outcome.failure(self._document.id), decided=not outcome.undecided)
        return outcome.value

    def _lines(self, lists: Trail, probable: bool) -> CellLines:
        where = ("lines", probable, *map(id, lists))
        if where not in self._made:
            final = ("final", probable, id(lists[-1]))
            if final not in self._made:
                made = self._clock.timed("evaluation", self._evaluated, lists[-1], probable)
                self._made[final] = *made, lists[-1]
            line, scores, _ = self._made[final]
            # A matching that cannot match a list on the way takes nothing from the result.
            lost = self._clock.timed("losses", Outcome.attempt, "losses", self._losses, lists)
            told = losses_line(self._document.id, *(lost.made or ()))
            self._made[where] = CellLines(line, scores, told), lists
        known: CellLines = self._made[where][0]
        return known

    def _evaluated(self, keyphrases: Keyphrases, probable: bool) -> DocumentLines:
        matched = {label: self._matches(label, keyphrases) for label in self._plan.matchings}
        seen = matched
        if probable:
            scores = [entry.score for entry in keyphrases]
            seen = {label: m.scored(scores) for label, m in matched.items()}
        measures = self._plan.measures.items()
        counts = {column: metric.count(seen[label]) for column, (metric, label) in measures}
        line = self._phrase_lines.line(keyphrases, self._plan.save)
        return codec.document_lines(self._document.id, line, len(keyphrases), matched, counts)

    def _matches(self, label: str, keyphrases: Keyphrases) -> Matches:
        """Matching sees surfaces alone: lists that differ in scores are matched once."""
        listed = ("matches", label, id(keyphrases))
        if listed not in self._made:
            surfaces = keyphrases.surfaces
            where = (label, *surfaces)
            if where not in self._matched:
                document = self._document
                matching = self._matching(label)
                self._matched[where] = matching.match(surfaces, document.gold, document.text)
            self._made[listed] = self._matched[where], keyphrases
        made: Matches = self._made[listed][0]
        return made

    def _matching(self, label: str) -> Matching:
        return self._plan.matchings[label].in_language(self._document.language)

    def _hits(self, label: str, keyphrases: Keyphrases) -> dict[int, int]:
        where = ("hits", label, id(keyphrases))
        if where not in self._made:
            self._made[where] = first_hits(self._matches(label, keyphrases)), keyphrases
        made: dict[int, int] = self._made[where][0]
        return made

    def _gold(self, label: str, kept: Any) -> Numbered:
        """The gold, by its numbers among what a matching of the label has `kept`."""
        where = ("gold", label, id(kept))
        if where not in self._made:
            given = self._matching(label), self._document, self._document.text
            self._made[where] = numbered(whole_of(*given), present_of(*given), kept), kept
        made: Numbered = self._made[where][0]
        return made

    def _losses(self, lists: Trail) -> tuple[dict[str, list[int]], list[list[int]]]:
        return self._lost_gold(lists), self._steps(lists)

    def _lost_gold(self, lists: Trail) -> dict[str, list[int]]:
        """By matching what became of the gold, at the cut-off of the first column that has the matching."""
        found = {}
        for label, cutoff in self._plan.cutoffs.items():
            final = self._matches(label, lists[-1])
            hits = [self._hits(label, made) for made in lists]
            limit = cut(cutoff, final.gold, final.predicted)
            found[label] = losses(self._gold(label, final.keyphrases), final, hits, limit).counts()
        return found

    def _steps(self, lists: Trail) -> list[list[int]]:
        """For each step: phrases before and after, removed and made; gold no longer hit, and newly hit."""
        label = next(iter(self._plan.cutoffs))
        found = []
        for before, after in pairwise(lists):
            if before is after:
                found.append([len(before), len(after), 0, 0, 0, 0])
                continue
            old, new = ({entry.key for entry in made} for made in (before, after))
            lost, gained = self._hits(label, before).keys(), self._hits(label, after).keys()
            changed = [len(old - new), len(new - old), len(lost - gained), len(gained - lost)]
            found.append([len(before), len(after), *changed])
        return found
