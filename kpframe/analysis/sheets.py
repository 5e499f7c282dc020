"""CSV files for spreadsheets and back: what judges fill in, and scores that stand beside it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kpframe.errors import DataError, suggestion
from kpframe.files.atomic import atomic_write
from kpframe.files.byte_marks import by_mark
from kpframe.files.tables.delimited import malformed
from kpframe.model.folding import squeeze

__all__ = ["Table", "read_table", "write_table"]

# A spreadsheet runs a field that begins so; one that parts fields elsewhere sees more beginnings.
_FORMULA = re.compile(r"""((?:\A|[;,\t\r\n"])'*)(?=[=+\-@\t\r\n＝＋－＠])""")
_GUARDED = re.compile(r"""((?:\A|[;,\t\r\n"])'*)'(?=[=+\-@\t\r\n＝＋－＠])""")


@dataclass(frozen=True)
class Table:
    """A CSV file with a header: rows by column, each with the line where it begins."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int, Mapping[str, str]], ...]


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a CSV file that spreadsheets open right: UTF-8 with a byte order mark, CRLF.

    An apostrophe goes before what they would run as a formula (`=`, `+`, `-`, `@`, also full-width, or a
    control character, at the beginning of a field or right after `,`, `;`, a quote or a line end);
    `read_table` takes it off again. Raises DataError if the file exists: it may hold judgements.
    """
    if path.exists():
        raise DataError.at(str(path), "exists already", "choose another --out, or remove it")
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_FORMULA.sub(r"\1'", field) for field in row] for row in rows)
    with atomic_write(path) as file:
        file.write(buffer.getvalue().encode("utf-8-sig", "backslashreplace"))


def read_table(path: str | Path, needed: Sequence[str] = ()) -> Table:
    """Read a CSV file as spreadsheets save it: parted by comma, semicolon or tab, in UTF-8 or UTF-16.

    The header decides what parts the fields: of the three, the one under which it has the columns in
    `needed`, or else the only one that parts it. Rows with nothing in them are skipped; fields that are
    missing at the end of a row are empty, since Excel leaves them out. Raises DataError, with file and
    line, for all else.
    """
    text = _decoded(Path(path))
    first = next(iter(io.StringIO(text, newline="")), "")
    if not first.strip():
        raise DataError.at(f"{path}:1", "has no header", "begin with the names of the columns")
    delimiter = _delimiter(f"{path}:1", text, needed)
    lines = _parsed(str(path), text, delimiter)
    _, names = next(lines)
    columns = tuple(map(squeeze, names))
    for name in (*needed, *columns):
        if columns.count(name) != 1:
            problem = f"{'no' if name not in columns else 'more than one'} column {name!r}"
            wanted = name if name not in columns else ""
            remedy = suggestion(wanted, columns, "the columns are", listed=map(repr, columns))
            raise DataError.at(f"{path}:1", problem, remedy)
    rows = []
    for line, fields in lines:
        if any(field.strip() for field in fields[len(columns) :]):
            problem = f"has {len(fields)} fields, the header {len(columns)}"
            raise DataError.at(f"{path}:{line}", problem, "put fields that hold the delimiter in quotes")
        padded = [*fields, *[""] * (len(columns) - len(fields))]
        if any(field.strip() for field in padded):
            row = {name: _GUARDED.sub(r"\1", field) for name, field in zip(columns, padded, strict=False)}
            rows.append((line, row))
    return Table(str(path), columns, tuple(rows))


def _decoded(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError.at(str(path), f"cannot be read ({error.strerror})", "check the path") from None
    encoding = by_mark(content[:4], "utf-8-sig")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        problem = f"byte {error.start:,} is not {encoding.removesuffix('-sig')}"
        raise DataError.at(f"{path}:{line}", problem, "save the sheet as `CSV UTF-8`") from None


def _delimiter(place: str, text: str, needed: Sequence[str]) -> str:
    headers: dict[str, list[str]] = {}
    for delimiter in (",", ";", "\t"):
        with suppress(DataError):  # quotes that make sense with another delimiter
            _, header = next(_parsed("", text, delimiter))
            headers[delimiter] = list(map(squeeze, header))
    fitting = [d for d, header in headers.items() if set(needed) <= set(header)]
    parting = [d for d in (fitting or headers) if len(headers[d]) > 1]
    if len(parting) > 1:
        shown = " and ".join({"\t": "a tab"}.get(delimiter, delimiter) for delimiter in parting)
        raise DataError.at(place, f"the header can be parted by {shown}", "put names that hold one in quotes")
    return parting[0] if parting else ","


def _parsed(path: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table, with the line where each begins."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        begin = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            problem = malformed(error, begin, reader.line_num)
            raise DataError.at(f"{path}:{begin}", problem, "check the quotes") from None
        if row is None:
            return
        if row:
            yield begin, row
