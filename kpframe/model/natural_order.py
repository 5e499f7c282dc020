"""The order of names in which `d2` comes before `d10`."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["natural_key"]

_DIGITS = re.compile(r"([0-9]+)")


def natural_key(text: str) -> tuple[Any, ...]:
    """A key that sorts `d2` before `d10`, total and independent of the locale."""
    parts = _DIGITS.split(text)
    # A number by its length and digits: int() refuses to convert thousands of them.
    return (tuple(_number_key(p) if i % 2 else p for i, p in enumerate(parts)), text)


def _number_key(digits: str) -> tuple[int, str]:
    significant = digits.lstrip("0")
    return len(significant), significant
