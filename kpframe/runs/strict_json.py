"""JSON that is read with suspicion: no NaN, and what has not its proper shape is a ValueError."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

__all__ = ["BROKEN", "DECODER", "decode_json", "natural", "number", "of", "strict"]

P = ParamSpec("P")
Value = TypeVar("Value")


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")


BROKEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError)
"""What code stumbles over where a value has not the shape that it should have."""


DECODER = json.JSONDecoder(parse_constant=_refused)


def strict(decode: Callable[P, Value]) -> Callable[P, Value]:
    """Let a decoder raise nothing but ValueError, whatever it stumbles over."""

    @functools.wraps(decode)
    def decoded(*args: P.args, **kwargs: P.kwargs) -> Value:
        try:
            return decode(*args, **kwargs)
        except BROKEN as error:
            raise ValueError(str(error)) from None

    return decoded


@strict
def decode_json(text: str) -> dict[str, Any]:
    """The object that a text holds; NaN and infinities are refused, as JSON has none."""
    found = DECODER.decode(text)
    return of(dict, found)


def of(kind: type[Value], found: Any) -> Value:
    """The value, if it is of this type."""
    if not isinstance(found, kind):
        raise ValueError(f"{found!r:.40} is no {kind.__name__}")
    return found


def natural(found: Any) -> int:
    """The value, if it is a count."""
    if type(found) is not int or found < 0:
        raise ValueError(f"{found!r:.40} is no count")
    return found


def number(found: Any) -> float:
    """The value as a finite number."""
    if type(found) not in (int, float) or not math.isfinite(found):
        raise ValueError(f"{found!r:.40} is no number")
    return float(found)
