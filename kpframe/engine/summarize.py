"""From the counts of all documents in all cells to the summary of a run."""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from kpframe.engine.identity import digest
from kpframe.engine.spool import Spool
from kpframe.errors import DataError
from kpframe.evaluation.against_best import against_best
from kpframe.evaluation.comparison_sample import Sample
from kpframe.evaluation.tallies import Tally, aggregate
from kpframe.files.resources import resource_path
from kpframe.model.summary import Cell, Summary
from kpframe.runs.folder import RunFolder
from kpframe.runs.records import FailedDocument, ScoredDocument
from kpframe.spec import Configuration, Spec
from kpframe.spec.printed import printed_rows
from kpframe.spec.values import Reference
from kpframe.stages import Metric
from kpframe.statistics.significance import DRAWS

__all__ = ["recorded", "summarize"]

_LEVEL = 0.05
_TEST = f"Fisher's randomisation test, {DRAWS:,} draws, Holm's correction, level .05"
_TESTED = 1_000_000
"""So many counts are held at once for the test; a larger run is for `kpframe compare`."""

_Tallies = dict[str, dict[str, Tally]]
"""By column and document id what was counted."""


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
    reference = _reference_values(spec.reference) if spec.reference else {}
    with folder.per_document(["cell", "id", "predicted", *spec.columns]) as write:
        made = [
            _cell(spec, folder, configuration, lost, reference.get(configuration.name, {}), write)
            for configuration in spec.configurations
        ]
    tested = [column for column in spec.columns if spec.measures[column].metric.compared]
    documents = sum(cell.documents for cell, _ in made)
    small = len(made) > 1 and documents * len(tested) <= _TESTED
    cells = tuple(_with_p_values(spec, made, tested)) if small else tuple(cell for cell, _ in made)
    return Summary(
        name=spec.name,
        columns=spec.columns,
        cells=cells,
        reference_source=spec.reference.source if spec.reference else "",
        failures=tuple(failed),
        notes=tuple(_notes(spec, spool, cells, lost, undecided)),
        test=_TEST if small else "",
        level=_LEVEL,
        unranked=tuple(column for column in spec.columns if column not in tested),
        printed=tuple(chain.from_iterable(map(printed_rows, spec.printed))),
    )


def _with_p_values(
    spec: Spec, made: Sequence[tuple[Cell, _Tallies]], columns: Sequence[str]
) -> Iterator[Cell]:
    """The cells with the corrected p of their difference from the best one of each column."""
    verdicts: dict[str, dict[str, float]] = {cell.name: {} for cell, _ in made}
    for column in columns:
        tallies = {cell.name: found[column] for cell, found in made}
        sample = Sample.of_tallies(column, spec.measures[column].metric, tallies)
        for name, verdict in against_best(sample, level=_LEVEL).items():
            if verdict.corrected_p is not None:
                verdicts[name][column] = verdict.corrected_p
    for cell, _ in made:
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
) -> tuple[Cell, _Tallies]:
    """A cell with what was counted; `write` gets a row for each document, empty where it failed."""
    tallies: _Tallies = {column: {} for column in spec.columns}
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
            tallies[column][record.id] = tally
    recipe = digest(configuration.to_spec())
    scores = [
        replace(
            aggregate(measure.metric, measure.matching, tallies[column].values(), spec=recipe),
            metric=measure.name,
            matching=measure.group,
        )
        for column, measure in spec.measures.items()
    ]
    cell = Cell(configuration.name, configuration.axes, tuple(scores), documents, keyphrases, dict(reference))
    return cell, tallies


def _value(tally: Tally, metric: Metric) -> Any:
    """What a document contributes to an average, empty if nothing."""
    return tally.value(metric) if tally.counts_for(metric) else ""


def recorded(record: ScoredDocument, column: str, matching: str) -> Tally:
    """The tally of a document in a column, from its line in `scores.jsonl`; `matching` is a label there."""
    matched = record.matches[matching]
    return Tally(record.counts[column], matched.gold, matched.predicted)


def _notes(
    spec: Spec, spool: Spool, cells: Sequence[Cell], lost: set[str], undecided: Collection[str]
) -> Iterator[str]:
    evaluated = len(spool.part("test"))
    training = len(spool.part("train"))
    documents = "document" if evaluated == 1 else "documents"
    yield f"{evaluated} {documents} evaluated" + (f", {training} for training" if training else "")
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
        yield f"{len(spool.skipped)} things in the corpus were skipped, first {first.place}: {first.reason}"
    if lost:
        yield f"{len(lost)} documents failed and are in no average"
    if undecided:
        yield (
            f"{len(undecided)} of them by no fault of their own (a worker died, or memory ran out): the same "
            "command tries them again"
        )


def _reference_values(reference: Reference) -> dict[str, dict[str, float]]:
    """Cell → our column → published value."""
    path = resource_path(reference.resource) if reference.resource else Path(str(reference.path))
    values: dict[str, dict[str, float]] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            for ours, theirs in reference.columns.items():
                text = row.get(theirs)
                if "cell" not in row or text is None:
                    missing = theirs if "cell" in row else "cell"
                    raise DataError.at(
                        f"{path}:{number}", f"has no column {missing!r}", "check the reference"
                    )
                if text.strip():
                    values.setdefault(row["cell"], {})[ours] = float(text)
    return values
