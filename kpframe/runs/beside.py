"""What is written beside the cells of a run: where it came from, its summary, its log.

What is not there is None or empty, as reports are a choice; what is there and cannot be read is an error.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from kpframe.errors import DataError, KpframeError
from kpframe.model import Score
from kpframe.model.summary import Cell, Printed, Summary
from kpframe.runs.seals import AGAIN, sealed_beside, verify_beside
from kpframe.runs.strict_json import BROKEN, decode_json, number, of

__all__ = [
    "read_claims",
    "read_document_rows",
    "read_environment",
    "read_events",
    "read_summary",
]

Value = TypeVar("Value")

_TEXTS = ("name", "reference_source")


def read_environment(folder: Path) -> dict[str, Any]:
    """`environment.json`: versions, models, resources and data."""
    path = folder / "environment.json"
    if not path.exists():
        raise DataError.at(str(path), "there is no such file", AGAIN)
    return _read(path, _environment)


def _environment(found: dict[str, Any]) -> dict[str, Any]:
    for name in ("data", "packages", "language_models", "resources"):
        of(dict, found.get(name) or {})
    for skipped in of(list, (found.get("data") or {}).get("skipped") or []):
        of(str, skipped["place"]), of(str, skipped["reason"])
    return found


def read_summary(folder: Path) -> Summary | None:
    """`summary.json`; None where there is none: before version 0.2.0 it was a choice."""
    path = folder / "summary.json"
    return _read(path, _summary) if path.exists() else None


def _summary(found: dict[str, Any]) -> Summary:
    cells = tuple(map(_cell, found["cells"]))
    columns = tuple(of(str, column) for column in found["columns"])
    failures = tuple(of(dict, failure) for failure in found["failures"])
    notes = tuple(of(str, note) for note in found["notes"])
    name, source = (of(str, found[text]) for text in _TEXTS)
    printed = tuple(map(_printed, of(list, found.get("printed", []))))
    return Summary(
        name, columns, cells, source, failures, notes, of(str, found.get("test", "")), printed=printed
    )


def _printed(found: dict[str, Any]) -> Printed:
    return Printed(of(str, found["system"]), _numbers(found["values"]), of(str, found["source"]))


def _cell(found: dict[str, Any]) -> Cell:
    axes = {of(str, axis): of(str, name) for axis, name in found["axes"].items()}
    scores = tuple(map(_score, found["scores"]))
    documents, keyphrases = of(int, found["documents"]), of(int, found["keyphrases"])
    reference, p_values = _numbers(found["reference"]), _numbers(found.get("p_values", {}))
    return Cell(of(str, found["name"]), axes, scores, documents, keyphrases, reference, p_values)


def _score(found: dict[str, Any]) -> Score:
    value = found["value"]
    return Score(
        of(str, found["metric"]),
        of(str, found["matching"]),
        None if value is None else number(value),
        of(int, found["documents"]),
        of(int, found["skipped"]),
        of(str, found["signature"]),
    )


def read_claims(folder: Path) -> list[Mapping[str, Any]]:
    """The claims of `conclusions.json`: what each says, whether it holds, the evidence.

    Empty without one, or where the run has not sealed it: then it is somebody else's.
    """
    path = folder / "conclusions.json"
    sealed = sealed_beside(folder)
    own = sealed is None or path.name in sealed
    return _read(path, _claims) if own and path.exists() else []


def _claims(found: dict[str, Any]) -> list[Mapping[str, Any]]:
    claims = of(list, found["claims"])
    return [{name: claim[name] for name in ("says", "holds", "evidence")} for claim in claims]


def read_events(folder: Path) -> tuple[list[dict[str, Any]], int]:
    """The records of `log.jsonl`, and how many lines are none.

    A run that was killed may leave half a line, and the next one writes on behind it.
    """
    try:
        lines = (folder / "log.jsonl").read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return [], 0
    except OSError as error:
        raise _unreadable(folder / "log.jsonl", error) from None
    events = [event for line in lines if line.strip() and (event := _event(line)) is not None]
    return events, sum(bool(line.strip()) for line in lines) - len(events)


def _event(line: str) -> dict[str, Any] | None:
    try:
        found = decode_json(line)
        return found if _well_formed(found) else None
    except ValueError:
        return None


def _well_formed(event: Mapping[str, Any]) -> bool:
    """Whether what is read of an event is of its type."""
    kinds: dict[str, type | tuple[type, ...]] = {
        "event": str,
        "time": str,
        "limit": (int, type(None)),
        "workers": int,
        "cells": int,
        "pending": int,
        "name": str,
    }
    seconds = event.get("seconds", {})
    spent = seconds.values() if isinstance(seconds, dict) else [seconds]
    return all(isinstance(event[name], kind) for name, kind in kinds.items() if name in event) and all(
        type(one) in (int, float) for one in spent
    )


def read_document_rows(folder: Path) -> tuple[list[str], Iterator[list[Any]]]:
    """The header of `per_document.csv` and its rows: cell, id, predicted, then a value or None by column."""
    path = folder / "per_document.csv"
    if not path.is_file():
        raise DataError.at(str(path), "there is no such file", "let the run end first")
    rows = _rows(path)
    _, header = next(rows, (1, []))
    if header[:3] != ["cell", "id", "predicted"] or len(set(header)) != len(header):
        raise DataError.at(f"{path}:1", "is not the header of this file", AGAIN)
    return header, (_document_row(f"{path}:{line}", row, len(header)) for line, row in rows)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(1 << 30)  # ids may be very long
    try:
        with verify_beside(path).open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file, strict=True)
            for row in reader:
                yield reader.line_num, row
    except OSError as error:
        raise _unreadable(path, error) from None
    except (csv.Error, ValueError):
        raise DataError.at(str(path), "is damaged", AGAIN) from None


def _document_row(place: str, row: Sequence[str], width: int) -> list[Any]:
    try:
        if len(row) != width:
            raise ValueError("a field is missing")
        cell, id, predicted, *values = row
        return [
            cell,
            id,
            int(predicted) if predicted else None,
            *(float(value) if value else None for value in values),
        ]
    except ValueError:
        raise DataError.at(place, "is damaged", AGAIN) from None


def _read(path: Path, decode: Callable[[dict[str, Any]], Value]) -> Value:
    try:
        return decode(decode_json(verify_beside(path).read_text(encoding="utf-8")))
    except OSError as error:
        raise _unreadable(path, error) from None
    except (*BROKEN, ValueError):
        raise DataError.at(str(path), "is damaged", AGAIN) from None


def _unreadable(path: Path, error: OSError) -> KpframeError:
    return DataError.at(str(path), f"cannot be read ({error.strerror})", AGAIN)


def _numbers(found: Mapping[str, Any]) -> dict[str, float]:
    return {name: number(value) for name, value in found.items()}
