"""Before and after: each cell of one run against the cell of the same name of another."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from os import PathLike

from kpframe.analysis.comparison import columns_of, sample_of
from kpframe.display.sheets import Entry, Head, Sheet, SheetRow
from kpframe.errors import DataError, counted
from kpframe.evaluation.comparison_column import Column, Procedure
from kpframe.evaluation.comparison_values import Contrast
from kpframe.runs.finished import FinishedRun
from kpframe.runs.same_data import by_data

__all__ = ["BeforeAfter", "same_cells", "same_cells_sheets"]

log = logging.getLogger("kpframe")

BeforeAfter = dict[tuple[str, str], list[Contrast]]
"""By data set and column the contrasts, of which the baseline is the cell before."""


def same_cells(
    runs: Sequence[str | PathLike[str]], *, columns: Sequence[str] = (), plan: Procedure | None = None
) -> BeforeAfter:
    """The cells that two runs (or two runs over many data sets) share, the second against the first.

    Corrected over all cells of a column and a data set. Raises DataError where they share no cell or data.
    """
    if len(runs) != 2:
        raise DataError.at(
            "--same-cells", f"needs two runs, not {len(runs)}", "give the one before, then the other"
        )
    made: BeforeAfter = {}
    for dataset, group in by_data(runs).items():
        if len(group) == 1:
            log.warning("%s: over other documents than the other run, and not compared", group[0].name)
        else:
            _tell_alone(*group)
            for column in columns_of(group, columns):
                made[dataset, column] = _contrasts(group, column, plan or Procedure())
    if not made:
        problem = "are over different documents, so that no cell can be compared"
        raise DataError.at(" and ".join(map(str, runs)), problem, "give two runs over the same data")
    return made


def _tell_alone(before: FinishedRun, after: FinishedRun) -> None:
    for here, there in ((before, after), (after, before)):
        if alone := [cell for cell in here.cells if cell not in there.cells]:
            log.warning("%s: not in %s, and not compared: %s", here.name, there.name, ", ".join(alone))


def _contrasts(group: Sequence[FinishedRun], column: str, plan: Procedure) -> list[Contrast]:
    before, after = group
    shared = [cell for cell in after.cells if cell in before.cells]
    if not shared:
        raise DataError.at(f"{before.name}, {after.name}", "share no cell", "give runs of the same spec")
    sample = sample_of(group, column)
    pairs = [(f"{after.name}/{cell}", f"{before.name}/{cell}") for cell in shared]
    return Column(sample, plan).contrasts(pairs)


def same_cells_sheets(found: BeforeAfter, plan: Procedure) -> list[Sheet]:
    """A table for each data set and column: before, after, difference, and how surely."""
    heads = [
        Head(name, ranked=False) for name in ("before", "after", "diff.", "p", "corrected", "won/tied/lost")
    ]
    several = len({dataset for dataset, _ in found}) > 1
    sheets = []
    for (dataset, column), contrasts in found.items():
        rows = tuple(SheetRow(one.system.rpartition("/")[2], _entries(one)) for one in contrasts)
        sheets.append(
            Sheet(
                f"{dataset}: {column}" if several else column,
                "cell",
                tuple(heads),
                rows,
                _notes(contrasts, plan),
            )
        )
    return sheets


def _entries(one: Contrast) -> tuple[Entry, ...]:
    mark = "*" if one.significant else ""
    return (
        Entry(one.baseline_score),
        Entry(one.score),
        Entry(one.difference, says=f"{one.difference:+.4f}{mark}"),
        Entry(one.p, says=f"{one.p:.4f}"),
        Entry(one.corrected_p, says=f"{one.corrected_p:.4f}"),
        Entry(says=f"{one.wins}/{one.ties}/{one.losses}"),
    )


def _notes(contrasts: Sequence[Contrast], plan: Procedure) -> tuple[str, ...]:
    first = contrasts[0]
    before, after = first.baseline.rpartition("/")[0], first.system.rpartition("/")[0]
    changed = sum(one.significant for one in contrasts)
    how = f"{plan.test} test, corrected by {plan.correction} over the cells, level {plan.level:g}"
    return (
        f"before: {before}; after: {after}; {counted(first.documents, 'document')}.",
        f"{changed} of {counted(len(contrasts), 'cell')} differ significantly (*: {how}).",
    )
