"""Values that publications print for systems, read from files."""

from __future__ import annotations

import csv
import math
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from pathlib import Path

from kpframe.errors import DataError, suggestion
from kpframe.files.resources import resource_path
from kpframe.model.summary import Printed
from kpframe.spec.values import PrintedRows, Reference

__all__ = ["printed_rows", "reference_values"]

_Row = tuple[str, Mapping[str, str]]
"""The place of a row, and what stands in it by column; nothing is an empty text."""


def printed_rows(wanted: PrintedRows, bounded: Collection[str] = ()) -> Iterator[Printed]:
    """The rows that are wanted of a file, in its order; those without any of the values are left out.

    `bounded` are our columns whose values lie in 0 … 1. Raises DataError for a file that lacks a column, has
    no such row, or has a row without a system, something else than numbers, or values out of bounds.
    """
    path = _path(wanted)
    found = 0
    for place, row in _rows(path, ("system", *wanted.where, *wanted.columns.values())):
        if any(row[name] != str(value) for name, value in wanted.where.items()):
            continue
        found += 1
        system = _named(row, "system", place)
        values = _values(wanted.columns, row, place, bounded)
        if values:
            yield Printed(system, values, wanted.source)
    if not found:
        said = ", ".join(f"{name}: {value}" for name, value in wanted.where.items())
        problem = f"has no row with {said}" if said else "has no row"
        raise DataError.at(str(path), problem, "look into the file")


def reference_values(reference: Reference, bounded: Collection[str] = ()) -> dict[str, dict[str, float]]:
    """Cell → our column → published value; DataError as with `printed_rows`."""
    values: dict[str, dict[str, float]] = {}
    for place, row in _rows(_path(reference), ("cell", *reference.columns.values())):
        found = _values(reference.columns, row, place, bounded)
        values.setdefault(_named(row, "cell", place), {}).update(found)
    return values


def _path(wanted: PrintedRows | Reference) -> Path:
    return resource_path(wanted.resource) if wanted.resource else Path(str(wanted.path))


def _rows(path: Path, needed: Collection[str]) -> Iterator[_Row]:
    """The rows of a file that has the columns that are needed."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            heads = list(reader.fieldnames or ())
            for name in needed:
                if name not in heads:
                    raise DataError.at(str(path), f"has no column {name!r}", suggestion(name, heads))
            for row in reader:
                yield f"{path}:{reader.line_num}", {name: row[name] or "" for name in heads}
    except OSError as error:
        raise DataError.at(str(path), f"cannot be read ({error.strerror})", "check the path") from None
    except UnicodeDecodeError:
        raise DataError.at(str(path), "is no UTF-8", "save it as UTF-8") from None
    except csv.Error as error:
        raise DataError.at(str(path), f"is no CSV ({error})", "check the file") from None


def _named(row: Mapping[str, str], column: str, place: str) -> str:
    if not row[column].strip():
        raise DataError.at(place, f"the {column} is empty", f"name the {column}, or remove the row")
    return row[column]


def _values(
    columns: Mapping[str, str], row: Mapping[str, str], place: str, bounded: Collection[str]
) -> dict[str, float]:
    values = {}
    for ours, theirs in columns.items():
        text = row[theirs].strip()
        if text:
            values[ours] = _number(text)
            if not math.isfinite(values[ours]):
                raise DataError.at(place, f"{theirs}: {text!r} is no number", "correct it, or leave it empty")
            if ours in bounded and not 0 <= values[ours] <= 1:
                problem = f"{theirs}: {text} is out of bounds, as {ours} lies in 0 … 1"
                raise DataError.at(place, problem, _within(text, values[ours]))
    return values


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _within(text: str, value: float) -> str:
    """What to do with a value that is out of bounds: most often it is a percentage."""
    if not 1 < value <= 100:
        return "correct it, or leave it empty"
    share = f"{Decimal(text) / 100:f}".removeprefix("0")
    return f"write {share}, if it is a percentage"
