"""The rows, agreements and footnotes that all reports of a summary share; nothing is rounded here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kpframe.display.sheets import IN_BRACKETS, Entry, Head, Sheet, SheetRow, published, rounded
from kpframe.errors import counted
from kpframe.files.escaping import one_line
from kpframe.model.summary import Cell, Summary
from kpframe.statistics.rank_correlation import rank_correlation

__all__ = [
    "Agreement",
    "Entry",
    "Row",
    "Table",
    "footnotes",
    "published",
    "rounded",
    "shared_parts",
    "sheet",
    "signature_lines",
]

FAILURES_SHOWN = 5
LABELS_SHOWN = 4

_SPEC_HASH = re.compile(r"\|spec:[^|]*")


@dataclass(frozen=True, slots=True)
class Row:
    """One cell of the grid: its label and an entry for each column."""

    label: str
    cell: Cell
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far one column agrees with the published values.

    `compared` counts the cells that have both values. `mean_difference` is the mean absolute
    difference, None if no cell has both; `spearman` is the rank correlation (-1 … 1), None for
    fewer than two cells or where one side is constant.
    """

    column: str
    compared: int
    mean_difference: float | None
    spearman: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        return {
            "compared": self.compared,
            "mean_absolute_difference": self.mean_difference,
            "spearman": self.spearman,
        }


@dataclass(frozen=True, slots=True)
class Table:
    """A summary made ready for printing.

    `heading` names what the labels consist of; `signatures` has for every column each distinct
    recipe of its scores with the labels of the cells that it made.
    """

    name: str
    heading: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    agreements: tuple[Agreement, ...]
    signatures: tuple[tuple[str, str, tuple[str, ...]], ...]
    printed: tuple[SheetRow, ...] = ()
    """Rows of publications, below those of the run."""

    @property
    def lines(self) -> Sequence[Row | SheetRow]:
        """All rows, those of publications last."""
        return [*self.rows, *self.printed]

    @classmethod
    def of(cls, summary: Summary) -> Table:
        """Prepare a summary."""
        heading, labels = _labels(summary.cells)
        best = {
            column: (None, None) if column in summary.unranked else _best(summary.cells, column)
            for column in summary.columns
        }
        rows = tuple(
            Row(
                label,
                cell,
                tuple(_entry(cell, column, *best[column], summary.level) for column in summary.columns),
            )
            for label, cell in zip(labels, summary.cells, strict=True)
        )
        agreements = tuple(
            _agreement(summary.cells, column)
            for column in summary.columns
            if any(column in cell.reference for cell in summary.cells)
        )
        return cls(
            one_line(summary.name),
            heading,
            tuple(map(one_line, summary.columns)),
            rows,
            agreements,
            tuple(_signatures(rows, summary.columns)),
            tuple(_printed(summary)),
        )


def sheet(table: Table, notes: Sequence[str]) -> Sheet:
    """The table with metrics as heads of their matchings, where a metric has several."""
    parts = [column.partition("/") for column in table.columns]
    grouped = len({metric for metric, *_ in parts}) < len(parts)
    heads = [
        Head(matching, metric) if grouped and matching else Head(column)
        for column, (metric, _, matching) in zip(table.columns, parts, strict=True)
    ]
    rows = (*(SheetRow(row.label, row.entries) for row in table.rows), *table.printed)
    return Sheet(table.name, table.heading, tuple(heads), rows, tuple(notes))


def footnotes(
    summary: Summary, table: Table, digits: int, mark: str, signatures: Sequence[str] | None = None
) -> list[str]:
    """The lines that belong below a table: legend, agreement, signatures, notes and failures.

    `signatures` are lines that stand for those of `signature_lines`; `mark` is what values have that do not
    differ from the best one significantly.
    """
    source = one_line(summary.reference_source) or "unnamed"
    lines = [f"{IN_BRACKETS} ({source})."] if table.agreements else []
    valued = sum(any(entry.value is not None for entry in row.entries) for row in table.rows)
    if summary.test and valued > 1:
        close = any(entry.close for row in table.rows for entry in row.entries)
        what = f"{mark}: not significantly different" if close else "All others differ significantly"
        lines.append(f"{what} from the best of the column ({one_line(summary.test)}).")
    lines += [_agreement_line(agreement, digits) for agreement in table.agreements]
    lines += signature_lines(table) if signatures is None else signatures
    lines += _printed_lines(summary, "'" if mark == "~" else "†")
    lines += map(one_line, summary.notes)
    return lines + _failure_lines(summary.failures)


def _printed(summary: Summary) -> Iterator[SheetRow]:
    marks = _sources(summary)
    for row in summary.printed:
        values = [row.values.get(column) for column in summary.columns]
        entries = tuple([Entry(value, printed=True) for value in values])
        yield SheetRow(f"{one_line(row.system)} ({marks[row.source]})", entries)


def _printed_lines(summary: Summary, mark: str) -> Iterator[str]:
    """Where printed rows come from."""
    for source, says in _sources(summary).items():
        yield f"{mark} {says} in {one_line(source)}: not computed here, in no test, and never the best."


