"""The scores as a CSV file."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from kpframe.files.escaping import in_csv
from kpframe.model.summary import Cell, Summary
from kpframe.reports._files import write_file
from kpframe.stages import Report

__all__ = ["Csv"]


class Csv(Report):
    """Writes `summary.csv`: a row for each cell, unrounded.

    Columns: `cell`, an `axis:` column for each axis, `documents`, `keyphrases`, and for each score
    its value, `reference:` (the published value, if there is any) and `signature:` (its recipe).
    Quoted as in RFC 4180 but with plain line feeds; an unknown value is an empty field.

    Names come from specs, which people pass on, and spreadsheets run fields that begin with `=`,
    `+`, `-` or `@`. Such names get an apostrophe in front unless `guard_formulas` is false; numbers
    never do, and `summary.json` has all names as they are.
    """

    source: ClassVar[str] = "Shafranovich (2005), RFC 4180"
    files: ClassVar[tuple[str, ...]] = ("summary.csv",)

    guard_formulas: bool = Field(
        True, description="Put an apostrophe before names that a spreadsheet would run as a formula."
    )

    def write(self, summary: Summary, folder: Path | None) -> str:
        """Write the file and return its path; without a folder return its content."""
        axes = list(dict.fromkeys(axis for cell in summary.cells for axis in cell.axes))
        compared = [c for c in summary.columns if any(c in cell.reference for cell in summary.cells)]
        buffer = io.StringIO()
        rows = csv.writer(buffer, lineterminator="\n")
        header = ["cell", *(f"axis:{axis}" for axis in axes), "documents", "keyphrases", *summary.columns]
        header += [f"reference:{column}" for column in compared]
        header += [f"signature:{column}" for column in summary.columns]
        rows.writerow(map(self._name, header))
        for cell in summary.cells:
            rows.writerow(self._row(cell, axes, summary.columns, compared))
        if folder is None:
            return buffer.getvalue()
        return f"wrote {write_file(folder, 'summary.csv', buffer.getvalue())}"

    def _row(
        self, cell: Cell, axes: list[str], columns: tuple[str, ...], compared: list[str]
    ) -> list[str | int | float | None]:
        scores = [cell.score(column) for column in columns]
        return [
            self._name(cell.name),
            *(self._name(cell.axes.get(axis, "")) for axis in axes),
            cell.documents,
            cell.keyphrases,
            *(score.value if score else None for score in scores),
            *(cell.reference.get(column) for column in compared),
            *(self._name(score.signature) if score else None for score in scores),
        ]

    def _name(self, text: str) -> str:
        return in_csv(text) if self.guard_formulas else text
