"""Values as JSON that every reader takes: it has no infinite numbers, and none that are none."""

from __future__ import annotations

import json
import math
from typing import Any

from kpframe.errors import DataError

__all__ = ["as_text", "plain_json"]


def as_text(value: Any) -> str:
    """What JSON has no form for, as text. DataError for bytes: nobody reads back what Python shows."""
    if isinstance(value, bytes | bytearray | memoryview):
        problem = "has bytes, for which only Parquet has a form"
        raise DataError.at("a column to be kept", problem, "leave it out of --keep, or write .parquet")
    return str(value)


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
