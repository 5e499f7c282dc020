"""From the counts of all documents in all cells to the summary of a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from kpframe.engine.identity import digest
from kpframe.engine.spool import Spool
from kpframe.errors import counted
from kpframe.evaluation.against_best import against_best
from kpframe.evaluation.comparison_sample import Sample
from kpframe.evaluation.tallies import Aggregation, Tally
from kpframe.model.summary import Cell, Summary
from kpframe.runs.folder import RunFolder
from kpframe.runs.records import FailedDocument, ScoredDocument
from kpframe.spec import Configuration, Spec
from kpframe.spec.measures import bounded_columns
from kpframe.spec.printed import printed_rows, reference_values
from kpframe.stages import Metric
from kpframe.statistics.significance import DRAWS

__all__ = ["recorded", "summarize"]

_LEVEL = 0.05
_TEST = f"Fisher's randomisation test, {DRAWS:,} draws, Holm's correction, level .05"
_TESTED = 1_000_000
"""So many counts are held at once for the test; a larger run is for `kpframe compare`."""

_TOGETHER = 1_000
"""So many documents are added at once: equal counts among them are added as one."""

_DISTINCT = 100_000
"""So many different counts are known, so that equal ones are held once: most documents have few."""


class _Held:
    """What was counted in the cells, for the test: little more than a reference for each count."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.ids: dict[str, list[str]] = {}
        """By cell the ids of its documents."""
        self._columns = tuple(columns)
        self._tallies: dict[str, dict[str, list[Tally]]] = {}
        self._known: dict[Tally, Tally] = {}

    def cell(self, name: str) -> Callable[[str, Mapping[str, Tally]], None]:
        """What takes the counts of each document of the next cell."""
        before = next(reversed(self.ids.values()), [])
        ids = self.ids.setdefault(name, [])
        tallies = self._tallies.setdefault(name, {column: [] for column in self._columns})

        def hold(id: str, counted: Mapping[str, Tally]) -> None:
            # All cells have the same documents, most often: their ids are held once.
            same = len(ids) < len(before) and before[len(ids)] == id
            ids.append(before[len(ids)] if same else id)
            for column, held in tallies.items():
                held.append(self._once(counted[column]))

        return hold

    def _once(self, tally: Tally) -> Tally:
        if len(self._known) < _DISTINCT:
            return self._known.setdefault(tally, tally)
        return self._known.get(tally, tally)

    def column(self, column: str) -> Mapping[str, Mapping[str, Tally]]:
        """By cell and document what was counted in one column."""
        return _Column(self.ids, {name: tallies[column] for name, tallies in self._tallies.items()})


