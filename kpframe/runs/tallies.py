"""What run folders say of their systems, document by document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from kpframe.errors import DataError, Problem
from kpframe.evaluation.tallies import Tally, signature
from kpframe.runs.finished import RunFiles
from kpframe.spec.measures import measures
from kpframe.spec.stages import StageBuilder, building
from kpframe.stages import Matching, Metric

__all__ = ["FinishedRun", "Tallies", "named_runs", "unequal_recipes"]

Tallies = dict[str, dict[str, Tally | None]]
"""By cell and document id what was counted; None for a document that failed."""

Recipe = tuple[Metric, Matching]

_PROVENANCE = ("docs", "spec", "kpframe")


@dataclass(frozen=True)
class FinishedRun:
    """A run folder read back: its recipes by column, and the tallies of its cells by column.

    `unfinished` are cells that the spec has and the folder does not.
    """

    name: str
    recipes: Mapping[str, Recipe]
    tallies: Mapping[str, Tallies]
    unfinished: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: str | PathLike[str], name: str) -> FinishedRun:
        """Read a run folder; DataError if it is none, is damaged or holds no finished cell."""
        run = RunFiles(fspath(path))
        stages = _recipes(run)
        places = _places([matching for _, matching in stages])
        recipes: dict[str, Recipe] = {}
        tallies: dict[str, Tallies] = {}
        failures: Tallies = {cell: {} for cell in run.every_cell}
        for cell in run.every_cell:
            where = str(run.path / "cells" / cell)
            for record in run.records(cell, "scores.jsonl"):
                if "failure" in record:
                    failures[cell][record["id"]] = None
                    continue
                for column, recipe, tally in _counted(record, stages, places, where):
                    recipes.setdefault(column, recipe)
                    tallies.setdefault(column, {}).setdefault(cell, {})[record["id"]] = tally
        whole = {
            column: {cell: {**cells.get(cell, {}), **failures[cell]} for cell in run.every_cell}
            for column, cells in tallies.items()
        }
        return cls(name, recipes, whole, run.unfinished)

    def parameters(self, column: str) -> dict[str, str]:
        """The parameters that a column was computed with, by the names that they have in signatures."""
        metric, matching = self.recipes[column]
        head, *rest = signature(metric, matching, 0).split("|")
        pairs = (part.partition(":") for part in rest)
        return {"metric": head, **{name: value for name, _, value in pairs if name not in _PROVENANCE}}


def named_runs(paths: Sequence[str | PathLike[str]]) -> list[FinishedRun]:
    """Read runs and give each a name of its own: that of its folder, or else the path as it was given."""
    folders = [Path(path).resolve() for path in paths]
    for number, folder in enumerate(folders):
        if folder in folders[:number]:
            raise DataError.at(fspath(paths[number]), "is given twice", "leave one out")
    names = [folder.name for folder in folders]
    if len(set(names)) < len(names):
        names = [fspath(path).rstrip("/\\") for path in paths]
    return [FinishedRun.read(path, name) for path, name in zip(paths, names, strict=True)]


def _recipes(run: RunFiles) -> list[Recipe]:
    """The metrics and matchings of all columns, in the order of the columns."""
    with building(str(run.resolved)) as builder:
        if "measures" in run.tree:
            listed = measures(builder, run.tree["measures"])
            return [(measure.metric, measure.matching) for measure in listed]
        metrics = _stages(builder, run.tree, "metrics", Metric)
        return list(product(metrics, _stages(builder, run.tree, "matching", Matching)))


def _stages(builder: StageBuilder, tree: Mapping[str, Any], key: str, base: type[Any]) -> list[Any]:
    return [builder.stage(key, value, (key, i), base) for i, value in enumerate(tree.get(key) or [])]


def _places(matchings: Sequence[Matching]) -> list[int]:
    """For the matching of each column its number among the distinct ones, as records have them."""
    numbers: dict[Matching, int] = {}
    return [numbers.setdefault(matching, len(numbers)) for matching in matchings]


def _counted(
    record: Mapping[str, Any], stages: Sequence[Recipe], places: Sequence[int], where: str
) -> Iterator[tuple[str, Recipe, Tally]]:
    """The columns of a document, which stand in the order of their recipes, with what was counted."""
    try:
        matched = list(record["matches"].values())
        rows = zip(record["counts"].items(), stages, places, strict=True)
        for (column, counts), recipe, place in rows:
            of = matched[place]
            yield column, recipe, Tally(tuple(counts), of["gold"], of["predicted"])
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        document = f"{where}: document {record['id']!r}"
        problem = "is not as the spec of the run says"
        raise DataError.at(document, problem, "run the experiment again") from None


def unequal_recipes(runs: Sequence[FinishedRun], column: str) -> DataError | None:
    """An error that says in which parameters runs differ under the same name of a column."""
    first = runs[0].parameters(column)
    problems: list[Problem] = []
    for run in runs[1:]:
        own = run.parameters(column)
        for name in dict.fromkeys([*first, *own]):
            ours, theirs = own.get(name, "none"), first.get(name, "none")
            if ours != theirs:
                problem = f"has {name}:{ours}, and {runs[0].name} has {name}:{theirs}"
                problems.append(Problem(f"{run.name}: {column}", problem, "evaluate both runs alike"))
    return DataError(problems) if problems else None
