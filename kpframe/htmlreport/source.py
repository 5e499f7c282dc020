"""The runs that a report is about: specs, tallies and, where they can be read, documents."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kpframe.engine.losses import cut, cutoff
from kpframe.errors import DataError, KpframeError, counted
from kpframe.htmlreport.finished import ReportRun
from kpframe.model import Document, Skipped
from kpframe.model.natural_order import natural_key
from kpframe.model.summary import Summary
from kpframe.runs.beside import read_events
from kpframe.runs.finished import FinishedRun
from kpframe.runs.side_by_side import named_runs, unequal_recipes
from kpframe.runs.texts import the_same
from kpframe.stages import Matching, Metric

__all__ = ["Source", "evenly", "read_sources"]

_log = logging.getLogger("kpframe.htmlreport")


@dataclass(frozen=True)
class Source:
    """All runs of a report, what they share, and notes about what cannot be told.

    `columns` are those that every run has; `labels` has for each of them the label of its matching, and
    `matchings` these matchings by label, those of the first run. The first of both is the one that is
    shown where there is no choice.
    """

    runs: tuple[ReportRun, ...]
    columns: tuple[str, ...]
    notes: tuple[str, ...]

    @cached_property
    def labels(self) -> dict[str, str]:
        """Column → label of its matching."""
        return {column: self.runs[0].spec.labels[column] for column in self.columns}

    @cached_property
    def matchings(self) -> dict[str, Matching]:
        """Label → matching."""
        known = self.runs[0].spec.matchings
        return {label: known[label] for label in dict.fromkeys(self.labels.values())}

    def metric(self, column: str) -> Metric:
        """The metric of a column."""
        return self.runs[0].spec.measures[column].metric

    def own_label(self, run: ReportRun, label: str) -> str:
        """The label that a run itself has for a matching."""
        column = next(column for column, used in self.labels.items() if used == label)
        return run.spec.labels[column]

    def cells(self) -> Iterator[tuple[ReportRun, str, str]]:
        """Every system: its run, its cell, and its name."""
        for run in self.runs:
            for cell in run.cells:
                yield run, cell, run.system(cell)

    def cutoff(self, label: str) -> int | str:
        """How many phrases count under a matching: a number, `R` (as many as gold is kept), or `all`.

        That of the first column with this matching; `R` where it has none.
        """
        return self._cutoffs[label]

    @cached_property
    def _cutoffs(self) -> dict[str, int | str]:
        return {label: self._cutoff(label) for label in self.matchings}

    def _cutoff(self, label: str) -> int | str:
        column = next(column for column, used in self.labels.items() if used == label)
        return cutoff(self.metric(column))

    def cut(self, label: str, gold: int, predicted: int) -> int:
        """The cut-off for a document with so many gold keyphrases and phrases."""
        return cut(self.cutoff(label), gold, predicted)


def read_sources(
    folders: Sequence[str | Path],
    documents: Iterable[Document | Skipped] | None = None,
    summary: Summary | None = None,
    left_out: list[str] | None = None,
) -> Source:
    """Read runs, and their documents from the corpora (or from `documents`, for all runs).

    `summary` is that of the first run, where it has not been written. To `left_out` is added whose texts are
    not shown, since they cannot be read or are not those of the run.

    Raises DataError if a folder holds no run, or if columns of the same name were not computed alike.
    A corpus that is no longer there is a note, not an error.
    """
    if not folders:
        raise DataError.at("report", "there is no run", "give the folder that `kpframe run` wrote to")
    finished = named_runs(folders)
    given = None if documents is None else list(documents)
    notes: list[str] = []
    runs: list[ReportRun] = []
    for one in finished:
        prefix = f"{one.name}/" if len(finished) > 1 else ""
        known = summary if summary is not None and not runs else one.summary
        runs.append(_run(one, prefix, given, known, notes, [] if left_out is None else left_out))
    # Of a run in which every document failed only the spec tells the columns.
    own = [list(run.finished.columns.recipes or run.spec.columns) for run in runs]
    shared = [column for column in own[0] if all(column in names for names in own)]
    if not shared:
        names = ", ".join(run.name for run in runs)
        raise DataError.at(names, "share no column", "evaluate them by the same metrics and matchings")
    for column in shared if len(runs) > 1 else ():
        unequal = unequal_recipes(finished, column)
        if unequal:
            raise unequal
    left = {column for run in runs for column in run.finished.columns.recipes} - set(shared)
    if left:
        notes.append(f"not in every run, and not shown: {', '.join(sorted(left))}")
    return Source(tuple(runs), tuple(shared), tuple(notes))


def _run(
    finished: FinishedRun,
    prefix: str,
    given: Sequence[Document | Skipped] | None,
    summary: Summary | None,
    notes: list[str],
    left_out: list[str],
) -> ReportRun:
    spec = finished.spec
    told = next(iter(finished.columns.tallies.values()), None)
    # Of a run in which every document failed nothing was counted.
    wanted = (
        set(told[finished.cells[0]])
        if told
        else {failure.id for failure in finished.failures(finished.cells[0])}
    )
    stream: Iterable[Document | Skipped] = () if given is None else given
    try:
        if given is None and "documents" in finished.tree:
            spec = finished.with_corpus("put the corpus where it was")
            stream = spec.reader.read() if spec.reader is not None else ()
        documents = {d.id: d for d in the_same(stream, wanted, finished.path, "run it again")}
    except (KpframeError, OSError) as error:
        documents = {}
        left_out.append(f"{finished.name}: {error}")
        notes.append(left_out[-1])
    name = finished.name
    if len(documents) < len(wanted):
        lacking = counted(len(wanted) - len(documents), "document")
        notes.append(f"{name}: the texts of {lacking} are not there, and what needs them is left out")
    if summary is None and finished.unsaid:
        notes.append(f"{name}: {finished.unsaid}")
        _log.warning("%s", notes[-1])
    if finished.unfinished:
        notes.append(f"{name}: not finished, and not shown: {', '.join(finished.unfinished)}")
    _, unreadable = read_events(finished.path)
    if unreadable:
        notes.append(
            f"{name}: {counted(unreadable, 'line')} of log.jsonl cannot be read; its times may be incomplete"
        )
    return ReportRun(finished, prefix, spec, documents, summary)


def evenly(ids: Iterable[str], limit: int | None) -> list[str]:
    """At most `limit` of the ids, at even distances in their natural order; all if it is None."""
    ordered = sorted(set(ids), key=natural_key)
    if limit is None or len(ordered) <= limit:
        return ordered
    return [ordered[i * len(ordered) // limit] for i in range(limit)]
