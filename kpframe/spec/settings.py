"""`path=value` as the command line says it: parsed, and in the order in which it is applied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kpframe.errors import SpecError
from kpframe.spec.strict_yaml import parse_value

__all__ = ["in_order", "parsed_setting"]


def parsed_setting(setting: str) -> tuple[list[str], Any]:
    """The keys of the path and the value; SpecError for anything that is no `path=value`."""
    place = f"--set {setting}"
    name, equals, text = setting.partition("=") if isinstance(setting, str) else ("", "", "")
    if not equals or not name.strip():
        raise SpecError.at(place, "is not of the form path=value", "as in --set ranking.window=3")
    return name.strip().split("."), parse_value(text, place)


def in_order(settings: Sequence[str]) -> list[str]:
    """What replaces more of the tree first: a whole box, or its kind, before its parameters.

    So `ranking.window=3 ranking.kind=cooccurrence` does not lose the window. SpecError where a value that is
    said later holds what an earlier one says too, since nobody can tell which is meant.
    """
    if isinstance(settings, str):
        raise SpecError.at("settings", f"{settings!r} is one string", f"give a list, as [{settings!r}]")
    given = [(setting, *parsed_setting(setting)) for setting in settings]
    for number, (setting, keys, _) in enumerate(given):
        for later, above, value in given[number + 1 :]:
            if len(above) < len(keys) and keys[: len(above)] == above and _holds(value, keys[len(above) :]):
                problem = f"{'.'.join(keys)} stands in --set {later} too"
                raise SpecError.at(f"--set {setting}", problem, "leave it out of one of the two")
    return [setting for setting, keys, _ in sorted(given, key=lambda one: len(_replaced(one[1])))]


def _replaced(keys: list[str]) -> list[str]:
    """What a setting begins afresh: another kind has other parameters."""
    return keys[:-1] if keys[-1] == "kind" else keys


def _holds(value: Any, keys: Sequence[str]) -> bool:
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return True
