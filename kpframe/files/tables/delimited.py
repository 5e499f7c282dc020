"""CSV and TSV: text with a header, the separator seen from the first rows. Source: RFC 4180."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import IO

from kpframe.errors import DataError
from kpframe.files.archives import damage_reported
from kpframe.files.byte_marks import marked_stream
from kpframe.files.decoding import NOT_DECODED
from kpframe.files.tables.rows import LARGEST_CELL, Rows, Table

__all__ = ["Delimited", "malformed", "numbered_lines", "separator_of"]

_SEPARATORS = ",;\t|"
_SAMPLE = 200


class Delimited(Table):
    """CSV or TSV. Every value is a string; a row with another number of fields than the header is refused."""

    guarded = True

    def __init__(self, stream: IO[bytes], place: str, encoding: str, separator: str | None) -> None:
        self.place, self.types = place, {}
        self._stream = stream
        self._lines = numbered_lines(stream, place, encoding)
        self._count = 0
        csv.field_size_limit(max(csv.field_size_limit(), LARGEST_CELL))
        first = list(islice(self._lines, _SAMPLE)) if separator is None else []
        self.separator = separator or separator_of("".join(first))
        self._rows = csv.reader(self._counted(first), delimiter=self.separator, strict=True)
        try:
            header = next((row for row in self._rows if row), None)
        except csv.Error as error:
            raise DataError.at(place, f"the header is no row of CSV ({error})", "repair the header") from None
        if header is None:
            raise DataError.at(place, "is empty", "give a table with a header")
        self.columns = header

    def batches(self, names: Sequence[str]) -> Iterator[Rows]:
        """The rows; their numbers are the lines where they begin."""
        places = [(name, self.columns.index(name)) for name in names]
        rows = Rows.of(names)
        while True:
            begin = self._count + 1
            try:
                row = next(self._rows, None)
            except csv.Error as error:
                rows.refused.append((begin, malformed(error, begin, self._count)))
                continue
            if row is None:
                break
            if row and len(row) != len(self.columns):
                rows.refused.append((begin, f"has {len(row)} fields, the header {len(self.columns)}"))
            elif row:
                rows.numbers.append(begin)
                for name, i in places:
                    rows.columns[name].append(row[i])
            if rows.full:
                yield rows
                rows = Rows.of(names)
        yield rows

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _counted(self, first: list[str]) -> Iterator[str]:
        for line in first:
            self._count += 1
            yield line
        for line in self._lines:
            self._count += 1
            yield line


def malformed(error: Exception, begin: int, end: int) -> str:
    """What is wrong with a row that Python's `csv` refuses, and how many lines are lost by it."""
    lost = ""
    if end > begin:
        lost = f": a quote is not closed, or not doubled within a text, and takes lines {begin} to {end}"
    return f"is no row of CSV ({error}; read to line {end}){lost}"


def numbered_lines(stream: IO[bytes], place: str, encoding: str) -> Iterator[str]:
    """The lines with their ends, without a byte order mark. DataError for what cannot be decoded."""
    number = 0
    with damage_reported(place):
        stream, encoding = marked_stream(stream, encoding)
        lines = io.TextIOWrapper(stream, encoding=encoding, newline="")
        try:
            for number, line in enumerate(iter(lambda: lines.readline(LARGEST_CELL + 1), ""), start=1):
                if len(line) > LARGEST_CELL:
                    problem = f"has more than {LARGEST_CELL:,} characters"
                    raise DataError.at(f"{place}:{number}", problem, "split it")
                yield line.removeprefix("\ufeff") if number == 1 else line
        except UnicodeError:
            raise DataError.at(place, f"is not {encoding} near line {number + 1}", NOT_DECODED) from None


def separator_of(text: str) -> str:
    """The separator with which most rows have as many fields as the header, and more than one."""

    def fit(separator: str) -> tuple[float, int]:
        reader = csv.reader(text.splitlines(keepends=True), delimiter=separator)
        try:
            header, *rows = [row for row in islice(reader, _SAMPLE) if row] or [[]]
        except csv.Error:
            return 0.0, 0
        alike = sum(len(row) == len(header) for row in rows[: _SAMPLE - 2])
        return (alike / len(rows) if rows and len(header) > 1 else 0.0), len(header)

    return max(_SEPARATORS, key=fit)
