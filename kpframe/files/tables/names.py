"""Names of columns and keys that are read without an option, whatever their case."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

__all__ = ["by_plain_keys", "column_called"]


def column_called(name: str, columns: Iterable[str]) -> str | None:
    """The column of that name, or the only one that differs in its case or in blanks around it; else None."""
    columns = list(columns)
    if name in columns:
        return name
    alike = {column for column in columns if _plain(column) == name}
    return alike.pop() if len(alike) == 1 else None


def by_plain_keys(record: Mapping[str, Any], known: Collection[str]) -> Mapping[str, Any]:
    """The record with the `known` keys as they are known, where one alone differs from each in its case."""
    alike: dict[str, list[str]] = {}
    for key in record:
        if key not in known and (plain := _plain(key)) in known and plain not in record:
            alike.setdefault(plain, []).append(key)
    found = {keys[0]: plain for plain, keys in alike.items() if len(keys) == 1}
    return {found.get(key, key): value for key, value in record.items()} if found else record


def _plain(name: str) -> str:
    return name.casefold().strip()
