"""What of a comparison is left out, and the files that hold all of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from kpframe.analysis.comparable import TOLERATED
from kpframe.commands import counted
from kpframe.files.escaping import one_line

if TYPE_CHECKING:
    from kpframe.analysis.recommendation import Measured, Row
    from kpframe.runs.records import FailedDocument

__all__ = ["left_out", "write_compared"]

_NAMED = 5
"""As many are named of those that failed; `compared.csv` and the folders of runs have the others."""


def left_out(found: Measured) -> Iterator[str]:
    """What failed where, by name, and what has no gold that counts; nothing where all went well."""
    left = found.compared
    if left.failed:
        number = len(left.failed)
        yield f"Failed, and left out for all pipelines: {counted(number, 'document')}."
        for id, failures in list(left.failed.items())[:_NAMED]:
            yield f"  {one_line(id)} in {_where(failures)}: {_how(next(iter(failures.values())))}"
        if number > _NAMED:
            yield f"  and {counted(number - _NAMED, 'document')} more"
    for pipeline, own in left.out.items():
        yield (
            f"Left out, since more than {TOLERATED:.0%} failed: {pipeline}, in {len(own)} of "
            f"{counted(left.of, 'document')}, as {one_line(own[0].id)}: {_how(own[0])}"
        )
    if found.without_present:
        have = "document has" if found.without_present == 1 else "documents have"
        yield f"{found.without_present:,} {have} no gold keyphrase that stands in the text: not counted."


def _where(failures: Mapping[str, FailedDocument]) -> str:
    names = sorted(failures)
    return ", ".join(names) if len(names) <= _NAMED else counted(len(names), "pipeline")


def _how(failure: FailedDocument) -> str:
    return one_line(failure.error)


def write_compared(found: Measured, lines: Iterable[str]) -> Iterator[str]:
    """Write all rows into `compared.csv` and what was told, as `lines`, into `compared.txt`.

    Yields what lies where. The pages of runs cannot have all rows: what learns from gold runs in turns, each
    over another share of the documents.
    """
    from kpframe.files.atomic import write_text

    table, told = found.folder / "compared.csv", found.folder / "compared.txt"
    write_text(table, _csv(found))
    write_text(told, "\n".join(lines) + "\n")
    yield f"all that was compared: {told}, every figure: {table}"
    page = found.folder / "report.html"
    which = "those that learn from no gold" if found.learned else "the pipelines"
    yield f"the page of {which}, over the documents that failed in none of these: {page}"
    if found.learned:
        yield f"the runs of those that learn from gold, without pages: {found.folder / 'fold-*'}"


def _csv(found: Measured) -> str:
    columns = list(found.best.scores)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["pipeline", "documents", *columns, "seconds", "needs", "best", "not_different"])
    for row in found.rows:
        writer.writerow([row.pipeline, found.documents, *_figures(row, columns)])
    return buffer.getvalue()


def _figures(row: Row, columns: Iterable[str]) -> list[str]:
    scores = ["" if (value := row.scores[column]) is None else repr(value) for column in columns]
    seconds = "" if row.seconds is None else repr(row.seconds)
    lists = (row.needs, sorted(row.best), sorted(row.tied))
    return [*scores, seconds, *("; ".join(found) for found in lists)]
