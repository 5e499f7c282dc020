"""Where systems lose gold keyphrases, as their runs have counted it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kpframe.engine.losses import Losses, cutoff
from kpframe.errors import DataError, counted
from kpframe.htmlreport.finished import ReportRun
from kpframe.htmlreport.source import Source
from kpframe.runs.lost_gold import SavedLosses
from kpframe.runs.seals import AGAIN
from kpframe.stages import Postprocessor

__all__ = ["Waterfall", "read_losses"]

_STEP = ("before", "after", "removed", "made", "removed_gold", "made_gold")
"""What a run counts of each post-processing step."""

_COUNTS = Losses.__slots__[1:]
"""What a run counts of the gold of a document, under each matching."""


@dataclass
class Waterfall:
    """Losses by system and matching, what steps did by system, and what cannot be told.

    `documents` is the number of those that are told of every system.
    """

    losses: dict[str, dict[str, Losses]] = field(default_factory=dict)
    steps: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    documents: int = 0


def read_losses(source: Source) -> Waterfall:
    """Add up what the runs have counted, over all documents that failed nowhere."""
    found = Waterfall()
    told: list[int] = []
    for run in source.runs:
        labels = _labels(source, run, found.notes)
        cells = [cell for cell in run.cells if run.finished.counts_losses(cell)]
        if len(cells) < len(run.cells):
            told.append(0)
            found.notes.append(
                f"{run.name}: where gold is lost was not counted when it was made; run the experiment again"
            )
        for cell in cells:
            told.append(_add_cell(found, source, run, cell, labels))
    found.documents = min(told, default=0)
    return found


def _labels(source: Source, run: ReportRun, notes: list[str]) -> dict[str, str]:
    """Label in the report → label in the run, where the run has counted at the cut-off that is shown."""
    found = {}
    for label in source.matchings:
        own = source.own_label(run, label)
        first = next(column for column, used in run.spec.labels.items() if used == own)
        if cutoff(run.spec.measures[first].metric) == source.cutoff(label):
            found[label] = own
        else:
            notes.append(f"{run.name}: where gold is lost was counted at another cut-off ({label})")
    return found


def _add_cell(found: Waterfall, source: Source, run: ReportRun, cell: str, labels: Mapping[str, str]) -> int:
    """Add one cell; how many documents are told."""
    records = [r for r in _records(run, cell) if r.id not in run.lost]
    known = [record for record in records if record.losses]
    name = run.system(cell)
    if len(known) < len(records):
        found.notes.append(
            f"{name}: where gold is lost cannot be told of {counted(len(records) - len(known), 'document')}"
        )
    found.losses[name] = {
        label: Losses(len(known), *_sums([record.losses[own] for record in known]))
        for label, own in labels.items()
        if known
    }
    steps = run.configurations[cell].postprocessing
    sums = _sums([record.steps for record in known])
    default = next(iter(source.matchings))
    # Steps are counted under the first matching of the run: of several runs they may have different ones.
    alike = source.own_label(run, default) == next(iter(run.spec.labels.values()))
    found.steps[name] = [
        {"kind": step.kind, "label": _label(step), **dict(zip(_STEP, counts, strict=True))}
        for step, counts in zip(steps if known and alike else (), sums, strict=False)
    ]
    return len(known)


def _records(run: ReportRun, cell: str) -> Iterator[SavedLosses]:
    """What was counted of each document, once it is known to be of this cell and its spec."""
    expected = {*run.spec.labels.values()}, len(run.configurations[cell].postprocessing)
    counted = next(iter(run.finished.columns.tallies.values()), None)
    unseen = set(counted[cell]) if counted else {failure.id for failure in run.finished.failures(cell)}
    place = f"{run.finished.path}/cells/{cell}"
    for record in run.finished.losses(cell):
        widths = {len(_COUNTS): record.losses.values(), len(_STEP): record.steps}
        fitting = all(len(counts) == width for width, rows in widths.items() for counts in rows)
        found = {*record.losses}, len(record.steps)
        if record.id not in unseen or not fitting or (record.losses and found != expected):
            raise DataError.at(
                f"{place}: document {record.id!r}", "is not as the spec of the run says", AGAIN
            )
        unseen.remove(record.id)
        yield record
    if unseen:
        raise DataError.at(f"{place}: document {min(unseen)!r}", "is not in losses.jsonl", AGAIN)


def _sums(rows: list[Any]) -> list[Any]:
    return list(np.asarray(rows, dtype=np.int64).sum(axis=0).tolist()) if rows else []


def _label(step: Postprocessor) -> str:
    """The kind of a step with those of its parameters that say something."""
    given = step.model_dump(mode="json", exclude={"kind"}).items()
    said = [f"{name}={_shown(value)}" for name, value in given if value or type(value) in (int, float)]
    return " ".join([step.kind, *said])


def _shown(value: Any) -> str:
    return ",".join(map(_shown, value)) if isinstance(value, list) else str(value)
