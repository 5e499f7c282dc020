"""Checksums of plain values, and JSON files that carry one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["digest", "is_whole", "sealed"]


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
