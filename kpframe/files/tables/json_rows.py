"""JSON lines, and JSON with a list of objects: an object is a row, its keys are the columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import IO, Any

from kpframe.errors import DataError
from kpframe.files.tables.delimited import numbered_lines
from kpframe.files.tables.rows import LARGEST_CELL, Rows, Table

__all__ = ["JsonRows", "no_json", "objects_of"]

Numbered = tuple[int, "dict[str, Any] | str"]
"""A row with its number; in place of one that is none, the reason."""

_LOOKED_AT = 200
"""Rows whose keys are the columns."""


class JsonRows(Table):
    """Rows from objects; a key that an object lacks is a missing value.

    JSON lines stream. A JSON file is a list of objects, an object with one such list, or what pandas
    writes (`{column: {index: value}}`), and is held in memory.
    """

    def __init__(self, stream: IO[bytes], place: str, encoding: str, *, lines: bool) -> None:
        self.place, self.types = place, {}
        self._stream = stream
        text = numbered_lines(stream, place, encoding)
        rows = _from_lines(text) if lines else iter(enumerate(objects_of(_whole(text, place), place), 1))
        first = list(islice(rows, _LOOKED_AT))
        keys = dict.fromkeys(key for _, row in first if isinstance(row, dict) for key in row)
        self.columns = list(keys)
        self._rows: Iterable[Numbered] = chain(first, rows)

    def need(self, names: Sequence[str]) -> None:
        """As for all tables, but that a key may come later than in the rows that were looked at."""
        if self.columns:
            super().need(names)

    def batches(self, names: Sequence[str]) -> Iterator[Rows]:
        """The rows; numbers are those of lines, or count objects."""
        rows = Rows.of(names)
        for number, row in self._rows:
            if isinstance(row, str):
                rows.refused.append((number, row))
            else:
                rows.numbers.append(number)
                for name in names:
                    rows.columns[name].append(row.get(name))
            if rows.full:
                yield rows
                rows = Rows.of(names)
        yield rows

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def objects_of(value: Any, place: str) -> list[dict[str, Any] | str]:
    """The objects that a JSON value is a list of; DataError for any other shape."""
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list)]
        if value and all(isinstance(item, dict) for item in value.values()):
            value = _of_columns(value)
        elif len(lists) == 1 and all(isinstance(item, dict) for item in lists[0]):
            value = lists[0]
        else:
            value = [value]
    if not isinstance(value, list):
        raise DataError.at(place, "is JSON, but no list of objects", "write a list of objects, or JSON lines")
    return [item if isinstance(item, dict) else "is not a JSON object" for item in value]


def _of_columns(columns: dict[str, dict[str, Any]]) -> list[Any]:
    """Rows of `{column: {index: value}}`; of anything else the objects themselves."""
    indexes = list(next(iter(columns.values())))
    if any(list(column) != indexes for column in columns.values()):
        return list(columns.values())
    return [{name: column[index] for name, column in columns.items()} for index in indexes]


def _whole(lines: Iterable[str], place: str) -> Any:
    parts: list[str] = []
    size = 0
    for line in lines:
        size += len(line)
        if size > LARGEST_CELL:
            problem = f"is JSON of more than {LARGEST_CELL:,} characters, which must be read as a whole"
            raise DataError.at(place, problem, "write JSON lines, which are read line by line")
        parts.append(line)
    try:
        return json.loads("".join(parts))
    except RecursionError:
        raise DataError.at(place, "is nested too deeply", "give a list of objects") from None
    except ValueError as error:
        raise DataError.at(place, f"is not valid JSON ({error})", "repair it") from None


def no_json(error: json.JSONDecodeError) -> str:
    """What is wrong with a line that should be JSON."""
    return f"is not JSON ({error.msg.removesuffix(' at')} at character {error.pos + 1})"


def _from_lines(lines: Iterable[str]) -> Iterator[Numbered]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except RecursionError:
            yield number, "is nested too deeply"
        except json.JSONDecodeError as error:
            yield number, no_json(error)
        except ValueError as error:
            yield number, f"is not JSON ({error})"
        else:
            yield number, row if isinstance(row, dict) else "is not a JSON object"
