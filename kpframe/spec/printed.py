"""Values that publications print for systems, read from files."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from kpframe.errors import DataError, suggestion
from kpframe.files.resources import resource_path
from kpframe.model.summary import Printed
from kpframe.spec.values import PrintedRows

__all__ = ["printed_rows"]


def printed_rows(wanted: PrintedRows) -> Iterator[Printed]:
    """The rows that are wanted of a file, in its order; those without any of the values are left out.

    Raises DataError for a file that lacks a column, has no such row, or has something else than numbers.
    """
    path = resource_path(wanted.resource) if wanted.resource else Path(str(wanted.path))
    found = 0
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        heads = list(reader.fieldnames or ())
        for name in ("system", *wanted.where, *wanted.columns.values()):
            if name not in heads:
                raise DataError.at(str(path), f"has no column {name!r}", suggestion(name, heads))
        for number, row in enumerate(reader, start=2):
            if any(row[name] != str(value) for name, value in wanted.where.items()):
                continue
            found += 1
            values = _values(wanted, row, f"{path}:{number}")
            if values:
                yield Printed(str(row["system"]), values, wanted.source)
    if not found:
        said = ", ".join(f"{name}: {value}" for name, value in wanted.where.items())
        raise DataError.at(str(path), f"has no row with {said}", "look into the file")


def _values(wanted: PrintedRows, row: Mapping[str, str | None], place: str) -> dict[str, float]:
    values = {}
    for ours, theirs in wanted.columns.items():
        text = (row[theirs] or "").strip()
        if not text:
            continue
        try:
            values[ours] = float(text)
        except ValueError:
            values[ours] = math.nan
        if not math.isfinite(values[ours]):
            raise DataError.at(place, f"{theirs}: {text!r} is no number", "correct it, or leave it empty")
    return values