class _Column(Mapping[str, Mapping[str, Tally]]):
    """By cell and document what was counted in a column; by document only for the cell that is asked for."""

    def __init__(self, ids: Mapping[str, list[str]], tallies: Mapping[str, list[Tally]]) -> None:
        self._ids = ids
        self._tallies = tallies

    def __getitem__(self, cell: str) -> Mapping[str, Tally]:
        return dict(zip(self._ids[cell], self._tallies[cell], strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def summarize(spec: Spec, folder: RunFolder, spool: Spool) -> Summary:
    """The scores of all cells, all over the same documents: those that failed in no cell.

    In the same pass `per_document.csv` is written, with all documents of each cell.
    """
    names = [configuration.name for configuration in spec.configurations]
    unlearned = [failure for name in names for failure in folder.unlearned(name)]
    once = {(failure.id, failure.stage): failure.to_json() for failure in unlearned}
    failed: list[Mapping[str, str]] = [*once.values()]
    failed += (failure for name in names for failure in _failures(folder, name))
    lost = {failure["id"] for failure in failed}
    undecided = frozenset().union(*map(folder.undecided, names))
    bounded = bounded_columns(spec.measures)
    reference = reference_values(spec.reference, bounded) if spec.reference else {}
    tested = [column for column in spec.columns if spec.measures[column].metric.compared]
    counts = len(spool.part("test")) * len(names) * len(tested)
    held = _Held(tested) if len(names) > 1 and counts <= _TESTED else None
    with folder.per_document(["cell", "id", "predicted", *spec.columns]) as write:
        cells = tuple(
            _cell(spec, folder, configuration, lost, reference.get(configuration.name, {}), write, held)
            for configuration in spec.configurations
        )
    if held is not None:
        cells = tuple(_with_p_values(spec, cells, held, tested))
    return Summary(
        name=spec.name,
        columns=spec.columns,
        cells=cells,
        reference_source=spec.reference.source if spec.reference else "",
        failures=tuple(failed),
        notes=(*_notes(spec, spool, cells, lost), *_tried_again(undecided, failed)),
        test=_TEST if held is not None else "",
        level=_LEVEL,
        unranked=tuple(column for column in spec.columns if column not in tested),
        printed=tuple(chain.from_iterable(printed_rows(rows, bounded) for rows in spec.printed)),
    )


def _with_p_values(spec: Spec, made: Sequence[Cell], held: _Held, columns: Sequence[str]) -> Iterator[Cell]:
    """The cells with the corrected p of their difference from the best one of each column."""
    verdicts: dict[str, dict[str, float]] = {cell.name: {} for cell in made}
    for column in columns:
        sample = Sample.of_tallies(column, spec.measures[column].metric, held.column(column))
        for name, verdict in against_best(sample, level=_LEVEL).items():
            if verdict.corrected_p is not None:
                verdicts[name][column] = verdict.corrected_p
    for cell in made:
        yield replace(cell, p_values=verdicts[cell.name])


def _failures(folder: RunFolder, name: str) -> Iterator[Mapping[str, str]]:
    for record in folder.scores(name, containing='"failure"'):
        if isinstance(record, FailedDocument):
            yield {**record.to_json(), "cell": name}


def _cell(
    spec: Spec,
    folder: RunFolder,
    configuration: Configuration,
    lost: set[str],
    reference: Mapping[str, float],
    write: Callable[[list[Any]], Any],
    held: _Held | None,
) -> Cell:
    """A cell; `write` gets a row for each document, empty where it failed, and `held` what was counted."""
    hold = None if held is None else held.cell(configuration.name)
    sums = {column: Aggregation(one.metric, one.matching) for column, one in spec.measures.items()}
    waiting: dict[str, list[Tally]] = {column: [] for column in spec.columns}
    documents = keyphrases = 0
    for record in folder.scores(configuration.name):
        if isinstance(record, FailedDocument):
            write([configuration.name, record.id, "", *("" for _ in spec.columns)])
            continue
        counted = {column: recorded(record, column, spec.labels[column]) for column in spec.columns}
        values = [_value(counted[column], measure.metric) for column, measure in spec.measures.items()]
        write([configuration.name, record.id, record.predicted, *values])
        if record.id in lost:
            continue
        documents += 1
        keyphrases += record.predicted
        for column, tally in counted.items():
            waiting[column].append(tally)
            if len(waiting[column]) == _TOGETHER:
                sums[column].add(waiting[column])
                waiting[column].clear()
        if hold is not None:
            hold(record.id, counted)
    for column, rest in waiting.items():
        sums[column].add(rest)
    recipe = digest(configuration.to_spec())
    scores = [
        replace(sums[column].score(spec=recipe), metric=measure.name, matching=measure.group)
        for column, measure in spec.measures.items()
    ]
    return Cell(configuration.name, configuration.axes, tuple(scores), documents, keyphrases, dict(reference))


def _value(tally: Tally, metric: Metric) -> Any:
    """What a document contributes to an average, empty if nothing."""
    return tally.value(metric) if tally.counts_for(metric) else ""


def recorded(record: ScoredDocument, column: str, matching: str) -> Tally:
    """The tally of a document in a column, from its line in `scores.jsonl`; `matching` is a label there."""
    matched = record.matches[matching]
    return Tally(record.counts[column], matched.gold, matched.predicted)


def _notes(spec: Spec, spool: Spool, cells: Sequence[Cell], lost: set[str]) -> Iterator[str]:
    evaluated = len(spool.part("test"))
    training = len(spool.part("train"))
    yield f"{counted(evaluated, 'document')} evaluated" + (f", {training} for training" if training else "")
    # A measure that is not compared may have no value for other reasons: those of confidences need some.
    compared = [measure.metric.compared for measure in spec.measures.values()]
    scores = [score for cell in cells for score, counts in zip(cell.scores, compared, strict=True) if counts]
    skipped = max((score.skipped for score in scores), default=0)
    if skipped:
        have = "document has" if skipped == 1 else "documents have"
        yield f"{skipped} evaluated {have} no gold keyphrase left, and no place in an average"
    yield from (f"{one.place}: {one.reason}" for one in spool.unpaired)
    if spool.skipped:
        first = spool.skipped[0]
        were = "thing in the corpus was" if len(spool.skipped) == 1 else "things in the corpus were"
        yield f"{len(spool.skipped):,} {were} skipped, first {first.place}: {first.reason}"
    if lost:
        are = "is" if len(lost) == 1 else "are"
        yield f"{counted(len(lost), 'document')} failed and {are} in no average"


def _tried_again(undecided: Collection[str], failures: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """The documents that failed by no fault of their own, and of what."""
    died = {failure["id"] for failure in failures if _is_death(failure)}.intersection(undecided)
    lacking = len(undecided) - len(died)
    if died:
        yield (
            f"{len(died)} of them by no fault of their own (a worker died, or memory ran out): the same "
            "command tries them again"
        )
    if lacking:
        yield (
            f"{lacking} of them for want of what is not theirs (a language model, or a file that could not "
            "be read): the same command tries them again when it is there"
        )


def _is_death(failure: Mapping[str, str]) -> bool:
    return failure["stage"] == "worker" or failure["error"].startswith("MemoryError")
