"""What a cell of a sheet can hold as it is: any other value is written as text, digit for digit."""

from __future__ import annotations

import math
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

__all__ = ["fits_sheet"]

_EXACT = 10**15
"""Whole numbers from here on are rounded in a sheet, which keeps 15 digits: two ids would become one."""
_DIGITS = 15
_FIRST = date(1900, 3, 1)
"""Days before it are others in Excel, which has a 29 February 1900."""


def fits_sheet(value: Any) -> bool:
    """Whether a cell holds a value and a reader has it back: numbers, days, and times to the second."""
    if isinstance(value, float):
        return not math.isinf(value)
    if isinstance(value, Decimal):
        short = value.is_finite() and len(value.as_tuple().digits) <= _DIGITS and abs(value) < _EXACT
        return short and Decimal(repr(float(value))) == value
    if isinstance(value, datetime):
        whole = not value.microsecond and not getattr(value, "nanosecond", 0)
        return whole and value.tzinfo is None and value.date() >= _FIRST
    if isinstance(value, date):
        return value >= _FIRST
    if isinstance(value, time):
        return not value.microsecond and value.tzinfo is None
    return value is None or (isinstance(value, int) and abs(value) < _EXACT)
