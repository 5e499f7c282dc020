"""Where a system loses gold keyphrases: its chain is run again, and its lists are looked at step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from kpframe.engine.batches import batched
from kpframe.engine.planning import only_pending, plan_run
from kpframe.engine.spool import Spool
from kpframe.engine.walk import CellPlan, Group, Plan
from kpframe.htmlreport.finished import ReportRun
from kpframe.htmlreport.gold import Keyphrases as Gold
from kpframe.htmlreport.gold import present_of, whole_of
from kpframe.htmlreport.losses import Losses, first_hits, losses
from kpframe.htmlreport.source import Source
from kpframe.model import Annotations, Document, Keyphrases, Matches
from kpframe.runs.beside import read_state
from kpframe.stages import Postprocessor

__all__ = ["Rerun", "StepCounts", "rerun"]


@dataclass
class StepCounts:
    """What one post-processing step did to the phrases of all documents."""

    kind: str
    label: str
    before: int = 0
    after: int = 0
    removed: int = 0
    made: int = 0
    removed_gold: int = 0
    made_gold: int = 0

    def add(self, before: Keyphrases, after: Keyphrases, hits: Sequence[Mapping[int, int]]) -> None:
        """One more document; `hits` are those before and after."""
        keys = [{entry.key for entry in keyphrases} for keyphrases in (before, after)]
        self.before += len(before)
        self.after += len(after)
        self.removed += len(keys[0] - keys[1])
        self.made += len(keys[1] - keys[0])
        self.removed_gold += len(hits[0].keys() - hits[1].keys())
        self.made_gold += len(hits[1].keys() - hits[0].keys())

    def to_json(self) -> dict[str, Any]:
        """All counts."""
        return dict(vars(self))


@dataclass
class Rerun:
    """Losses by system and matching, steps by system, and what could not be run again."""

    losses: dict[str, dict[str, Losses]] = field(default_factory=dict)
    steps: dict[str, list[StepCounts]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def rerun(source: Source, ids: Sequence[str], cache: Path) -> Rerun:
    """Run the chains of all systems again over the documents `ids`, from the annotation cache.

    Documents that cannot be annotated (as without the language model) are left out with a note.
    """
    found = Rerun()
    for run in source.runs:
        documents = [run.documents[id] for id in ids if id in run.documents and id not in run.lost]
        plan = _plan(run, cache, found.notes)
        chains = _Chains(source, run, plan, found)
        for group in plan.groups:
            chains.through(group, documents)
    return found


def _label(step: Postprocessor) -> str:
    """The kind of a step with those of its parameters that say something."""
    given = step.model_dump(mode="json", exclude={"kind"}).items()
    said = [f"{name}={_shown(value)}" for name, value in given if value or type(value) in (int, float)]
    return " ".join([step.kind, *said])


def _shown(value: Any) -> str:
    return ",".join(map(_shown, value)) if isinstance(value, list) else str(value)


def _plan(run: ReportRun, cache: Path, notes: list[str]) -> Plan:
    """What the run did, with what its rankings had learned."""
    plan, _ = plan_run(run.spec, Spool(Path(), (), ()), cache)
    states: dict[str, Mapping[str, Any]] = {}
    for fit in plan.fits:
        name = f"{fit.ranking.kind}-{fit.id[:12]}.json"
        state = read_state(run.finished.path, name)
        if state is not None:
            states[fit.id] = state
        else:
            notes.append(f"{run.name}: {name} is not there, and the losses of its systems are not shown")
    finished = set(run.cells)
    cells = {
        cell.name
        for group in plan.groups
        for cell in group.cells
        if cell.name in finished and (not cell.fit or cell.fit in states)
    }
    return replace(only_pending(plan, cells), states=states)


@dataclass(frozen=True)
class _Chains:
    """The chains of a run, and what is known of its gold keyphrases: by matching, document and text."""

    source: Source
    run: ReportRun
    plan: Plan
    found: Rerun
    gold: dict[tuple[str, str, str], tuple[Gold, Gold]] = field(default_factory=dict)

    def through(self, group: Group, documents: Sequence[Document]) -> None:
        """Let all documents go through the cells of a group."""
        for cell in group.cells:
            system = self.run.system(cell.name)
            self.found.losses[system] = dict.fromkeys(self.source.matchings, Losses())
            self.found.steps[system] = [StepCounts(step.kind, _label(step)) for step in cell.postprocessing]
        failed = 0
        for batch in batched(documents, lambda document: len(document.text)):
            for document, made in group.preprocessing.annotate(batch, self.plan.annotation_cache):
                try:
                    if isinstance(made, Exception):
                        raise made
                    _Walk(self, document).through(group, made)
                except Exception:  # what fails here did not fail in the run: another model, or none
                    failed += 1
        if failed:
            self.found.notes.append(
                f"{self.run.name}: the losses of {failed} documents cannot be told: their chain fails here"
            )

    def gold_of(self, label: str, document: Document) -> tuple[Gold, Gold]:
        """All gold keyphrases of a document, and those of them that stand in its text."""
        where = (label, document.id, document.text)
        if where not in self.gold:
            matching = self.source.matchings[label]
            whole = whole_of(matching, document, document.text)
            self.gold[where] = whole, present_of(matching, document, document.text)
        return self.gold[where]


class _Walk:
    """One document on its way through the cells of a group; what they share is made once."""

    def __init__(self, chains: _Chains, document: Document) -> None:
        self.chains = chains
        self.source = chains.source
        self.document = document
        self.lists: dict[tuple[Any, ...], Keyphrases] = {}
        self.matched: dict[tuple[str, ...], Matches] = {}

    def through(self, group: Group, annotations: Annotations) -> None:
        """Add the document to what was found of every cell, of all of them or of none."""
        candidates = group.selection.select(self.document, annotations)
        default = next(iter(self.source.matchings))
        rows = []
        for cell in group.cells:
            paths = list(_paths(cell))
            self._make(cell, paths, candidates)
            made = {label: self._losses(label, paths) for label in self.source.matchings}
            rows.append((self.chains.run.system(cell.name), paths, made))
        found = self.chains.found
        for system, paths, made in rows:
            for label, one in made.items():
                found.losses[system][label] += one
            hits = [first_hits(self._matches(default, path)) for path in paths]
            for number, step in enumerate(found.steps[system]):
                before, after = self.lists[paths[number]], self.lists[paths[number + 1]]
                step.add(before, after, hits[number : number + 2])

    def _make(self, cell: CellPlan, paths: Sequence[tuple[Any, ...]], candidates: Any) -> None:
        if paths[0] not in self.lists:
            self.lists[paths[0]] = self.chains.plan.ranker(cell).rank(candidates)
        for shorter, longer in pairwise(paths):
            if longer not in self.lists:
                self.lists[longer] = longer[-1].process(self.lists[shorter])

    def _losses(self, label: str, paths: Sequence[tuple[Any, ...]]) -> Losses:
        lists = [self._matches(label, path) for path in paths]
        cut = self.source.cut(label, lists[-1].gold, lists[-1].predicted)
        return losses(*self.chains.gold_of(label, self.document), lists, cut)

    def _matches(self, label: str, path: tuple[Any, ...]) -> Matches:
        """The matches of a list; a step that changes nothing costs nothing."""
        surfaces = self.lists[path].surfaces
        where = (label, *surfaces)
        if where not in self.matched:
            matching = self.source.matchings[label]
            self.matched[where] = matching.match(surfaces, self.document.gold, self.document.text)
        return self.matched[where]


def _paths(cell: CellPlan) -> Iterator[tuple[Any, ...]]:
    """What makes the list after the ranking, and after each step."""
    path: tuple[Any, ...] = (cell.ranking, cell.fit)
    yield path
    for step in cell.postprocessing:
        path = (*path, step)
        yield path
