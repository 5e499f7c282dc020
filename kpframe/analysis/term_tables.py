"""Keyphrases out of tables: which rows cannot be counted, and which ids there are more than once."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, takewhile
from typing import Any

from kpframe.display.keyphrase_rows import LONG_COLUMNS
from kpframe.errors import DataError, counted
from kpframe.files.escaping import out_of_csv
from kpframe.files.tables.ids import id_of_cell
from kpframe.files.tables.rows import Rows, Table
from kpframe.model import Skipped
from kpframe.model.folding import fold

__all__ = ["Account", "keyphrases_of_table"]

log = logging.getLogger("kpframe")

_FIRST = ("1", "1.0")
"""The rank that each document of a long table has once."""

_NAMED = 3
"""Ids that are named; the others are counted."""


class Account:
    """Collects what is wrong with the rows of one table or of several.

    `place` is what was asked for. `apart`: each table has documents of its own, whatever their ids are.
    """

    def __init__(self, place: str, *, apart: bool = False) -> None:
        self._place, self._apart = place, apart
        self._first: Skipped | None = None
        self._skipped = 0
        self._table = -1
        self._tables: dict[str, int] = {}
        self._begun: set[str] = set()
        self._across: set[str] = set()
        self._within: set[str] = set()

    def open_table(self) -> int:
        """Another table begins; its number."""
        self._table += 1
        self._begun.clear()
        if self._apart:
            self._tables.clear()  # so that equal ids of others are not seen
        return self._table

    def skip(self, skipped: Skipped) -> None:
        """A row that is not counted: the first is kept."""
        self._first = self._first or skipped
        self._skipped += 1

    def see(self, document: str) -> None:
        """A row of a document."""
        if self._tables.setdefault(document, self._table) != self._table:
            self._across.add(document)

    def begin(self, document: str) -> None:
        """The row that a document has once: that of a wide table, or its first keyphrase."""
        if document in self._begun:
            self._within.add(document)
        self._begun.add(document)

    def tell(self, lacks: Callable[[str], None]) -> None:
        """Hand on a line about each thing that was found."""
        if self._first is not None:
            more = f" (and {counted(self._skipped - 1, 'row')} more)" if self._skipped > 1 else ""
            lacks(f"skipped: {self._first.place}: {self._first.reason}{more}")
        for ids, where in ((self._across, "in several tables"), (self._within, "more than once in a table")):
            if ids:
                first = ", ".join(map(repr, sorted(ids)[:_NAMED]))
                there = f"{counted(len(ids), 'id')} {where}"
                lacks(f"{self._place}: {there}, each taken for one document: {first}")


def keyphrases_of_table(
    table: Table, by: str, *, id: str = "id", told: bool = True, account: Account | None = None
) -> Iterator[tuple[Any, str, str, str]]:
    """(group, id, key, text) of a table that `kpframe extract` wrote, long or wide, in any format.

    `id` is the column with the ids of documents. What a table cannot know of is `told`. `account` collects
    rows that are none, and ids that come again; without one they are told at the end.
    """
    columns = table.columns
    wide = _of_wide(columns)
    long = not wide and "text" in columns and "rank" in columns
    if not long and not wide:
        problem = "has no keyphrases: neither columns text and rank nor keyphrases"
        raise DataError.at(table.place, problem, "write it by: kpframe extract --input … --keep … --out FILE")
    table.need([id, by])
    own = ["text", "rank", *(["key"] if "key" in columns else [])] if long else wide
    names = list(dict.fromkeys([id, by, *own]))
    if long and told:
        lacks = "has a row a keyphrase: documents without one are not in it, nor counted"
        log.warning("%s: %s; extract --wide has all", table.place, lacks)
    kept = account or Account(table.place)
    for rows in table.batches(names):
        for place, row in _rows(rows, table, kept):
            try:
                document = _id(row[id])
                found = [_of_long(row)] if long else list(_listed([row[name] for name in wide]))
            except ValueError as error:
                kept.skip(Skipped(place, str(error)))
                continue
            kept.see(document)
            if not long or str(row["rank"]) in _FIRST:
                kept.begin(document)
            if not long:
                yield row[by], document, "", ""  # a document without keyphrases is one too
            for key, text in found:
                yield row[by], document, key, text
    if account is None:
        kept.tell(log.warning)


def _rows(rows: Rows, table: Table, account: Account) -> Iterator[tuple[str, dict[str, Any]]]:
    """Places and rows of a batch."""
    columns = {name: _as_meant(cells) if table.guarded else cells for name, cells in rows.columns.items()}
    for i, number in enumerate(rows.numbers):
        yield f"{table.place}:{number}", {name: cells[i] for name, cells in columns.items()}
    for number, reason in rows.refused:
        account.skip(Skipped(f"{table.place}:{number}", reason))


def _of_wide(columns: Sequence[str]) -> list[str]:
    """The columns of a wide table with keyphrases, as `extract` calls them; none of a long one.

    A long table ends with its own columns, and may have kept ones before them that are called so.
    """
    if tuple(columns[-len(LONG_COLUMNS) :]) == LONG_COLUMNS:
        return []
    numbered = list(takewhile(columns.__contains__, (f"keyphrase_{i}" for i in count(1))))
    if "keyphrases" not in columns:
        return numbered
    kept = bool(numbered) and columns.index("keyphrases") < columns.index(numbered[0])
    return numbered if kept else ["keyphrases"]  # what is kept comes before what `extract` makes


def _as_meant(cells: Sequence[Any]) -> list[Any]:
    """Cells without the apostrophe that keeps spreadsheets from running them, as `extract` writes it."""
    return [out_of_csv(cell) if isinstance(cell, str) else cell for cell in cells]


def _id(cell: Any) -> str:
    """The id of a document. ValueError for a missing one, and for what is no single value."""
    if not (found := id_of_cell(cell)):
        raise ValueError("has no id")
    return found


def _of_long(row: Mapping[str, Any]) -> tuple[str, str]:
    """Key and text of a row that is a keyphrase, both empty if it has none. ValueError for no text."""
    text, key = row["text"], row.get("key")
    if isinstance(text, list | dict):
        raise ValueError("has no text in column 'text'")
    if _is_missing(text):
        return "", ""
    return (fold(str(text)) if _is_missing(key) else str(key)), str(text)


def _listed(cells: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """Key and text of all keyphrases in the cells of a document. ValueError for what can be none."""
    for cell in cells:
        for value in _values(cell):
            if not _is_missing(value):
                text = value.get("text") if isinstance(value, dict) else value
                if _is_missing(text) or isinstance(text, list | dict):
                    raise ValueError("has a keyphrase without a text")
                yield fold(str(text)), str(text)


def _values(cell: Any) -> list[Any]:
    if isinstance(cell, str) and cell.startswith("["):  # a list in CSV
        try:
            read = json.loads(cell)
        except (ValueError, RecursionError):
            return [cell]
        of_texts = isinstance(read, list) and all(isinstance(value, str | dict) for value in read)
        return read if of_texts else [cell]  # [1] is a text
    return cell if isinstance(cell, list) else [cell]


def _is_missing(cell: Any) -> bool:
    return cell is None or cell == "" or cell != cell
