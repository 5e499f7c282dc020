"""`path=value` as the command line says it: parsed, brought into order, and applied to the tree of a spec.

One rule for what a path names: a key of a mapping; in a list, an element by its kind, as it is written
(`f1@10`), or by its number (`elements.py`). `null` takes an element out of a list, and an alternative or a
system away; everywhere else it is a value. What is not there is told, with what is.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kpframe.errors import SpecError
from kpframe.spec.boxes import DEFAULTS, LISTS, box_at, has_names, in_plain_form
from kpframe.spec.elements import Elements, Gone, One, no_such, numbers_of
from kpframe.spec.strict_yaml import Key, Positions, parse_value
from kpframe.stages import Stage
from kpframe.stages.registry import kinds

__all__ = ["RIVALS", "Setting", "apply_settings", "in_order", "parsed_setting"]

RIVALS = {"path": "resource", "resource": "path"}
"""Where one of the two is given anew, the inherited other is meant no longer."""


@dataclass(frozen=True)
class Setting:
    """What is said by one `path=value`; `place` is how it is told in errors."""

    place: str
    keys: tuple[str, ...]
    value: Any

    def below(self, number: int) -> Setting:
        """The same without the first keys: said of a part of the tree."""
        return Setting(self.place, self.keys[number:], self.value)


def parsed_setting(setting: str) -> Setting:
    """The keys of the path and the value; SpecError for anything that is no `path=value`."""
    place = f"--set {setting}"
    name, equals, text = setting.partition("=") if isinstance(setting, str) else ("", "", "")
    if not equals or not name.strip():
        raise SpecError.at(place, "is not of the form path=value", "as in --set ranking.window=3")
    keys = tuple(name.strip().split("."))
    empty = next((number for number, key in enumerate(keys) if not key.strip()), None)
    if empty is not None:
        where = f"behind {'.'.join(keys[:empty])}" if empty else "at its beginning"
        remedy = "write one dot between two names, as in --set ranking.window=3"
        raise SpecError.at(place, f"the path has an empty part {where}", remedy)
    return Setting(place, keys, parse_value(text, place))


def in_order(settings: Sequence[str | Setting]) -> list[Setting]:
    """What replaces more of the tree first: a whole box, or its kind, before its parameters.

    So `ranking.window=3 ranking.kind=cooccurrence` does not lose the window. SpecError where a value that is
    said later holds what an earlier one says too, since nobody can tell which is meant.
    """
    if isinstance(settings, str):
        raise SpecError.at("settings", f"{settings!r} is one string", f"give a list, as [{settings!r}]")
    given = [one if isinstance(one, Setting) else parsed_setting(one) for one in settings]
    for number, one in enumerate(given):
        for later in given[number + 1 :]:
            depth = len(later.keys)
            above = depth < len(one.keys) and one.keys[:depth] == later.keys
            taken_out = one.value is None and isinstance(later.value, list)
            if above and not taken_out and _holds(later.value, one.keys[depth:]):
                problem = f"{'.'.join(one.keys)} stands in {later.place} too"
                raise SpecError.at(one.place, problem, "leave it out of one of the two")
    return sorted(given, key=lambda one: (len(_replaced(one.keys)), _is_of_the_only_one(one.keys)))


def apply_settings(tree: dict[str, Any], positions: Positions, *layers: Sequence[str | Setting]) -> None:
    """Change a tree in place by `path.to.parameter=value`.

    What replaces a whole part of the tree, as `ranking=…` or another `ranking.kind`, goes before what is set
    below it, whichever was said first; else the last wins. Names and numbers of elements are those of the
    spec, also where others are replaced or taken out. A later layer wins over all that an earlier one says.
    SpecError where one says what another says too.
    """
    elements = Elements()
    for given in map(in_order, layers):
        if given:
            in_plain_form(tree, positions)
        for setting in given:
            _apply(tree, positions, setting, elements)
    _take_out(tree, (), positions)


def _is_of_the_only_one(keys: tuple[str, ...]) -> bool:
    """Whether a path is a parameter of the only stage of a box, which another stage there must not lose."""
    box = box_at(keys[:-1])
    return box in LISTS and "@" not in keys[-1] and keys[-1].isidentifier() and keys[-1] not in kinds(box)


def _replaced(keys: tuple[str, ...]) -> tuple[str, ...]:
    """What a setting begins afresh: another kind has other parameters."""
    return keys[:-1] if keys[-1] == "kind" else keys


def _holds(value: Any, keys: Sequence[str]) -> bool:
    for key in keys:
        if isinstance(value, list) and len(found := numbers_of(value, key)) == 1:
            value = value[found[0]]
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            return False
    return True


def _apply(tree: dict[str, Any], positions: Positions, setting: Setting, elements: Elements) -> None:
    """One `path=value`."""
    if setting.keys[0] == "extends":
        problem = "has no effect: what is extended is read before anything is set"
        raise SpecError.at(setting.place, problem, "name it in the file")
    target: Any = tree
    path: Key = ()
    for number, key in enumerate(setting.keys[:-1]):
        index: Any = key
        if isinstance(target, list):
            replaces = setting.keys[number + 1 :] == ("kind",)
            index = _element(elements, target, key, setting, path, replaces=replaces)
        if index is None:
            (target, path), index = _inside(target, path, 0), key
        target, path = _descend(tree, target, path, index, setting, positions)
    target, path, last = _last(target, path, setting, elements)
    gone = setting.value is None and (isinstance(target, list) or has_names(path))
    path = (*path, last)
    positions.forget(path)
    if gone and isinstance(target, dict):
        del target[last]
        return
    if setting.keys[-1] == "kind":
        elements.changed(path[:-1], setting.place)
    elements.changed(path, setting.place)
    target[last] = Gone(target[last], setting.place) if gone else setting.value
    positions.places[path] = setting.place
    positions.files[path] = Path("command-line")
    positions.settings.add(path)
    in_plain_form(tree, positions, path)


def _last(target: Any, path: Key, setting: Setting, elements: Elements) -> tuple[Any, Key, Any]:
    """What holds the value, and under which key or number."""
    key = setting.keys[-1]
    if isinstance(target, list):
        number = _element(elements, target, key, setting, path, replaces=True)
        if number is not None:
            return target, path, number
        target, path = _inside(target, path, 0)
    if setting.value is None and has_names(path) and key not in target:
        raise no_such(path, key, target, setting.place)
    if key == "kind" and target.get("kind") != setting.value:
        target.clear()
    target.pop(RIVALS.get(key, ""), None)
    return target, path, key


def _descend(
    tree: dict[str, Any], target: Any, path: Key, index: Any, setting: Setting, positions: Positions
) -> tuple[Any, Key]:
    """One step down, in a mapping by its key, in a list by its number; what takes parameters is made."""
    if has_names(path) and index not in target and path[0] != "datasets":
        raise no_such(path, index, target, setting.place)
    below = (*path, index)
    child = target.get(index) if isinstance(target, dict) else target[index]
    if box_at(below) in LISTS and not isinstance(child, list):
        child = _as_list(tree, child, below, positions)
    elif child is None:
        child = {}
        positions.places.setdefault(below, setting.place)
    elif isinstance(child, str):
        child = {"kind": child}
    elif isinstance(child, Stage):
        child = child.to_spec()
    elif not isinstance(child, dict | list):
        raise SpecError.at(setting.place, f"{index} has no parameters below it", "check the path")
    target[index] = child
    return child, below


def _as_list(tree: dict[str, Any], child: Any, path: Key, positions: Positions) -> list[Any]:
    """A box that takes several stages, where it has one or says none: what it has then."""
    if child is not None:
        place = positions.place(path)
        positions.move(path, (*path, 0))
        positions.places[path] = place
        return One([child])
    box = str(box_at(path))
    measured = box in ("matching", "metrics") and tree.keys() & {"preset", "measures", "matching", "metrics"}
    above = tree.get(box) if len(path) > 1 else None
    found = above if above is not None else [] if measured and box not in tree else DEFAULTS[box]
    return One(deepcopy(found) if isinstance(found, list) else [deepcopy(found)])


def _inside(target: list[Any], path: Key, number: int) -> tuple[dict[str, Any], Key]:
    """An element as a mapping, which takes parameters."""
    found = target[number]
    if isinstance(found, Stage):
        found = found.to_spec()
    if not isinstance(found, dict):
        found = {"kind": found}
    target[number] = found
    return found, (*path, number)


def _element(
    elements: Elements, items: list[Any], key: str, setting: Setting, path: Key, *, replaces: bool
) -> int | None:
    """The number of the element that a key names; None: it is a parameter of the only one of a box."""
    may_be_parameter = isinstance(items, One) and len(items) == 1 and key.isidentifier()
    known = numbers_of(items, key) or numbers_of(elements.names.get(path, ()), key)
    if may_be_parameter and not known and setting.value is not None:
        return None
    return elements.number(items, key, path, setting.place, replaces=replaces)


def _take_out(value: Any, path: Key, positions: Positions) -> None:
    """Shorten the lists from which something is gone, and the places of what is left."""
    if isinstance(value, dict):
        for key, below in value.items():
            _take_out(below, (*path, key), positions)
            if isinstance(below, One):
                value[key] = list(below)
    if not isinstance(value, list):
        return
    kept = [number for number, item in enumerate(value) if not isinstance(item, Gone)]
    for number in set(range(len(value))).difference(kept):
        positions.forget((*path, number))
    for new, old in enumerate(kept):
        positions.move((*path, old), (*path, new))
    if len(kept) < len(value):
        place = next(item.place for item in value if isinstance(item, Gone))
        positions.places[path] = f"{positions.place(path)} and {place}"
        value[:] = [value[number] for number in kept]
    for number, below in enumerate(value):
        _take_out(below, (*path, number), positions)
