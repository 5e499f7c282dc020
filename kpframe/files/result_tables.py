"""Tables with results of `kpframe extract`: in a folder of partitions those that its manifests call done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kpframe.errors import DataError, KpframeError, counted
from kpframe.files.extraction_state import ExtractionState
from kpframe.files.partitions import Partition, is_as_made, manifest_of, others, tables_of
from kpframe.files.urls import is_folder, joined

__all__ = ["ResultTables", "result_tables"]

_NAMED = 5
_NEEDED = ("input", "identity", "result", "sha256")
"""What a manifest must say of a result that is done."""
_AGAIN = "run its `kpframe extract` again"


@dataclass(frozen=True)
class ResultTables:
    """Paths of tables. `apart`: each has whole documents of its own, whatever their ids are."""

    paths: tuple[str, ...]
    apart: bool = False


def result_tables(
    path: str, lacks: Callable[[str], None], told: Callable[[str], None] = lambda line: None
) -> ResultTables:
    """The tables in a file, a folder or a pattern, in the order of their names.

    `lacks` gets lines about what is left out, or mixed; `told` those about what may be as it should.
    A result that is not as it was made is left out of many, and told of one that is named itself.
    DataError where there is no table, where none is done, or where two are results of one input.
    """
    found = dict(tables_of(path, skip=lambda one: lacks(f"{one.place}: {one.reason}")))
    if not found:
        raise DataError.at(path, "has no table", "name what `kpframe extract --out` wrote")
    folder = _folder(found)
    if not is_folder(joined(folder, "_manifest")):
        return ResultTables(tuple(found.values()))
    done = {name: known for name in found if (known := _done(folder, name)) is not None}
    altered = [name for name, known in done.items() if not is_as_made(known, found[name])]
    if path in found.values():
        if altered:
            lacks(f"{path}: is not as it was made; read all the same; to have that again, {_AGAIN}")
        return ResultTables(tuple(found.values()))
    left = [name for name in found if name not in done]
    done = {name: known for name, known in done.items() if name not in altered}
    if not done:
        raise DataError.at(path, "has no result that is done, and as it was made", _AGAIN)
    if left:
        lacks(f"{path}: left out, since no manifest calls them done: {_named(left)}")
    if altered:
        lacks(f"{path}: left out, since they are not as they were made: {_named(altered)}; {_AGAIN}")
    if is_folder(path) and (gone := others([Partition("", folder, name) for name in found])):
        lacks(f"{path}: results are gone that manifests call done: {_named(gone)}")
    _refuse_twice(path, folder, done)
    _tell_mixed(path, folder, done, lacks, told)
    return ResultTables(tuple(found[name] for name in done), apart=True)


def _folder(found: Mapping[str, str]) -> str:
    name, place = next(iter(found.items()))
    return place.removesuffix(name).rstrip("/") or "/"


def _done(folder: str, name: str) -> Mapping[str, Any] | None:
    """What the manifest of a result says; None where there is none, or the result is of older input."""
    try:
        known = manifest_of(Partition("", folder, name))
        return known if known["complete"] and all(known[name] for name in _NEEDED) else None
    except (OSError, ValueError, KeyError, TypeError, KpframeError):
        return None


def _refuse_twice(path: str, folder: str, done: Mapping[str, Mapping[str, Any]]) -> None:
    first: dict[str, str] = {}
    for name, known in done.items():
        other = first.setdefault(known["input"], name)
        if other != name:
            problem = f"{other} and {name} are both results of {known['input']}"
            raise DataError.at(path, problem, f"name those of one run, as {joined(folder, '*.jsonl')!r}")


def _tell_mixed(
    path: str,
    folder: str,
    done: Mapping[str, Mapping[str, Any]],
    lacks: Callable[[str], None],
    told: Callable[[str], None],
) -> None:
    ways: dict[str, str] = {}
    for name, known in done.items():
        ways.setdefault(known["identity"], name)
    if len(ways) > 1:
        firsts = _named([*ways.values()])
        lacks(f"{path}: results were made in {len(ways)} ways (pipeline, options): {firsts}")
    try:
        state = ExtractionState.read(folder)
    except DataError:  # `kpframe status` says so
        return
    if state is not None and state.failed and is_folder(path):
        lacks(f"{path}: {counted(state.failed, 'partition')} failed, and not in it: {_named(state.named)}")
    if state is not None and state.others and is_folder(path):
        told(f"{path}: {state.others:,} of its results are of other inputs than those of the last extraction")


def _named(names: Sequence[str]) -> str:
    return f"{', '.join(names[:_NAMED])}{f' and {len(names) - _NAMED:,} more' if len(names) > _NAMED else ''}"
