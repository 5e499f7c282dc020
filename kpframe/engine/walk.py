"""What workers do: observe documents for a fit, and evaluate documents under the cells of a group.

Everything here takes a batch and returns plain values; it runs the same in this process or another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from kpframe.engine.annotating import Preprocessing
from kpframe.engine.cache import AnnotationCache
from kpframe.engine.clock import StageClock, Timed
from kpframe.engine.fitting import Fit
from kpframe.engine.spool import Entry, read_documents
from kpframe.errors import KpframeError
from kpframe.model import Annotations, Candidates, Document, Keyphrases
from kpframe.model.collector import no_garbage_collection
from kpframe.runs.codec import DocumentLines, document_lines
from kpframe.runs.records import FailedDocument
from kpframe.stages import Matching, Metric, Postprocessor, Ranker, Ranking, Selection

__all__ = ["CellPlan", "Evaluated", "Group", "Observed", "Plan", "Task", "evaluate", "failure", "observe"]


@dataclass(frozen=True)
class CellPlan:
    """What one cell does after candidate selection. `fit` is empty if nothing is learned."""

    name: str
    ranking: Ranking
    fit: str
    postprocessing: tuple[Postprocessor, ...]


@dataclass(frozen=True)
class Group:
    """Cells that share preprocessing and candidates."""

    preprocessing: Preprocessing
    selection: Selection
    cells: tuple[CellPlan, ...]


@dataclass(frozen=True)
class Plan:
    """All that workers must know of a run. `measures` have a metric and a matching's label by column."""

    spool: Path
    cache: Path
    groups: tuple[Group, ...]
    fits: tuple[Fit, ...]
    matchings: Mapping[str, Matching]
    measures: Mapping[str, tuple[Metric, str]]
    save: int
    states: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @cached_property
    def annotation_cache(self) -> AnnotationCache:
        """The cache on disk."""
        return AnnotationCache(self.cache)

    @cached_property
    def _rankers(self) -> dict[tuple[Ranking, str], Ranker]:
        return {}

    def ranker(self, cell: CellPlan) -> Ranker:
        """What ranks for a cell; fitted states are restored once a process."""
        if not cell.fit:
            return cell.ranking
        where = (cell.ranking, cell.fit)
        if where not in self._rankers:
            self._rankers[where] = cell.ranking.restore(self.states[cell.fit])
        return self._rankers[where]

    def __getstate__(self) -> dict[str, Any]:
        """Without what each process makes for itself."""
        return {k: v for k, v in self.__dict__.items() if k not in ("annotation_cache", "_rankers")}


@dataclass(frozen=True)
class Observed:
    """One document seen for the fits: by their ids, what each learned of it, or why it could not."""

    id: str
    observations: Mapping[str, Any]
    failures: Mapping[str, FailedDocument]


@no_garbage_collection()
def observe(plan: Plan, batch: Sequence[Entry]) -> Timed[Observed]:
    """Annotate a batch and let every fit that wants a document see it."""
    clock = StageClock()
    documents = read_documents(plan.spool, batch)
    seen: dict[str, dict[str, Any]] = {entry.id: {} for entry in batch}
    failures: dict[str, dict[str, FailedDocument]] = {entry.id: {} for entry in batch}
    for preprocessing in dict.fromkeys(fit.preprocessing for fit in plan.fits):
        fits = [fit for fit in plan.fits if fit.preprocessing == preprocessing]
        with clock.during("preprocessing"):
            annotated = preprocessing.annotate(documents, plan.annotation_cache)
        for entry, (document, made) in zip(batch, annotated, strict=True):
            wanting = [fit for fit in fits if fit.wants(entry.part)]
            for fit, observation, failed in _observations(wanting, document, made, clock):
                if failed is None:
                    seen[entry.id][fit.id] = observation
                else:
                    failures[entry.id][fit.id] = failed
    observed = (Observed(entry.id, seen[entry.id], failures[entry.id]) for entry in batch)
    return Timed(observed, clock.seconds)


