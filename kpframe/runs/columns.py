"""What was counted in a run, column by column: recipes, and tallies of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from kpframe.errors import DataError, SpecError
from kpframe.evaluation.tallies import Tally, signature
from kpframe.runs.records import FailedDocument, ScoredDocument
from kpframe.runs.seals import AGAIN
from kpframe.spec.measures import measures
from kpframe.spec.stages import StageBuilder
from kpframe.spec.strict_yaml import Positions
from kpframe.stages import Matching, Metric

__all__ = ["Columns", "Recipe", "Tallies", "counted_columns", "recipes_of"]

Tallies = dict[str, dict[str, Tally | None]]
"""By cell and document id what was counted; None for a document that failed."""

Recipe = tuple[Metric, Matching]

_PROVENANCE = ("docs", "spec", "kpframe")


@dataclass(frozen=True)
class Columns:
    """By column its recipe, and the tallies of all cells; empty where every document failed."""

    recipes: Mapping[str, Recipe]
    tallies: Mapping[str, Tallies]

    def parameters(self, column: str) -> dict[str, str]:
        """The parameters that a column was computed with, by the names that they have in signatures."""
        metric, matching = self.recipes[column]
        head, *rest = signature(metric, matching, 0).split("|")
        pairs = (part.partition(":") for part in rest)
        return {"metric": head, **{name: value for name, _, value in pairs if name not in _PROVENANCE}}


def recipes_of(tree: Mapping[str, Any], place: str) -> list[Recipe]:
    """The metrics and matchings of all columns of a resolved spec, in the order of the columns.

    Only these are made: systems can be compared where the stages that ranked for them are not known.
    """
    builder = StageBuilder(Positions(fallback=place))
    if "measures" in tree:
        found = [(measure.metric, measure.matching) for measure in measures(builder, tree["measures"])]
    else:
        metrics = _stages(builder, tree, "metrics", Metric)
        found = list(product(metrics, _stages(builder, tree, "matching", Matching)))
    if builder.problems:
        raise SpecError(builder.problems)
    return found


def _stages(builder: StageBuilder, tree: Mapping[str, Any], key: str, base: type[Any]) -> list[Any]:
    values = tree.get(key) or []
    if not isinstance(values, list):
        builder.complain((key,), "must be a list, as resolved specs have it", AGAIN)
        return []
    return [builder.stage(key, value, (key, i), base) for i, value in enumerate(values)]


def counted_columns(
    recipes: Sequence[Recipe], cells: Mapping[str, Iterable[ScoredDocument | FailedDocument]], place: str
) -> Columns:
    """The tallies of all cells by column; `place` is the folder of the run.

    Columns stand in the order of their recipes, and so do matchings, each once: names are not compared,
    so that a run stays readable where a version calls them otherwise.
    """
    numbers: dict[Matching, int] = {}
    places = [numbers.setdefault(matching, len(numbers)) for _, matching in recipes]
    named: dict[str, Recipe] = {}
    tallies: dict[str, Tallies] = {}
    failures: Tallies = {cell: {} for cell in cells}
    for cell, documents in cells.items():
        for document in documents:
            if isinstance(document, FailedDocument):
                failures[cell][document.id] = None
                continue
            matched = list(document.matches.values())
            if len(document.counts) != len(recipes) or len(matched) != len(numbers):
                problem = "is not as the spec of the run says"
                raise DataError.at(f"{place}/cells/{cell}: document {document.id!r}", problem, AGAIN)
            for (column, counts), recipe, number in zip(
                document.counts.items(), recipes, places, strict=True
            ):
                found = matched[number]
                named.setdefault(column, recipe)
                tallies.setdefault(column, {}).setdefault(cell, {})[document.id] = Tally(
                    counts, found.gold, found.predicted
                )
    whole = {
        column: {cell: {**known.get(cell, {}), **failures[cell]} for cell in cells}
        for column, known in tallies.items()
    }
    return Columns(named, whole)
