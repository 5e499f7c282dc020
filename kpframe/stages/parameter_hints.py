"""What was probably meant by a parameter that a stage does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from kpframe.errors import KpframeError, nearest, suggestion
from kpframe.stages.base import FOLDERS, PARTS, Stage
from kpframe.stages.registry import kinds, lookup

__all__ = ["choice_hint", "model_below", "parameter_hint"]

_ALIKE = 0.75
"""From this share of common letters on, a word is taken for a slip of the pen."""
_NAMED = 5
"""So many kinds that have a parameter are named."""


def parameter_hint(
    cls: type[BaseModel],
    within: Sequence[str | int],
    word: str,
    given: Mapping[str, Any],
    *,
    in_spec: bool = True,
) -> str:
    """A remedy for the parameter `word` that `cls` does not have below its parameter `within`.

    Names are looked for in the stage itself, then in the stages that it is `given`, then in other kinds of
    its box: who sets the window of a ranking that has none may not know which ranking that is. `in_spec`:
    `kind` may be meant.
    """
    owner = model_below(cls, within)
    own = [field.alias or name for name, field in owner.model_fields.items()]
    if not (isinstance(cls, type) and issubclass(cls, Stage)):
        return suggestion(word, own)
    own += [] if within or not in_spec else ["kind"]
    if near := nearest(word, own, alike=_ALIKE):
        return f"did you mean {near!r}?"
    takes = f"{'.'.join([cls.kind or cls.__name__, *map(str, within)])} takes"
    if within:
        return suggestion(word, own, takes)
    below = {path.rpartition(".")[2]: path for path in _below(cls, given)}
    if near := nearest(word, below, alike=_ALIKE):
        return f"did you mean {below[near]!r}?"
    others = _of_other_kinds(cls)
    if near := nearest(word, others, alike=_ALIKE):
        more = ", …" if len(others[near]) > _NAMED else ""
        return (
            f"{takes}: {', '.join(own)}; {near!r} is a parameter of {', '.join(others[near][:_NAMED])}{more}"
        )
    return suggestion(word, own, takes)


def choice_hint(details: ErrorDetails) -> str:
    """What was probably meant by a value that is none of a fixed list; empty where nothing is like it."""
    given = details.get("input")
    if details["type"] != "literal_error" or not isinstance(given, str):
        return ""
    near = nearest(given, re.findall("'([^']*)'", details.get("ctx", {}).get("expected", "")))
    return f"did you mean {near!r}?" if near else ""


def model_below(cls: type[BaseModel], within: Sequence[str | int]) -> type[BaseModel]:
    """The model that stands at a path of parameters; the last one on the way where there is none."""
    for name in within:
        field = next((f for own, f in cls.model_fields.items() if name in (own, f.alias)), None)
        below = None if field is None else _model_in(field.annotation)
        if below is None:
            return cls
        cls = below
    return cls


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model that an annotation is, or that is one of its alternatives."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_in(inner) for inner in get_args(annotation))
    return next((one for one in found if one is not None), None)


def _below(cls: type[Stage], given: Mapping[str, Any]) -> Iterator[str]:
    """The parameters of what the stage is given, as `idf.form` or `above.window`."""
    for name, field in cls.model_fields.items():
        model = _stage_of(cls, given.get(name, field.default)) or _model_in(field.annotation)
        for inner in model.model_fields if model is not None else ():
            yield f"{name}.{inner}"


def _stage_of(cls: type[Stage], value: Any) -> type[Stage] | None:
    """The class of a stage that stands as a parameter, as it is written in a spec."""
    kind = value.get("kind") if isinstance(value, Mapping) else value
    if not isinstance(kind, str):
        return type(value) if isinstance(value, Stage) else None
    for folder in dict.fromkeys((cls.folder, *PARTS)):
        if folder in (*FOLDERS, *PARTS) and kind in kinds(folder):
            return lookup(folder, kind)
    return None


def _of_other_kinds(cls: type[Stage]) -> dict[str, list[str]]:
    """By parameter the other kinds of the box that have it."""
    found: dict[str, list[str]] = {}
    for kind in kinds(cls.folder) if cls.folder in (*FOLDERS, *PARTS) else ():
        try:
            other = lookup(cls.folder, kind)
        except KpframeError:  # the package of a foreign stage that cannot be imported
            continue
        for name in other.model_fields.keys() - cls.model_fields.keys():
            found.setdefault(name, []).append(kind)
    return found
