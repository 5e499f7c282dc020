"""Excel workbooks, by openpyxl: the first sheet that has a header."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import IO, Any

from kpframe.errors import DataError, ResourceError
from kpframe.files.tables.rows import Rows, Table, damaged

__all__ = ["Workbook", "excel"]

_log = logging.getLogger("kpframe.files")


def excel(what: str) -> Any:
    """The package openpyxl; ResourceError, naming `what` needs it, if it is not installed."""
    try:
        import openpyxl
    except ImportError:
        remedy = "pip install 'kpframe[tables]'"
        raise ResourceError.at(what, "needs openpyxl, which is not installed", remedy) from None
    return openpyxl


def _has_cells(sheet: Any) -> bool:
    return any(value is not None for row in sheet.iter_rows(values_only=True) for value in row)


class Workbook(Table):
    """The first sheet with anything in it; its first row that is not blank is the header.

    Formulas give the values that were saved with them, never anything that is computed here; where none was
    saved, as programs do that write sheets without computing them, the row is refused.
    """

    def __init__(self, stream: IO[bytes], place: str) -> None:
        self.place, self.types = place, {}
        self._stream = stream
        self._as_written: Iterator[tuple[int, Any]] | None = None
        try:
            self._book = excel(place).load_workbook(stream, read_only=True, data_only=True)
            for sheet in self._book.worksheets:
                self._rows = enumerate(sheet.iter_rows(values_only=True), start=1)
                header = next((row for _, row in self._rows if any(v is not None for v in row)), None)
                if header is not None:
                    self._sheet = sheet.title
                    break
            else:
                raise DataError.at(place, "is empty", "give a table with a header")
        except (KeyError, OSError, ValueError, EOFError, TypeError, AttributeError, SyntaxError) as error:
            raise damaged(place, error) from None
        self.columns = ["" if value is None else str(value) for value in header]
        while self.columns and not self.columns[-1]:  # formatted, but empty
            self.columns.pop()

    def batches(self, names: Sequence[str]) -> Iterator[Rows]:
        """The rows that are not blank, numbered as in the sheet."""
        places = [(name, self.columns.index(name)) for name in names]
        rows = Rows.of(names)
        try:
            self._tell_others()
            for number, row in self._rows:
                cells = {name: row[i] if i < len(row) else None for name, i in places}
                missing = {i for name, i in places if cells[name] is None}
                formulas = self._formulas(number) if missing else set()
                if all(value is None for value in row) and not formulas:
                    continue
                if unknown := sorted(missing & formulas):
                    where = self.columns[unknown[0]]
                    rows.refused.append((number, f"{where}: a formula without a saved value"))
                    continue
                rows.numbers.append(number)
                for name, cell in cells.items():
                    rows.columns[name].append(cell)
                if rows.full:
                    yield rows
                    rows = Rows.of(names)
        except (KeyError, OSError, ValueError, EOFError, SyntaxError) as error:
            raise damaged(self.place, error) from None
        yield rows

    def _tell_others(self) -> None:
        rest = (sheet for sheet in self._book.worksheets if sheet.title != self._sheet)
        if others := [sheet.title for sheet in rest if _has_cells(sheet)]:
            _log.warning(
                "%s: sheet %r is read, not %s", self.place, self._sheet, ", ".join(map(repr, others))
            )

    def _formulas(self, number: int) -> set[int]:
        """The places in a row of formulas without a saved value; rows are asked for in their order."""
        if self._as_written is None:
            # Only a second reading tells an empty cell from a formula, and only the type of what was saved
            # whether that is nothing, or an empty text.
            book = excel(self.place).load_workbook(self._stream, read_only=True)
            pairs = zip(book[self._sheet].iter_rows(), self._book[self._sheet].iter_rows(), strict=True)
            self._as_written = enumerate(pairs, start=1)
        formulas, saved = next((pair for at, pair in self._as_written if at == number), ((), ()))
        cells = enumerate(zip(formulas, saved, strict=True))
        return {i for i, (cell, value) in cells if cell.data_type == "f" and value.data_type == "n"}

    def close(self) -> None:
        """Close the file."""
        self._book.close()
        self._stream.close()