def _sources(summary: Summary) -> dict[str, str]:
    """How rows of each source are marked: those of several are numbered."""
    sources = list(dict.fromkeys(row.source for row in summary.printed))
    several = len(sources) > 1
    return {source: f"printed {n}" if several else "printed" for n, source in enumerate(sources, 1)}


def signature_lines(table: Table) -> list[str]:
    """For each column the recipe of its scores; where cells differ in it, each with its cells.

    What all recipes share stands once, in a line of its own, and is left out of the others.
    """
    shared = shared_parts(table)
    lines: list[str] = []
    several = {column for column, _, labels in table.signatures if len(labels) < len(table.rows)}
    for column, signature, labels in table.signatures:
        named = ", ".join(labels) if len(labels) <= LABELS_SHOWN else f"{len(labels)} cells"
        which = f" [{named}]" if column in several else ""
        own = [part for part in signature.split("|") if part not in shared]
        lines.append(f"{column}{which}: {'|'.join(own) or signature}")
    return [*lines, f"all: {'|'.join(shared)}"] if shared else lines


def shared_parts(table: Table) -> list[str]:
    """The parts of signatures that are the same in all of several columns, in their order."""
    recipes = list(dict.fromkeys(tuple(signature.split("|")) for _, signature, _ in table.signatures))
    if len(recipes) < 2:
        return []
    return [part for part in recipes[0][1:] if all(part in recipe for recipe in recipes)]


def _agreement_line(agreement: Agreement, digits: int) -> str:
    if agreement.mean_difference is None:
        return f"{agreement.column}: no cell to compare with its published value"
    cells = counted(agreement.compared, "cell")
    line = (
        f"{agreement.column}: {cells} compared with published values; "
        f"mean absolute difference {rounded(agreement.mean_difference, digits)}"
    )
    if agreement.spearman is None:
        return f"{line}; Spearman correlation undefined"
    return f"{line}; Spearman correlation {rounded(agreement.spearman, digits)}"


def _failure_lines(failures: Sequence[Mapping[str, Any]]) -> list[str]:
    """How many documents failed and the first of them; one may have failed in many cells."""
    of: dict[str, list[Mapping[str, Any]]] = {}
    for failure in failures:
        of.setdefault(str(failure.get("id", "?")), []).append(failure)
    if not of:
        return []
    lines = [f"{counted(len(of), 'document')} failed:"]
    for name in list(of)[:FAILURES_SHOWN]:
        stage, error = (one_line(of[name][0].get(key, "?")) for key in ("stage", "error"))
        often = f" [{len(of[name])} times]" if len(of[name]) > 1 else ""
        lines.append(f"  {one_line(name)} ({stage}): {error}{often}")
    if len(of) > FAILURES_SHOWN:
        lines.append(f"  ... and {len(of) - FAILURES_SHOWN} more")
    return lines


def _labels(cells: Sequence[Cell]) -> tuple[str, list[str]]:
    """What labels consist of and one label a cell: its alternatives, or its name where they clash."""
    labels = [one_line(", ".join(cell.axes.values())) or one_line(cell.name) for cell in cells]
    if len(set(labels)) < len(labels):
        return "cell", [one_line(cell.name) for cell in cells]
    axes = {tuple(cell.axes) for cell in cells}
    common = axes.pop() if len(axes) == 1 else ()
    return one_line(", ".join(common)) or "cell", labels


def _best(cells: Iterable[Cell], column: str) -> tuple[float | None, float | None]:
    """The highest value of a column and the next one; None where nothing competes."""
    values = [value for cell in cells if (value := cell.value(column)) is not None]
    first, second, *_ = [*sorted(set(values), reverse=True), None, None]
    return (first, second) if len(values) > 1 else (None, None)


def _entry(cell: Cell, column: str, best: float | None, second: float | None, level: float) -> Entry:
    value = cell.value(column)
    close = cell.p_values.get(column, 0.0) > level
    known = value is not None
    return Entry(value, cell.reference.get(column), known and value == best, close, known and value == second)


def _agreement(cells: Iterable[Cell], column: str) -> Agreement:
    pairs = [
        (value, cell.reference[column])
        for cell in cells
        if column in cell.reference and (value := cell.value(column)) is not None
    ]
    if not pairs:
        return Agreement(one_line(column), 0, None, None)
    difference = sum(abs(ours - theirs) for ours, theirs in pairs) / len(pairs)
    return Agreement(one_line(column), len(pairs), difference, rank_correlation(pairs))


def _signatures(rows: Sequence[Row], columns: Sequence[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Column, recipe and labels; recipes that differ in nothing but the hash of the spec are one."""
    for column in columns:
        made: dict[str, dict[str, list[str]]] = {}
        for row in rows:
            score = row.cell.score(column)
            if score is not None:
                whole = one_line(score.signature)
                alike = made.setdefault(_SPEC_HASH.sub("|spec:(one a cell)", whole), {})
                alike.setdefault(whole, []).append(row.label)
        for common, exact in made.items():
            signature = next(iter(exact)) if len(exact) == 1 else common
            yield one_line(column), signature, tuple(label for labels in exact.values() for label in labels)
