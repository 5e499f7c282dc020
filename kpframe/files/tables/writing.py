"""Writes tables in the format that a file's name says; the file appears when it is whole."""

from __future__ import annotations

import csv
import io
import re
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from kpframe.errors import DataError, SpecError, nearest
from kpframe.files.escaping import in_csv
from kpframe.files.kinds import bare_name
from kpframe.files.tables.parquet import arrow
from kpframe.files.tables.plain_json import as_text, naming_columns, plain_json
from kpframe.files.tables.sheet_values import fits_sheet
from kpframe.files.tables.workbook import excel
from kpframe.files.unpacking import packed
from kpframe.files.urls import published

__all__ = ["FORMATS", "CsvWriter", "TableWriter", "format_of_name", "writing_table"]

FORMATS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json",
           ".parquet": "parquet", ".xlsx": "xlsx"}  # fmt: skip
"""The formats that are written, by the endings of names."""
_PACKED = {".gz": "gz", ".zst": "zst"}
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONE = re.compile("[\ud800-\udfff]")
_MOST_ROWS, _MOST_CHARACTERS = 1_048_576, 32_767
"""What a sheet of Excel can hold: rows, and characters of a cell."""


def format_of_name(name: str) -> tuple[str, str]:
    """The format that a name's ending says, and its packing. SpecError for an unknown ending."""
    packing = _PACKED.get(Path(name).suffix.lower(), "")
    suffix = Path(bare_name(name) if packing else name).suffix.lower()
    if suffix not in FORMATS or (packing and FORMATS[suffix] in ("parquet", "xlsx")):
        shown = Path(name).suffix or "a name without an ending"
        remedy = f"end it with {', '.join(FORMATS)}; text may be packed, as .csv.gz or .jsonl.zst"
        if near := nearest(suffix, FORMATS.keys() - {suffix}):
            remedy = f"did you mean {near}?"
        raise SpecError.at(name, f"{shown} is no format that can be written", remedy)
    return FORMATS[suffix], packing


class TableWriter(ABC):
    """Takes batches of rows, a list for each column."""

    columns: list[str]

    def write(self, rows: Mapping[str, Sequence[Any]]) -> None:
        """Write some rows. DataError, with the column, for a value that the format has no form for."""
        with naming_columns(rows):
            self._write(rows)

    @abstractmethod
    def _write(self, rows: Mapping[str, Sequence[Any]]) -> None: ...

    @abstractmethod
    def finish(self) -> None:
        """Write what comes last."""


@contextmanager
def writing_table(
    path: str, columns: Sequence[str], types: Mapping[str, Any] | None = None, form: str = ""
) -> Iterator[TableWriter]:
    """A writer for the table at `path`, in a format, or in that of its ending; it appears when it is whole.

    `types` says what columns hold, for Parquet: `string` (where nothing is said), `int`, `float`, `list
    string` and `list float`, or Arrow types. SpecError for an unknown ending, ResourceError for a
    missing library.
    """
    form, packing = (form, _PACKED.get(Path(path).suffix.lower(), "")) if form else format_of_name(path)
    if form == "parquet" or packing == "zst":
        arrow(path)
    if form == "xlsx":
        excel(path)
    with published(path) as file:
        stream = packed(file, packing)
        writer = _writer(form, stream, columns, types or {})
        try:
            yield writer
            writer.finish()
        except BaseException:
            with suppress(Exception):  # what some libraries would write later, to a file that is closed
                writer.finish()
            with suppress(Exception):
                stream.close()
            raise
        if stream is not file:
            stream.close()


def _writer(form: str, stream: IO[bytes], columns: Sequence[str], types: Mapping[str, Any]) -> TableWriter:
    if form in ("csv", "tsv"):
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="", errors="backslashreplace")
        return CsvWriter(text, columns, tabs=form == "tsv")
    if form in ("jsonl", "json"):
        return _Json(stream, columns, lines=form == "jsonl")
    return _Parquet(stream, columns, types) if form == "parquet" else _Sheet(stream, columns)


class CsvWriter(TableWriter):
    """Writes CSV or TSV to a stream of text, which stays open.

    What a spreadsheet would run as a formula gets an apostrophe in front, as spreadsheets write it.
    """

    def __init__(self, text: IO[str], columns: Sequence[str], *, tabs: bool = False) -> None:
        self.columns = list(columns)
        self._text = text
        self._csv = csv.writer(_Lines(text), delimiter="\t" if tabs else ",")
        self._csv.writerow(map(in_csv, self.columns))

    def _write(self, rows: Mapping[str, Sequence[Any]]) -> None:
        self._csv.writerows(zip(*(map(_csv_cell, rows[name]) for name in self.columns), strict=True))

    def finish(self) -> None:
        """Hand on what is buffered."""
        self._text.flush()
        if isinstance(self._text, io.TextIOWrapper):
            self._text.detach()


