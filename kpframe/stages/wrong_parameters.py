"""What is wrong with parameters, in the words of specs: what must stand there, and what it means.

The models say what they take; pydantic's words for what they were given instead are not for writers of specs.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from kpframe.errors import ParameterError, Problem
from kpframe.stages.base import Stage
from kpframe.stages.checked import Checked
from kpframe.stages.parameter_hints import choice_hint, model_below, parameter_hint

__all__ = ["PartProblem", "Wrong", "shown", "wrong_parameters"]

Key = tuple[str | int, ...]


@dataclass(frozen=True)
class Wrong:
    """One thing that is wrong below a stage or a part of a spec: where, what, and what to do."""

    at: Key
    problem: str
    remedy: str


class PartProblem(ValueError):
    """All that is wrong with the parameters of a stage that is a parameter itself."""

    def __init__(self, kind: str, wrong: Sequence[Wrong]) -> None:
        self.wrong = tuple(wrong)
        told = (f"{'.'.join(map(str, (kind, *one.at)))}: {one.problem}; {one.remedy}" for one in wrong)
        super().__init__(" / ".join(told))


_KINDS = {
    **dict.fromkeys(("int_type", "int_parsing", "int_parsing_size", "int_from_float"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "a number"),
    **dict.fromkeys(("string_type", "string_sub_type", "path_type"), "a text"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
    **dict.fromkeys(("tuple_type", "list_type", "set_type", "frozen_set_type", "iterable_type"), "a list"),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type", "model_attributes_type"), "a mapping"),
    "none_required": "null",
}
"""What must stand where something of another kind does."""

_BOUNDS = {
    "finite_number": "a finite number",
    "greater_than": "greater than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "multiple_of": "a multiple of {multiple_of}",
}


@dataclass(frozen=True)
class _Found:
    """An error of pydantic: its place without the names of a union's branches, and where the union stands."""

    details: ErrorDetails
    at: Key
    union: Key | None
    branch: str

    @property
    def misfits(self) -> bool:
        """Whether the value is not even of the kind that this branch of the union takes."""
        kind = self.details["type"]
        return self.at == self.union and (kind in _KINDS or kind == "literal_error")


def wrong_parameters(
    cls: type[BaseModel], error: ValidationError, given: Any, *, in_spec: bool = True
) -> list[Wrong]:
    """All that `error` says of the values `given` to `cls`, each told once and in plain words.

    `in_spec`: a stage stands there by its `kind`, which could be meant too.
    """
    found = [_found(cls, details, given) for details in error.errors(include_url=False)]
    told: list[Wrong] = []
    for one in found:
        together = [other for other in found if one.union is not None and other.union == one.union]
        if any(not other.misfits for other in together) and one.misfits:
            continue  # another branch takes values of this kind, and says what is wrong with it
        told += _told(cls, one, together, given, in_spec)
    return list(dict.fromkeys(told))


def _parameter_error(
    cls: type[BaseModel], error: ValidationError, given: Mapping[str, Any]
) -> ParameterError:
    """What a Python caller is told: the same, told of the class."""
    found = wrong_parameters(cls, error, given, in_spec=False)
    return ParameterError(
        [Problem(".".join(map(str, (cls.__name__, *one.at))), one.problem, one.remedy) for one in found]
    )


Checked.explain = _parameter_error


