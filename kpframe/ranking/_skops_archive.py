"""The archives that skops writes, with equal bytes for equal objects."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import numpy as np

__all__ = ["canonical"]

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can tell; archives know no time that is none."""


def canonical(archive: bytes) -> bytes:
    """The same archive, with nothing in it that differs from one process to the next.

    skops names members and objects by their addresses in memory and stamps members with the time; here
    they are numbered as they first occur in `schema.json`. Arrays of records (the nodes of trees) have
    bytes between their fields that nobody sets; they become 0.
    """
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        schema = json.loads(source.read("schema.json"))
        numbers: dict[str, int] = {}
        schema = _renumbered(schema, numbers)
        members = {_renamed(name, numbers): source.read(name) for name in source.namelist()}
    members["schema.json"] = json.dumps(schema, indent=2).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression=zipfile.ZIP_STORED) as target:
        for name in sorted(members):
            content = _without_gaps(members[name]) if name.endswith(".npy") else members[name]
            target.writestr(zipfile.ZipInfo(name, _EPOCH), content)
    return buffer.getvalue()


def _renumbered(value: Any, numbers: dict[str, int]) -> Any:
    """A part of the schema with ids and the stems of members numbered in the order of first occurrence."""
    if isinstance(value, list):
        return [_renumbered(item, numbers) for item in value]
    if not isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for key, item in value.items():
        if key == "__id__":
            found[key] = numbers.setdefault(str(item), len(numbers) + 1)
        elif key == "file" and isinstance(item, str):
            stem, dot, suffix = item.partition(".")
            found[key] = f"{numbers.setdefault(stem, len(numbers) + 1)}{dot}{suffix}"
        else:
            found[key] = _renumbered(item, numbers)
    return found


def _renamed(name: str, numbers: dict[str, int]) -> str:
    stem, dot, suffix = name.partition(".")
    return f"{numbers[stem]}{dot}{suffix}" if stem in numbers else name


def _without_gaps(content: bytes) -> bytes:
    array = np.load(io.BytesIO(content), allow_pickle=False)
    if not array.dtype.names:
        return content
    clean = np.zeros(array.shape, array.dtype)
    for name in array.dtype.names:
        clean[name] = array[name]
    buffer = io.BytesIO()
    np.save(buffer, clean, allow_pickle=False)
    return buffer.getvalue()
