"""What Python callers hand over, checked at the doors: place, problem, remedy, as for files and specs."""

from __future__ import annotations

import operator
import os
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kpframe.errors import Problem, SpecError, suggestion

__all__ = ["ArgumentError", "choice", "flag", "instance", "items", "path", "whole", "word", "words"]


class ArgumentError(SpecError, TypeError, ValueError):
    """An argument of a public function is of the wrong type or out of its range.

    Also a TypeError and a ValueError, which is what Python programs expect of a function.
    """


def whole(place: str, name: str, value: Any, *, least: int = 1, optional: bool = False) -> int | None:
    """A whole number of at least `least`; None too, if it is `optional`. Numbers of numpy are numbers."""
    if value is None and optional:
        return None
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        remedy = f"write a number, as {name}={max(least, 2)}" + (", or leave it out" if optional else "")
        raise _wrong(place, name, "a whole number", value, remedy) from None
    if number < least:
        remedy = f"give {least} or more" + (", or leave it out" if optional else "")
        raise ArgumentError(Problem(place, f"{name} must be at least {least}, not {number}", remedy))
    return number


def word(place: str, name: str, value: Any, *, example: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise _wrong(place, name, "a string", value, f"write it as {name}={example!r}")
    return value


def words(place: str, name: str, value: Any, *, example: str) -> tuple[str, ...]:
    """Several strings, in a list or a tuple; one alone is none of several."""
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise _wrong(place, name, "a list of strings", value, f"write it as {name}=[{example!r}]")
    return tuple(value)


def path(place: str, name: str, value: Any, *, optional: bool = False, example: str = "runs/mine") -> Any:
    """A path, as a string or a `Path`; None too, if it is `optional`."""
    if (value is None and optional) or isinstance(value, str | os.PathLike):
        return value
    raise _wrong(place, name, "a path", value, f"write it as {name}={example!r}")


def flag(place: str, name: str, value: Any) -> bool:
    """True or False: a word as "no" would be true."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise _wrong(place, name, "True or False", value, f"write {name}=True or {name}=False")
    return bool(value)


def choice(place: str, name: str, value: Any, offered: Sequence[str]) -> str:
    """One of the words that are offered."""
    if isinstance(value, str) and value in offered:
        return value
    problem = f"{name} is {reprlib.repr(value)}, which there is not"
    raise ArgumentError(Problem(place, problem, suggestion(str(value), offered, "there are")))


def items(place: str, name: str, value: Any, *, of: str, remedy: str) -> Iterable[Any]:
    """What can be gone through for its items, and is not a text or a mapping by mistake."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise _wrong(place, name, f"an iterable of {of}", value, remedy)
    return value


def instance(place: str, name: str, value: Any, kind: type | tuple[type, ...], what: str, remedy: str) -> Any:
    """A value of a kind."""
    if not isinstance(value, kind):
        raise _wrong(place, name, what, value, remedy)
    return value


def _wrong(place: str, name: str, wanted: str, value: Any, remedy: str) -> ArgumentError:
    shown = "None" if value is None else f"{reprlib.repr(value)} ({type(value).__name__})"
    return ArgumentError(Problem(place, f"{name} must be {wanted}, not {shown}", remedy))
