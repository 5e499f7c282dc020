"""Which id a cell of a table, or a value in JSON lines, stands for: one rule for readers and for terms."""

from __future__ import annotations

from typing import Any

__all__ = ["id_of_cell"]


def id_of_cell(value: Any) -> str:
    """An id as text; empty for a missing one. ValueError for what is no single value."""
    if isinstance(value, bytes | list | dict):
        raise ValueError("the id is neither text nor number")
    if value is None or value != value:
        return ""
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if whole else value).strip()
