"""Values as JSON that every reader takes: it has no infinite numbers, and none that are none."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from kpframe.errors import DataError

__all__ = ["as_text", "naming_columns", "plain_json"]

_BYTES = (bytes, bytearray, memoryview)


class _NoForm(DataError):
    """A value is bytes, for which text has no form."""


def as_text(value: Any) -> str:
    """What JSON has no form for, as text. DataError for bytes: nobody reads back what Python shows."""
    if isinstance(value, _BYTES):
        problem = "has bytes, for which only Parquet has a form"
        raise _NoForm.at("a column to be kept", problem, "leave it out of --keep, or write .parquet")
    return str(value)


@contextmanager
def naming_columns(columns: Mapping[str, Any]) -> Iterator[None]:
    """DataError that names the column, for bytes in what some columns hold: one value, or a list of them.

    Looked for only then: where they are written, nobody knows any more of which column they are.
    """
    try:
        yield
    except _NoForm as error:
        name = next((name for name, values in columns.items() if _has_bytes(values)), None)
        raise error if name is None else error.moved(f"column {name!r}") from None


def _has_bytes(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_bytes, value.values()))
    return any(map(_has_bytes, value)) if isinstance(value, list | tuple) else isinstance(value, _BYTES)


def plain_json(value: Any, indent: int | None = None) -> str:
    """JSON of a value: infinite numbers are the strings `inf` and `-inf`, NaN is null, all else its text."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent, default=as_text, allow_nan=False)
    except ValueError:  # looked through only then, as nearly all values are finite
        return json.dumps(_finite(value), ensure_ascii=False, indent=indent, default=as_text, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(float(value))
    if isinstance(value, dict):
        return {str(key) if isinstance(key, float) else key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value