def shown(value: Any) -> str:
    """A given value as a spec has it, where it is short; else what it is."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _SHORT.repr(value)
    if isinstance(value, int | float):
        return str(value)
    names: dict[type, str] = {dict: "a mapping", list: "a list", tuple: "a list"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), type(value).__name__)


_SHORT = reprlib.Repr()
_SHORT.maxstring = 80


def _found(cls: type[BaseModel], details: ErrorDetails, given: Any) -> _Found:
    """Where an error is, in the words of the spec: branches of unions are no parts of its place."""
    at: list[str | int] = []
    union, branch = None, ""
    loc, value, model = details["loc"], given, cls
    for number, part in enumerate(loc):
        names_itself = number == len(loc) - 1 and details["type"] in ("missing", "extra_forbidden")
        held = value[part] if isinstance(value, Mapping) and part in value else None
        if isinstance(value, list | tuple) and isinstance(part, int) and part < len(value):
            held = value[part]
        if held is None and isinstance(part, str) and not names_itself and not _is_field(model, part, value):
            union, branch = (tuple(at), part) if union is None else (union, branch)
            continue
        at.append(part)
        value = held
        model = model_below(cls, at)
    return _Found(details, tuple(at), union, branch)


def _is_field(model: type[BaseModel], part: str, value: Any) -> bool:
    if isinstance(value, Mapping) and part in value:
        return True
    return any(part in (name, field.alias) for name, field in model.model_fields.items())


def _told(
    cls: type[BaseModel], one: _Found, together: Sequence[_Found], given: Any, in_spec: bool
) -> Iterator[Wrong]:
    details, inner = one.details, one.details.get("ctx", {}).get("error")
    if isinstance(inner, PartProblem):
        for below in inner.wrong:
            yield Wrong((*one.at, *below.at), below.problem, below.remedy)
    elif details["type"] == "extra_forbidden":
        yield Wrong(one.at, "unknown parameter", _unknown(cls, one.at, given, in_spec))
    elif details["type"] == "missing":
        yield Wrong(one.at, "is missing", _meaning(cls, one.at))
    else:
        problem, parted, own = _message(together if one.misfits and together else [one]).partition("; ")
        value = details.get("input")
        known = not one.at or value in ("", [], {}) or shown(value) in problem
        told = "" if known else f" (given: {shown(value)})"
        remedy = own if parted else choice_hint(details) or _remedy(cls, one) or _look_up(cls)
        yield Wrong(one.at, problem + told, remedy)


def _message(found: Sequence[_Found]) -> str:
    """What must stand there; where a union takes several kinds, all of them."""
    wanted = list(dict.fromkeys(word for one in found for word in _wanted(one.details)))
    if wanted:
        return f"must be {_either(wanted)}"
    details = found[0].details
    known = _OTHERS.get(details["type"])
    if known:
        return known(details.get("ctx", {}))
    own = details["msg"].removeprefix("Value error, ")
    if own != details["msg"]:
        return own
    message = own.replace("Input should be", "must be")
    return message[:1].lower() + message[1:]


def _wanted(details: ErrorDetails) -> list[str]:
    kind, context = details["type"], details.get("ctx", {})
    if kind == "literal_error":
        return re.split(", | or ", context["expected"])
    bounds = {name: _plain_number(value) for name, value in context.items()}
    wanted = _KINDS.get(kind) or _BOUNDS.get(kind, "").format_map(bounds)
    return [wanted] if wanted else []


def _plain_number(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _either(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _at_least(context: Mapping[str, Any]) -> str:
    least = context.get("min_length", 1)
    return "must not be empty" if least == 1 else f"must have at least {least} entries"


_OTHERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "too_short": _at_least,
    "string_too_short": lambda context: "must not be empty",
    "string_pattern_mismatch": lambda context: "does not have the form that it must have",
    "too_long": lambda context: f"must have at most {context.get('max_length')} entries",
    "string_too_long": lambda context: f"must have at most {context.get('max_length')} characters",
}


def _unknown(cls: type[BaseModel], at: Key, given: Any, in_spec: bool) -> str:
    *within, word = at
    beside = given if isinstance(given, Mapping) else {}
    return parameter_hint(cls, within, str(word), beside, in_spec=in_spec)


def _remedy(cls: type[BaseModel], one: _Found) -> str:
    """What the parameter means, and of what a mapping is made that should stand there."""
    meaning = _meaning(cls, one.at)
    below = model_below(cls, one.at) if one.at else None
    if below in (None, cls) or not one.details["type"].startswith(("model", "dict", "mapping")):
        return meaning
    names = ", ".join(field.alias or name for name, field in below.model_fields.items())
    return f"{meaning.removesuffix('.')}; it has: {names}" if meaning else f"it has: {names}"


def _meaning(cls: type[BaseModel], at: Iterable[str | int]) -> str:
    """What the nearest parameter on the way to a place is for."""
    found, way = "", list(at)
    for number, part in enumerate(way):
        model = cls if not number else model_below(cls, way[:number])
        for name, field in model.model_fields.items():
            if part in (name, field.alias) and field.description:
                found = f"it means: {field.description}"
    return found


def _look_up(cls: type[BaseModel]) -> str:
    if issubclass(cls, Stage) and cls.folder:
        return f"`kpframe stages {cls.folder} {cls.kind}` tells its parameters"
    return f"it has: {', '.join(cls.model_fields)}"