def _observations(
    fits: Sequence[Fit], document: Document, made: Annotations | Exception, clock: StageClock
) -> Iterator[tuple[Fit, Any, FailedDocument | None]]:
    """What each fit sees of a document, or its failure; none depends on which others there are."""
    selected: dict[Selection, Candidates] = {}
    for fit in fits:
        stage = "preprocessing"
        try:
            if isinstance(made, Exception):
                raise made
            stage = f"candidates {fit.selection.kind}"
            if fit.selection not in selected:
                with clock.during("candidates"):
                    selected[fit.selection] = fit.selection.select(document, made)
            stage = f"ranking {fit.ranking.kind}"
            with clock.during("learning"):
                observation = fit.ranking.observe(selected[fit.selection])
            yield fit, observation, None
        except Exception as error:  # one bad document never loses a run
            yield fit, None, failure(document.id, stage, error)


@dataclass(frozen=True)
class Task:
    """A batch of documents for one group of cells."""

    group: int
    batch: tuple[Entry, ...]


Evaluated = dict[str, DocumentLines | FailedDocument]
"""By the name of a cell, the two lines of a document or its failure."""


@no_garbage_collection()
def evaluate(plan: Plan, task: Task) -> Timed[Evaluated]:
    """For each document of a batch: for each cell its two lines, or a failure."""
    clock = StageClock()
    group = plan.groups[task.group]
    documents = read_documents(plan.spool, task.batch)
    results: list[Evaluated] = []
    with clock.during("preprocessing"):
        annotated = group.preprocessing.annotate(documents, plan.annotation_cache)
    for document, made in annotated:
        try:
            if isinstance(made, Exception):
                raise made
            with clock.during("candidates"):
                candidates = group.selection.select(document, made)
        except Exception as error:  # one bad document never loses a run
            stage = "preprocessing" if isinstance(made, Exception) else f"candidates {group.selection.kind}"
            lost = failure(document.id, stage, error)
            results.append({cell.name: lost for cell in group.cells})
            continue
        results.append(_evaluate_cells(plan, group, document, candidates, clock))
    return Timed(results, clock.seconds)


def _evaluate_cells(
    plan: Plan, group: Group, document: Document, candidates: Candidates, clock: StageClock
) -> Evaluated:
    """Each ranking once, each common beginning of post-processing once, each distinct list once."""
    made: dict[tuple[Any, ...], Keyphrases] = {}
    lines: dict[tuple[Any, ...], DocumentLines] = {}
    results: Evaluated = {}
    for cell in group.cells:
        stage = f"ranking {cell.ranking.kind}"
        path: tuple[Any, ...] = (cell.ranking, cell.fit)
        try:
            if path not in made:
                with clock.during("ranking"):
                    made[path] = plan.ranker(cell).rank(candidates)
            for step in cell.postprocessing:
                stage = f"postprocessing {step.kind}"
                longer = (*path, step)
                if longer not in made:
                    with clock.during("postprocessing"):
                        made[longer] = step.process(made[path])
                path = longer
            stage = "evaluation"
            if path not in lines:
                probable = cell.ranking.fits_on() == "training"
                with clock.during("evaluation"):
                    lines[path] = _lines(plan, document, made[path], probable)
            results[cell.name] = lines[path]
        except Exception as error:  # one bad document never loses a run
            results[cell.name] = failure(document.id, stage, error)
    return results


def _lines(plan: Plan, document: Document, keyphrases: Keyphrases, probable: bool) -> DocumentLines:
    """The two lines of a document; metrics see the scores of trained rankings alone, which are `probable`."""
    surfaces = keyphrases.surfaces
    scores = [entry.score for entry in keyphrases]
    matched = {
        label: matches.scored(scores) if probable else matches
        for label, matching in plan.matchings.items()
        for matches in [matching.match(surfaces, document.gold, document.text)]
    }
    counts = {column: metric.count(matched[label]) for column, (metric, label) in plan.measures.items()}
    return document_lines(document.id, keyphrases.public(plan.save), len(keyphrases), matched, counts)


def failure(id: str, stage: str, error: BaseException) -> FailedDocument:
    """The record of a failed document."""
    known = isinstance(error, KpframeError)
    return FailedDocument(id, stage, str(error) if known else f"{type(error).__name__}: {error}")
