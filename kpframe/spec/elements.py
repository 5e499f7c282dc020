"""Elements of lists, as settings name them: by the name or number that each has before anything is set.

So two settings that exchange two stages do the same in either order. A parameter is looked for in what stands
there when all elements are replaced; a name that means two elements by then is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from kpframe.errors import SpecError, suggestion
from kpframe.spec.boxes import box_at, kind_of
from kpframe.spec.strict_yaml import Key

__all__ = ["Elements", "Gone", "One", "no_such", "numbers_of"]

_NUMBER = re.compile("0|[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Gone:
    """Stands for an element that is taken out until all settings are applied: they count as the spec does."""

    was: Any
    place: str


class One(list[Any]):
    """A box that is not written as a list: parameters of its only stage may be named without its kind."""


@dataclass
class Elements:
    """What the elements of all lists were called before anything was set, and which were replaced since."""

    names: dict[Key, list[Any]] = field(default_factory=dict)
    replaced: dict[Key, str] = field(default_factory=dict)

    def number(self, items: list[Any], key: str, path: Key, place: str, *, replaces: bool) -> int:
        """The number of the element that a key names in the list at a path.

        `replaces`: another element will stand there, so only what it was called before counts. Raises
        SpecError told at `place` where there is no such element, or several.
        """
        there = [item.was if isinstance(item, Gone) else item for item in items]
        before = self.names.setdefault(path, [_called(item) for item in there])
        found = numbers_of(before, key)
        now = [] if replaces else numbers_of(there, key)
        numbers = sorted({*found, *now})
        if len(numbers) > 1:
            listed = " or ".join(map(str, numbers))
            raise SpecError.at(
                place, f"{key} stands {len(numbers)} times", f"name it by its number: {listed}"
            )
        if not numbers:
            raise no_such(path, key, map(_called, before if replaces else there), place)
        (number,) = numbers
        item = items[number]
        if isinstance(item, Gone) and place != item.place:
            raise SpecError.at(place, f"{key} is taken out by {item.place}", "leave one of the two out")
        other = self.replaced.get((*path, number), "")
        if not (replaces or now) and other:
            remedy = f"name what stands there then, {_called(item)}, or leave one of the two out"
            raise SpecError.at(place, f"{key} is replaced by {other}", remedy)
        return number

    def changed(self, path: Key, place: str) -> None:
        """Note that something else stands at a path, and what was known of lists below it no longer holds."""
        for known in (self.names, self.replaced):
            for key in [key for key in known if key[: len(path)] == path]:
                del known[key]
        if path and isinstance(path[-1], int):
            self.replaced[path] = place


def numbers_of(items: Sequence[Any], key: str) -> list[int]:
    """The numbers of the elements that a key names: as it is written, or by the kind, or by the number."""
    written = [number for number, item in enumerate(items) if "@" in key and item == key]
    found = written or [number for number, item in enumerate(items) if kind_of(item) == key]
    if not found and _NUMBER.fullmatch(key) and int(key) < len(items):
        found = [int(key)]
    return found


def no_such(path: Key, key: str, known: Iterable[Any], place: str) -> SpecError:
    """The error for what is not there, with what is."""
    where = ".".join(map(str, path))
    offered = list(map(str, known))
    if not offered:
        remedy = f"it is empty; give all of it, as --set {where}=…"
    else:
        remedy = suggestion(key, offered, "it has", listed=_numbered(offered) if box_at(path) else None)
    return SpecError.at(place, f"{where} has no {key!r}", remedy)  # type: ignore[return-value]


def _called(item: Any) -> Any:
    """What an element is called, without its parameters."""
    return item if isinstance(item, str) else kind_of(item) or item


def _numbered(names: Sequence[str]) -> Iterator[str]:
    yield from (f"{name} ({number})" for number, name in enumerate(names))
