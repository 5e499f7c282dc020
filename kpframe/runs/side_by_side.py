"""Several finished runs beside each other: what each is called, and whether they were evaluated alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from os import PathLike, fspath
from pathlib import Path

from kpframe.errors import DataError, Problem
from kpframe.runs.finished import FinishedRun

__all__ = ["named_runs", "unequal_recipes"]


def named_runs(paths: Sequence[str | PathLike[str]]) -> list[FinishedRun]:
    """Read runs and give each a name of its own: that of its folder, or else the path as it was given."""
    folders = [Path(path).resolve() for path in paths]
    for number, folder in enumerate(folders):
        if folder in folders[:number]:
            raise DataError.at(fspath(paths[number]), "is given twice", "leave one out")
    names = [folder.name for folder in folders]
    if len(set(names)) < len(names):
        names = [fspath(path).rstrip("/\\") for path in paths]
    return [FinishedRun(fspath(path), name=name) for path, name in zip(paths, names, strict=True)]


def unequal_recipes(
    runs: Sequence[FinishedRun], column: str, *, apart_from: Collection[str] = ()
) -> DataError | None:
    """An error that says in which parameters runs differ under the same name of a column."""
    first = runs[0].columns.parameters(column)
    problems: list[Problem] = []
    for run in runs[1:]:
        own = run.columns.parameters(column)
        for name in dict.fromkeys([*first, *own]):
            ours, theirs = own.get(name, "none"), first.get(name, "none")
            if ours != theirs and name not in apart_from:
                problem = f"has {name}:{ours}, and {runs[0].name} has {name}:{theirs}"
                problems.append(Problem(f"{run.name}: {column}", problem, "evaluate both runs alike"))
    return DataError(problems) if problems else None
