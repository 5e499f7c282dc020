"""Opens a table by what its first bytes say."""

from __future__ import annotations

import io
from typing import IO

from kpframe.errors import DataError
from kpframe.files.kinds import KINDS, Kind, bare_name, kind_of_stream
from kpframe.files.tables.delimited import Delimited
from kpframe.files.tables.json_rows import JsonRows
from kpframe.files.tables.parquet import ParquetTable
from kpframe.files.tables.rows import Table
from kpframe.files.tables.workbook import Workbook
from kpframe.files.unpacking import unpacked
from kpframe.files.urls import exists, is_file, opened

__all__ = ["TABLES", "open_table"]

TABLES = "csv, tsv, jsonl, json, parquet or xlsx"


def open_table(
    source: str | bytes,
    *,
    name: str = "",
    encoding: str = "utf-8",
    separator: str | None = None,
    text_is_csv: bool = False,
) -> Table:
    """The table in a file, or in its bytes (then with its `name`); packed by gz, zst, bz2 or xz or not.

    `separator` is what parts the fields of CSV; None: as the first rows show. With `text_is_csv` plain text
    of an unknown ending counts as CSV. DataError for what is no table, is damaged or cannot be read.
    """
    place = name or str(source)
    stream = io.BytesIO(source) if isinstance(source, bytes) else _opened(source)
    try:
        seen = kind_of_stream(stream, place, encoding)
        kind = KINDS["csv"] if text_is_csv and seen.kind.name == "text" else seen.kind
        if kind.group != "table":
            raise DataError.at(place, f"is {kind.what}, not a table", f"give {TABLES}")
        return _table(kind, unpacked(stream, seen.packing), place, encoding, separator)
    except BaseException:
        stream.close()
        raise


def _opened(path: str) -> IO[bytes]:
    try:
        if not is_file(path):
            raise DataError.at(path, "is no file" if exists(path) else "does not exist", "correct the path")
        return opened(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError.at(path, f"cannot be read ({reason})", "check the path and its permissions") from None


def _table(kind: Kind, stream: IO[bytes], place: str, encoding: str, separator: str | None) -> Table:
    if kind.name in ("csv", "tsv"):
        tab = "\t" if bare_name(place).lower().endswith((".tsv", ".tab")) else ""
        return Delimited(stream, place, encoding, separator or tab or None)
    if kind.name in ("jsonl", "json"):
        return JsonRows(stream, place, encoding, lines=kind.name == "jsonl")
    return ParquetTable(stream, place) if kind.name == "parquet" else Workbook(stream, place)
