"""How boxes stand in the tree of a spec: where, in which form, and what is there by default."""

from __future__ import annotations

from typing import Any

from kpframe.spec.measures import DEFAULT_MATCHINGS, DEFAULT_METRICS
from kpframe.spec.strict_yaml import Key, Positions
from kpframe.stages import FOLDERS, Stage
from kpframe.stages.registry import kinds

__all__ = ["DEFAULTS", "LISTS", "box_at", "has_names", "in_plain_form", "kind_of"]

DEFAULTS: dict[str, list[str]] = {
    "preprocessing": ["tokenize"],
    "postprocessing": [],
    "matching": list(DEFAULT_MATCHINGS),
    "metrics": list(DEFAULT_METRICS),
    "reports": ["console", "csv", "json", "markdown", "latex"],
}
"""What stands in a box that takes several stages if a spec says nothing of it."""

LISTS = tuple(DEFAULTS)
"""The boxes that take several stages."""


def box_at(path: Key) -> str | None:
    """The box whose value stands at a path: its own, that of a system, an alternative of a sweep."""
    if path[:1] == ("datasets",) and len(path) > 2:
        path = path[2:]
    match path:
        case (str(box),) | ("systems", _, str(box)) | ("sweep", str(box), _) if box in FOLDERS:
            return box
    return None


def has_names(path: Key) -> bool:
    """Whether what stands at a path maps names that the spec has chosen: `null` takes one of them away."""
    if path[:1] == ("datasets",) and len(path) > 2:
        path = path[2:]
    return path in (("systems",), ("sweep",), ("datasets",)) or (len(path) == 2 and path[0] == "sweep")


def kind_of(value: Any) -> str | None:
    """The kind that a value names, in whatever form it is written; an entry of another list names itself."""
    if isinstance(value, Stage):
        return value.kind
    if isinstance(value, dict):
        named = value.get("kind", next(iter(value)) if len(value) == 1 else None)
        return named.partition("@")[0] if isinstance(named, str) else None
    return value.partition("@")[0] if isinstance(value, str) else None


def in_plain_form(tree: dict[str, Any], positions: Positions, within: Key = ()) -> None:
    """Bring `{top: {number: 5}}` into the form `{kind: top, number: 5}`, in all boxes at or below a path.

    So whoever lays something over a stage, or names its parameters, finds it in one form.
    """
    for path, holder, key in _stages_in(tree, (), within):
        value = holder[key]
        if not isinstance(value, dict) or len(value) != 1 or "kind" in value:
            continue
        ((kind, parameters),) = value.items()
        if parameters is not None and not isinstance(parameters, dict):
            continue
        if kind in kinds(str(box_at(path) or box_at(path[:-1]))):
            holder[key] = {"kind": kind, **(parameters or {})}
            positions.move((*path, kind), path)


def _stages_in(value: Any, path: Key, within: Key) -> list[tuple[Key, Any, Any]]:
    """Where stages stand in a tree: path, what holds them, and under which key."""
    found: list[tuple[Key, Any, Any]] = []
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
    for key, below in pairs:
        here = (*path, key)
        if here[: len(within)] != within[: len(here)]:
            continue
        if isinstance(below, dict) and (box_at(here) or (box_at(path) and isinstance(value, list))):
            found.append((here, value, key))
        elif isinstance(below, dict | list) and len(here) < _DEEPEST:
            found += _stages_in(below, here, within)
    return found


_DEEPEST = 6
"""So deep are stages at most: `datasets`, its name, `sweep`, the box, a name, a number."""
