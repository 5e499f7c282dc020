"""Checksums of plain values, and JSON files that carry one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["digest", "is_whole", "sealed", "whole_record"]


def digest(value: Any) -> str:
    """A short stable identifier of plain values (128 bits of SHA-256, hexadecimal)."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def sealed(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its own checksum under `checksum`."""
    return {**record, "checksum": digest(record)}


def is_whole(record: Mapping[str, Any]) -> bool:
    """Whether a sealed record is as it was written."""
    content = {name: value for name, value in record.items() if name != "checksum"}
    return record.get("checksum") == digest(content)


def whole_record(content: bytes) -> Mapping[str, Any]:
    """The values of a sealed JSON file; ValueError if they are not those that were written."""
    try:
        known = json.loads(content)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if not isinstance(known, dict) or not is_whole(known):
        raise ValueError("does not agree with its checksum")
    return known
