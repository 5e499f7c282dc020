"""Which columns of a table hold text and gold."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from kpframe.commands._survey_layout import MOST, Layout, with_encoding
from kpframe.errors import DataError
from kpframe.files.kinds import bare_name, kind_of_bytes
from kpframe.files.layout import TEXT_COLUMNS
from kpframe.files.tables.delimited import separator_of
from kpframe.files.tables.opening import open_table

__all__ = ["table_layout"]

_GOLD_COLUMNS = ("gold", "tags", "terms", "subjects", "topics", "descriptors")
_SEPARATORS = ";,|"
_ROWS = 200


def table_layout(file: Path, content: bytes) -> Layout:
    """A table, with the columns that hold text and gold; `content` is how it begins, unpacked."""
    packed = bare_name(file.name) != file.name
    delimited = kind_of_bytes(content, bare_name(file.name)).kind.name in ("csv", "tsv")
    base = Layout("csv", file, f"the table {file.name}")
    delimiter = ","
    if delimited and (not packed or file.name.lower().endswith(".gz")):
        base = with_encoding(base, {str(file): content})
        encoding = str(base.parameters.get("encoding", "utf-8"))
        text = content.decode(encoding, "replace").removeprefix("\ufeff")
        delimiter = "\t" if ".tsv" in file.name.lower() else separator_of(text)
        header, *rows = _rows(text, delimiter) or [[]]
        rows = [row for row in rows if len(row) == len(header)]
        columns = {name: [row[i] for row in rows] for i, name in enumerate(header)} if rows else {}
    else:
        base = replace(base, kind="table")
        columns = _first_rows(file if file.exists() else content, file.name)
    if not columns or not any(columns.values()):
        raise DataError.at(str(file), "has no rows below a header", "give a table with a header")
    return _with_columns(base, columns, delimiter)


def _first_rows(source: Path | bytes, name: str) -> dict[str, list[str]]:
    """The first rows of a table of any format; a list of phrases is joined, other values are no text."""
    with open_table(
        str(source) if isinstance(source, Path) else source,
        name=name if isinstance(source, bytes) else str(source),
    ) as table:
        rows = next(iter(table.batches(table.columns)))
    return {name: [_shown(value) for value in values] for name, values in rows.columns.items()}


def _shown(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return value if isinstance(value, str) else ""


def _with_columns(base: Layout, columns: Mapping[str, Sequence[str]], delimiter: str) -> Layout:
    wanted = _text_column(columns)
    gold = next((name for name in columns if name != wanted and _is_gold(name)), None)
    title = next((name for name in columns if name != wanted and name.casefold().strip() == "title"), None)
    parameters: dict[str, Any] = {"text": wanted, **({"title": title} if title else {}), "gold": gold}
    if base.kind == "table":
        parameters = {"text": [title, wanted] if title else wanted, "gold": gold}
    if gold is not None:
        counts = {mark: sum(mark in cell for cell in columns[gold]) for mark in _SEPARATORS}
        parameters["gold_separator"] = max(counts, key=counts.__getitem__) if any(counts.values()) else ";"
    if delimiter != ",":
        parameters["delimiter"] = delimiter
    left = [repr(name) for name in columns if name not in (wanted, title, gold, "id")]
    notes = (f"columns that are not used: {', '.join(left[:8])}",) if left else ()
    return replace(base, parameters={**parameters, **base.parameters}, notes=notes)


def _rows(text: str, delimiter: str) -> list[list[str]]:
    csv.field_size_limit(max(csv.field_size_limit(), MOST))
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    return [row for row in islice(reader, _ROWS) if row]


def _text_column(columns: Mapping[str, Sequence[str]]) -> str:
    """A column that is called as texts are called, or else the one with the longest cells."""
    by_name = {name.casefold().strip(): name for name in columns}
    named = next((by_name[name] for name in TEXT_COLUMNS if name in by_name), None)
    return named or max(columns, key=lambda name: sum(map(len, columns[name])))


def _is_gold(name: str) -> bool:
    plain = name.casefold().strip()
    return plain in _GOLD_COLUMNS or "keyword" in plain or "keyphrase" in plain
