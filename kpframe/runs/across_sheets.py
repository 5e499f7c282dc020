"""What is said of many data sets, as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence

from kpframe.display.sheets import IN_BRACKETS, Entry, Head, Legend, Sheet, SheetRow, marked
from kpframe.files.escaping import in_csv, one_line
from kpframe.runs.across_printed import PrintedAcross
from kpframe.runs.across_values import LEVEL, Across, ClaimAcross, Standing
from kpframe.statistics.significance import DRAWS

__all__ = ["claim_lines", "long_csv", "shown_sheets", "standing_sheet", "system_sheet", "whole_sheet"]

_WHOLE = 3
"""With more columns than these, data sets × columns are no table that anybody reads."""

_SIGNS = {True: "✓", False: "✗", None: "?"}

_MARKED = (
    f"Fisher's randomisation test, {DRAWS:,} draws, Holm's correction over the systems of that data set, "
    f"level {LEVEL:g}"
)
"""The test that marks in cells are of: that of the data set alone."""


def shown_sheets(across: Across) -> list[Sheet]:
    """What a reader should see first: all scores where there are few columns, then each column's standing."""
    whole = [whole_sheet(across)] if len(across.columns) <= _WHOLE else []
    several = len(across.datasets) > 1
    return whole + [standing_sheet(across, column) for column in across.compared if several]


def whole_sheet(across: Across) -> Sheet:
    """Systems × data sets, all columns of each side by side under its name."""
    short = _short(across)
    heads = [
        Head(short[column], dataset, ranked=column in across.compared)
        for dataset in across.datasets
        for column in across.columns
    ]
    rows = [
        SheetRow(
            system,
            tuple(_entry(across, c, system, dataset) for dataset in across.datasets for c in across.columns),
        )
        for system in across.systems
    ]
    printed = _printed_rows(
        across,
        lambda row: [row.value(c, dataset) for dataset in across.datasets for c in across.columns],
    )
    notes = [_counted(across), *_unmarked(across, across.columns)]
    if across.reference_source:
        notes.append(f"{IN_BRACKETS} ({across.reference_source}).")
    common = sorted({column.partition("/")[0] for column in across.columns})
    title = across.name if len(common) > 1 else f"{across.name}: {common[0]}"
    return Sheet(
        title,
        "system",
        tuple(heads),
        (*marked(heads, rows), *printed),
        (*notes, *across.notes),
        _legend(across),
    )


def standing_sheet(across: Across, column: str) -> Sheet:
    """Systems × data sets for one column, with mean, mean rank, and won/tied/lost against the leader."""
    heads = [Head(dataset) for dataset in across.datasets]
    heads += [Head("mean"), Head("rank", higher=False), Head("w/t/l", ranked=False)]
    rows = [
        SheetRow(
            one.system,
            (
                *(
                    _entry(across, column, one.system, dataset, published=False)
                    for dataset in across.datasets
                ),
                Entry(one.mean),
                Entry(one.mean_rank, says="-" if one.mean_rank is None else f"{one.mean_rank:.1f}"),
                Entry(says=_outcomes(across, column, one)),
            ),
        )
        for one in across.standings(column)
    ]
    printed = _printed_rows(
        across, lambda row: [*(row.value(column, dataset) for dataset in across.datasets), None, None, None]
    )
    notes = (*_hidden(across, column), *across.notes)
    title = f"{across.name}: {column}"
    return Sheet(title, "system", tuple(heads), (*marked(heads, rows), *printed), notes, _legend(across))


def system_sheet(across: Across, system: str) -> Sheet:
    """Data sets × columns for one system."""
    parts = [column.partition("/") for column in across.columns]
    heads = [Head(matching, metric, ranked=False) for metric, _, matching in parts]
    rows = [
        SheetRow(dataset, tuple(_entry(across, column, system, dataset) for column in across.columns))
        for dataset in across.datasets
    ]
    notes = (_counted(across), *across.notes)
    return Sheet(f"{across.name}: {system}", "data set", tuple(heads), tuple(rows), notes, _legend(across))


def _printed_rows(
    across: Across, values: Callable[[PrintedAcross], Sequence[float | None]]
) -> Iterator[SheetRow]:
    """Rows of publications that have one of the values at all; no mean or rank is made of them."""
    marks = _marks(across)
    for row in across.printed:
        found = values(row)
        if any(value is not None for value in found):
            said = ", ".join(marks[source] for source in row.sources)
            label = f"{one_line(row.system)} (printed{said and ' '}{said})"
            yield SheetRow(label, tuple([Entry(value, printed=value is not None) for value in found]))


def _marks(across: Across) -> dict[str, str]:
    """The numbers of sources; a single one needs none."""
    sources = list(dict.fromkeys(source for row in across.printed for source in row.sources))
    return {source: str(n) if len(sources) > 1 else "" for n, source in enumerate(sources, start=1)}