class _Lines:
    """Ends rows by a line feed; told so itself, Python's writer would not quote a lone carriage return."""

    def __init__(self, text: IO[str]) -> None:
        self._text = text

    def write(self, row: str) -> int:
        return self._text.write(f"{row[:-2]}\n")


class _Json(TableWriter):
    def __init__(self, file: IO[bytes], columns: Sequence[str], *, lines: bool) -> None:
        self.columns, self._file = list(columns), file
        self._lines, self._count = lines, 0

    def _write(self, rows: Mapping[str, Sequence[Any]]) -> None:
        for values in zip(*(rows[name] for name in self.columns), strict=True):
            row = plain_json(dict(zip(self.columns, values, strict=True)))
            line = f"{row}\n" if self._lines else f"{',' if self._count else '['}\n{row}"
            self._file.write(line.encode("utf-8", "backslashreplace"))
            self._count += 1

    def finish(self) -> None:
        if not self._lines:
            self._file.write(b"\n]\n" if self._count else b"[]\n")


class _Parquet(TableWriter):
    def __init__(self, file: IO[bytes], columns: Sequence[str], types: Mapping[str, Any]) -> None:
        self.columns = list(columns)
        self._arrow = arrow("parquet")
        import pyarrow.parquet

        given = {name: self._type(types.get(name, "string")) for name in columns}
        self._schema = self._arrow.schema(list(given.items()))
        self._writer = pyarrow.parquet.ParquetWriter(file, self._schema, compression="zstd")

    def _type(self, kind: Any) -> Any:
        pa = self._arrow
        if not isinstance(kind, str):
            return kind
        known = {"string": pa.string(), "int": pa.int64(), "float": pa.float64()}
        return pa.list_(known[kind[5:]]) if kind.startswith("list ") else known[kind]

    def _write(self, rows: Mapping[str, Sequence[Any]]) -> None:
        arrays = [self._array(field.name, rows[field.name], field.type) for field in self._schema]
        self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))

    def _array(self, name: str, values: Sequence[Any], kind: Any) -> Any:
        pa = self._arrow
        if kind == pa.string():
            values = [v if v is None else _whole(_cell(v)) for v in values]
        try:
            return pa.array(values, type=kind)
        except (pa.ArrowException, TypeError, ValueError) as error:
            problem = f"a value does not fit the type {kind} ({error})"
            raise DataError.at(f"column {name!r}", problem, "write .jsonl") from None

    def finish(self) -> None:
        self._writer.close()


class _Sheet(TableWriter):
    def __init__(self, file: IO[bytes], columns: Sequence[str]) -> None:
        self.columns, self._file = list(columns), file
        self._book = excel("xlsx").Workbook(write_only=True)
        self._sheet = self._book.create_sheet("kpframe")
        self._count = 0
        self._row(self.columns)

    def _write(self, rows: Mapping[str, Sequence[Any]]) -> None:
        for values in zip(*(rows[name] for name in self.columns), strict=True):
            self._row(values)

    def _row(self, values: Sequence[Any]) -> None:
        from openpyxl.cell import WriteOnlyCell

        self._count += 1
        if self._count > _MOST_ROWS:
            raise DataError.at("--out", f"a sheet has at most {_MOST_ROWS:,} rows", "write .parquet or .csv")
        cells = []
        for name, value in zip(self.columns, values, strict=True):
            plain = value if fits_sheet(value) else _CONTROL.sub(_escaped, _whole(_cell(value)))
            if isinstance(plain, str) and len(plain) > _MOST_CHARACTERS:
                problem = f"row {self._count} has a cell of {len(plain):,} characters in column {name!r}"
                remedy = f"write .parquet or .csv: a cell of Excel has at most {_MOST_CHARACTERS:,}"
                raise DataError.at("--out", problem, remedy)
            cell = WriteOnlyCell(self._sheet, value=plain)
            if isinstance(plain, str):
                cell.data_type = "s"  # as text, also what begins as a formula does
            cells.append(cell)
        self._sheet.append(cells)

    def finish(self) -> None:
        # A zip that breaks off where there is no room would complain again when it is forgotten.
        with tempfile.TemporaryFile() as whole:
            self._book.save(whole)
            whole.seek(0)
            shutil.copyfileobj(whole, self._file, 2**20)


def _csv_cell(value: Any) -> str:
    """A value as text that no spreadsheet runs as a formula; numbers stay numbers."""
    return _cell(value) if isinstance(value, bool | int | float) else in_csv(_cell(value))


def _cell(value: Any) -> str:
    """A value as text: none is empty, lists and objects are JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list | dict | tuple):
        return plain_json(value)
    return repr(value) if isinstance(value, float) else as_text(value)


def _escaped(found: re.Match[str]) -> str:
    """A control character that XML cannot hold, as workbooks write it."""
    return f"_x{ord(found.group()):04X}_"


def _whole(text: str) -> str:
    """Text that is valid Unicode: half of a surrogate pair becomes its escape."""
    return _LONE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
