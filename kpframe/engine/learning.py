"""Letting fits see documents, in this process or in others: what a ranking learns is learned here alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kpframe.engine.clock import StageClock, Timed
from kpframe.engine.fitting import Fit
from kpframe.engine.outcome import Outcome
from kpframe.engine.plan import Plan
from kpframe.engine.spool import Entry, read_documents
from kpframe.model import Annotations, Candidates, Document
from kpframe.model.collector import no_garbage_collection
from kpframe.runs.records import FailedDocument
from kpframe.stages import Selection

__all__ = ["Observed", "observations", "observe", "state_text"]


@dataclass(frozen=True)
class Observed:
    """One document seen for the fits: by their ids, what each learned of it, or why it could not.

    `undecided` are those of the failures that are nobody's fault (see `Outcome.undecided`).
    """

    id: str
    seen: Mapping[str, Any]
    failures: Mapping[str, FailedDocument]
    undecided: frozenset[str] = frozenset()

    @classmethod
    def lost(cls, id: str, fits: Iterable[str], failure: FailedDocument) -> Observed:
        """A document whose worker died."""
        failures = dict.fromkeys(fits, failure)
        return cls(id, {}, failures, frozenset(failures))


def observe(plan: Plan, batch: Sequence[Entry]) -> Timed[Observed]:
    """Annotate a batch and let every fit that wants a document see it; FilesChanged as `evaluate`."""
    return plan.files.steadily(lambda: _seen(plan, batch))


@no_garbage_collection()
def _seen(plan: Plan, batch: Sequence[Entry]) -> Timed[Observed]:
    clock = StageClock()
    documents = read_documents(plan.spool, batch)
    made: dict[str, dict[str, Outcome[Any]]] = {entry.id: {} for entry in batch}
    for preprocessing in dict.fromkeys(fit.preprocessing for fit in plan.fits):
        with clock.during("preprocessing"):
            annotated = preprocessing.annotate(documents, plan.annotation_cache)
        for entry, (document, outcome) in zip(batch, annotated, strict=True):
            wanting = [f for f in plan.fits if f.preprocessing == preprocessing and f.wants(entry.part)]
            found = observations(wanting, document, outcome, clock)
            made[entry.id].update((fit.id, outcome) for fit, outcome in found)
    clock.count(plan.annotation_cache.counted())
    return Timed([_observed(id, outcomes) for id, outcomes in made.items()], clock)


def _observed(id: str, outcomes: Mapping[str, Outcome[Any]]) -> Observed:
    return Observed(
        id,
        {fit: outcome.made for fit, outcome in outcomes.items() if not outcome.failed},
        {fit: outcome.failure(id) for fit, outcome in outcomes.items() if outcome.failed},
        frozenset(fit for fit, outcome in outcomes.items() if outcome.undecided),
    )


def observations(
    fits: Sequence[Fit], document: Document, annotated: Outcome[Annotations], clock: StageClock | None = None
) -> Iterator[tuple[Fit, Outcome[Any]]]:
    """What each fit sees of a document; none depends on which others there are."""
    clock = clock or StageClock()
    selected: dict[Selection, Outcome[Candidates]] = {}
    for fit in fits:
        selection = fit.selection
        if selection not in selected:
            with clock.during("candidates"):
                select = partial(selection.select, document)
                selected[selection] = annotated.then(f"candidates {selection.kind}", select)
        with clock.during("learning"):
            yield fit, selected[selection].then(f"ranking {fit.ranking.kind}", fit.ranking.observe)


def state_text(fit: Fit, seen: Iterable[Any]) -> str:
    """The fitted state as JSON: what every process restores, and what is kept, is the same text."""
    return json.dumps(fit.learn(seen), ensure_ascii=False, sort_keys=True)