def _legend(across: Across) -> tuple[Legend, ...]:
    """Which test marks are of, and where printed rows come from."""
    close = f"not significantly different from the best of its data set ({_MARKED})."
    rest = "not computed here, in no test, in no rank, and never the best."
    printed = (
        f"{f'printed {mark}'.strip()} in {one_line(source)}: {rest}"
        for source, mark in _marks(across).items()
    )
    return (Legend("close", close), *(Legend("printed", says) for says in printed))


def _unmarked(across: Across, columns: Sequence[str]) -> Iterator[str]:
    """What it means that there is no mark at all, where there could be one."""
    points = [
        [across.point(column, system, dataset) for system in across.systems]
        for column in columns
        if column in across.compared
        for dataset in across.datasets
    ]
    tested = any(sum(point.value is not None for point in of) > 1 for of in points)
    if tested and not any(point.close for of in points for point in of):
        yield f"All others differ significantly from the best of their data set ({_MARKED})."


def _entry(across: Across, column: str, system: str, dataset: str, *, published: bool = True) -> Entry:
    point = across.point(column, system, dataset)
    return Entry(point.value, point.reference if published else None, point.best, point.close)


def _outcomes(across: Across, column: str, one: Standing) -> str:
    if one.system == across.leaders.get(column):
        return "leader"
    return f"{one.won}/{one.tied}/{one.lost}" if one.won + one.tied + one.lost else "-"


def _short(across: Across) -> dict[str, str]:
    """The matching alone where all columns have one metric, or the metric where they have one matching."""
    metrics, matchings = ({column.partition("/")[part] for column in across.columns} for part in (0, 2))
    part = 2 if len(metrics) == 1 else 0 if len(matchings) == 1 else None
    return {c: c if part is None else c.partition("/")[part] for c in across.columns}


def _counted(across: Across) -> str:
    sizes = ", ".join(f"{dataset} {number}" for dataset, number in across.datasets.items())
    return f"Documents: {sizes}."


def _hidden(across: Across, column: str) -> Iterator[str]:
    """What the numbers over all data sets are, and what they hide."""
    yield _counted(across)
    yield from _unmarked(across, [column])
    yield (
        "mean: of the data sets, each counting alike, whatever its size; their scores share no scale, so "
        "that those on which scores spread most decide it."
    )
    yield "rank: the mean of the ranks on the data sets; it hides by how much systems differ, and if they do."
    standings = across.standings(column)
    unlike = [one for one in standings if one.ranks and max(one.ranks) - min(one.ranks) >= 1]
    if unlike:
        widest = max(unlike, key=lambda one: max(one.ranks) - min(one.ranks))
        low, high = min(widest.ranks), max(widest.ranks)
        yield (
            f"{column}: {len(unlike)} of {len(standings)} systems have not the same rank everywhere; "
            f"{widest.system} has {low:g} to {high:g}."
        )
    if column in across.leaders:
        contests = len(across.contests[column])
        yield (
            "w/t/l: data sets on which a system is significantly better than the leader (by mean rank), not "
            "significantly different, and worse: Fisher's randomisation test within each data set, "
            f"{DRAWS:,} draws, Holm's correction over all {contests} contests of the column, "
            f"level {LEVEL:g}. "
            "The leader was chosen by the same scores, which flatters it. It is another question than that "
            "of the marks, with a stricter correction: a value without a mark may belong to a tie."
        )


def claim_lines(across: Across) -> list[str]:
    """Each claim, on how many data sets it holds, and on which not."""
    return [_claim(claim) for claim in across.claims]


def _claim(claim: ClaimAcross) -> str:
    held = sum(holds is True for holds in claim.holds.values())
    each = ", ".join(f"{dataset} {_SIGNS[holds]}" for dataset, holds in claim.holds.items())
    return f"{held} of {len(claim.holds)}  {claim.says}  ({each})"


def long_csv(across: Across) -> str:
    """A line for each data set, system and column: value and published value, unrounded, and documents.

    Those of publications say in `printed` where they stand.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["dataset", "system", "column", "value", "reference", "documents", "printed"])
    for dataset in across.datasets:
        for system in across.systems:
            for column in across.columns:
                point = across.point(column, system, dataset)
                values = ["" if v is None else repr(v) for v in (point.value, point.reference)]
                writer.writerow([*map(in_csv, (dataset, system, column)), *values, point.documents, ""])
        for row in across.printed:
            for column, value in row.values.get(dataset, {}).items():
                names = map(in_csv, (dataset, row.system, column))
                writer.writerow([*names, repr(value), "", "", in_csv("; ".join(row.sources))])
    return file.getvalue()
