"""From a value in a spec to a stage, with every mistake told by its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from kpframe.errors import KpframeError, Problem, SpecError
from kpframe.files.urls import is_url
from kpframe.spec.strict_yaml import Key, Positions
from kpframe.stages import Predictions, Reader, Stage
from kpframe.stages.registry import kinds, lookup
from kpframe.stages.wrong_parameters import shown, wrong_parameters

__all__ = ["StageBuilder", "building", "make_stage"]

S = TypeVar("S", bound=Stage)

_WHOLE = re.compile("[0-9]{1,19}")
_OF_PYTHON = re.compile(r"[\s_]|^\+")


def make_stage(folder: str, value: Any, place: str, base: type[S]) -> S:
    """The one stage that `value` describes, as a spec has it.

    Raises SpecError with everything that is wrong, told at `place`. Relative paths are relative to the
    current folder.
    """
    with building(place) as builder:
        made = builder.stage(folder, value, (), base)
    assert made is not None  # or there were problems
    return made


@contextmanager
def building(place: str) -> Iterator[StageBuilder]:
    """A builder for values that stand in no spec, told at `place`; SpecError at the end for all problems."""
    builder = StageBuilder(Positions(fallback=place))
    yield builder
    if builder.problems:
        raise SpecError(builder.problems)


class StageBuilder:
    """Builds stages and collects problems, so that all are reported at once."""

    def __init__(self, positions: Positions) -> None:
        self.positions = positions
        self.problems: list[Problem] = []

    def complain(self, path: Key, problem: str, remedy: str = "") -> None:
        """Note a problem at a path of the spec."""
        name = ".".join(map(str, path))
        place = self.positions.place(path)
        self.problems.append(Problem(f"{place}: {name}" if name else place, problem, remedy))

    def repeat(self, error: KpframeError, path: Key, *, places: bool = False) -> None:
        """Note at a path what an error says; with its own `places` where they tell more."""
        for found in error.problems:
            where = f"{found.place}: " if places and found.place else ""
            self.complain(path, f"{where}{found.problem}", found.remedy)

    def stage(self, folder: str, value: Any, path: Key, base: type[S]) -> S | None:
        """The stage that `value` describes or is, or None after noting what is wrong."""
        if isinstance(value, Stage):
            if isinstance(value, base):
                return value
            self.complain(path, f"{value.kind} cannot stand here", f"a {base.__name__.lower()} is needed")
            return None
        kind, parameters = self._parts(folder, value, path)
        if kind is None:
            return None
        kind, at, short = kind.partition("@")
        try:
            cls = lookup(folder, kind)
        except KpframeError as error:
            self.repeat(error, path)
            return None
        if at:
            if not cls.short:
                self.complain(path, f"{kind} has no short form with @", f"write {{kind: {kind}, …}}")
                return None
            parameters = {
                cls.short: int(short) if _WHOLE.fullmatch(short) else short,
                **parameters,
            }
        if not issubclass(cls, base):
            self.complain(path, f"{kind} cannot stand here", f"a {base.__name__.lower()} is needed")
            return None
        return self._validated(cls, self._with_paths(cls, parameters, path), path)

    def predictions(self, value: Any, path: Key, *, look: bool) -> Predictions | None:
        """What another program predicted: a file, by its path or with parameters; `look`: it must exist."""
        given = {"path": value} if isinstance(value, str) else value
        if not isinstance(given, dict):
            self.complain(path, "must name a file", "as `predictions: mine.jsonl` or {path: mine.jsonl, …}")
            return None
        paths = self._with_paths(Predictions, given, path)
        if isinstance(value, str):
            paths["path"] = _placed(self.positions.folder(path), value)
        made = self._validated(Predictions, paths, path)
        for parameter, problem, remedy in made.problems(()) if made and look else ():
            self.complain((*path, parameter), problem, remedy)
        return made

    def _parts(self, folder: str, value: Any, path: Key) -> tuple[str | None, dict[str, Any]]:
        if isinstance(value, str):
            return value, {}
        if isinstance(value, dict):
            if isinstance(value.get("kind"), str):
                return value["kind"], {k: v for k, v in value.items() if k != "kind"}
            if len(value) == 1:
                (kind, parameters), *_ = value.items()
                if kind in kinds(folder) and (parameters is None or isinstance(parameters, dict)):
                    return kind, parameters or {}
        remedy = f"write `kind:` with one of: {', '.join(kinds(folder))}"
        self.complain(path, f"names no kind (given: {shown(value)})", remedy)
        return None, {}

    def _with_paths(self, cls: type[Stage], parameters: dict[str, Any], path: Key) -> dict[str, Any]:
        """Relative paths are relative to the file in which they are written."""
        resolved = dict(parameters)
        for name in cls.paths:
            *above, last = name.split(".")
            holder = resolved
            for part in above:
                if not isinstance(holder.get(part), dict):
                    break
                holder[part] = dict(holder[part])
                holder = holder[part]
            value = holder.get(last)
            folder = self.positions.folder((*path, *above, last))
            if isinstance(value, list) and all(isinstance(item, str) for item in value):
                holder[last] = [_placed(folder, item) for item in value]
            elif isinstance(value, str):
                holder[last] = _placed(folder, value)
            if is_url(value) and not issubclass(cls, Reader | Predictions):
                problem = "is a URL, which only texts and predictions may be"
                self.complain((*path, *above, last), problem, "give a file of this machine")
        return resolved

    def _validated(self, cls: type[S], parameters: dict[str, Any], path: Key) -> S | None:
        try:
            made = cls.model_validate(parameters)
        except ValidationError as error:
            for wrong in wrong_parameters(cls, error, parameters):
                self.complain((*path, *wrong.at), wrong.problem, wrong.remedy)
        except KpframeError as error:
            self.repeat(error, path)
        else:
            grouped = [name for name, value in parameters.items() if _is_grouped(value, getattr(made, name))]
            for name in grouped:
                plain = _OF_PYTHON.sub("", parameters[name])
                self.complain((*path, name), f"{parameters[name]} is a text, no number", f"write {plain}")
            return None if grouped else made
        return None


def _placed(folder: Path, path: str) -> str:
    """A path relative to a folder; standard input and URLs stay as they are."""
    return path if path in ("", "-") or is_url(path) else str(folder / path)


def _is_grouped(given: Any, made: Any) -> bool:
    """Whether a text was taken for a number that is one for Python alone, as `1_000`, `+3` or ` 3`."""
    number = isinstance(made, int | float) and not isinstance(made, bool)
    return isinstance(given, str) and number and _OF_PYTHON.search(given) is not None
