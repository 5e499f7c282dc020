"""From folder and kind to the class of a stage; nothing is imported before it is asked for.

Stages come from the files of the stage folders, from packages that declare the entry-point group
`kpframe.stages` (entries named `folder.kind`), and from classes decorated with `@kpframe.stage`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import logging
import pkgutil
from functools import cache
from typing import TypeVar

from kpframe.errors import SpecError, suggestion
from kpframe.stages.base import FOLDERS, PARTS, Stage

__all__ = ["kinds", "lookup", "stage"]

StageClass = TypeVar("StageClass", bound=type[Stage])

log = logging.getLogger("kpframe")

_registered: dict[tuple[str, str], type[Stage]] = {}


def stage(cls: StageClass) -> StageClass:
    """Class decorator: make a stage known under its `kind` in this process.

    The class must derive from one of the bases in `kpframe.stages` and set `kind`. For workers to
    find it, it must stand in an importable module, not in an interactive session.
    """
    if not (inspect.isclass(cls) and issubclass(cls, Stage) and cls.folder in (*FOLDERS, *PARTS)):
        raise SpecError.at(
            getattr(cls, "__name__", repr(cls)),
            "is not a stage",
            "derive it from a base class in kpframe.stages, as Ranking",
        )
    if cls.__module__ == f"kpframe.{cls.folder}.{cls.kind}":
        return cls  # a file of its box is known by its name
    key = (cls.folder, cls.kind)
    if cls.kind in _builtin(cls.folder) or (
        key in _registered
        and _registered[key] is not cls
        and _registered[key].__qualname__ != cls.__qualname__
    ):
        raise SpecError.at(cls.__name__, f"the kind {cls.kind!r} exists in {cls.folder}", "choose another")
    _registered[key] = cls
    return cls


def kinds(folder: str) -> list[str]:
    """All kinds of a folder, sorted."""
    own = {kind for f, kind in _registered if f == folder}
    return sorted({*_builtin(folder), *_entry_points(folder), *own})


def lookup(folder: str, kind: str) -> type[Stage]:
    """The class of a stage. SpecError, with a suggestion, for an unknown kind."""
    if (folder, kind) in _registered:
        return _registered[folder, kind]
    others = _entry_points(folder)
    if kind in _builtin(folder):
        return _load(folder, kind)
    if kind in others:
        return _load_entry_point(folder, kind)
    raise SpecError.at(folder, f"unknown kind {kind!r}", suggestion(kind, kinds(folder)))


@cache
def _builtin(folder: str) -> frozenset[str]:
    package = importlib.import_module(f"kpframe.{folder}")
    names = (module.name for module in pkgutil.iter_modules(package.__path__))
    return frozenset(name for name in names if not name.startswith("_"))


@cache
def _load(folder: str, kind: str) -> type[Stage]:
    module = importlib.import_module(f"kpframe.{folder}.{kind}")
    found = [
        cls
        for _, cls in inspect.getmembers(module, inspect.isclass)
        if issubclass(cls, Stage) and cls.__module__ == module.__name__ and not inspect.isabstract(cls)
    ]
    if len(found) != 1:
        raise TypeError(f"{module.__name__} must define exactly one stage, not {len(found)}")
    return found[0]


@cache
def _declared() -> importlib.metadata.EntryPoints:
    """What all installed packages declare: finding it reads a file of each, so it is done once."""
    return importlib.metadata.entry_points(group="kpframe.stages")


@cache
def _entry_points(folder: str) -> dict[str, importlib.metadata.EntryPoint]:
    prefix = f"{folder}."
    found = {p.name.removeprefix(prefix): p for p in _declared() if p.name.startswith(prefix)}
    for kind in sorted(found.keys() & _builtin(folder)):
        log.warning(
            "the kind %r of %s is kpframe's own; %s, which has the same name, is not used: it needs another",
            kind,
            folder,
            found[kind].value,
        )
    return found


@cache
def _load_entry_point(folder: str, kind: str) -> type[Stage]:
    point = _entry_points(folder)[kind]
    try:
        loaded = point.load()
    except Exception as error:
        raise SpecError.at(
            f"{folder}: {kind}",
            f"the package that provides it cannot be imported ({error})",
            f"repair or remove the package behind the entry point {point.value!r}",
        ) from error
    if not (inspect.isclass(loaded) and issubclass(loaded, Stage) and loaded.folder == folder):
        raise SpecError.at(f"{folder}: {kind}", f"{point.value} is not a stage of this folder", "")
    if loaded.kind != kind:
        problem = f"{point.value} calls itself {loaded.kind!r}"
        raise SpecError.at(f"{folder}: {kind}", problem, f"set `kind: ClassVar[str] = {kind!r}` in the class")
    return loaded
