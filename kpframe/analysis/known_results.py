"""What is known of the shipped pipelines on texts of a kind, where there is no gold to measure by."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from kpframe.analysis.comparable import Comparable
from kpframe.analysis.recommendation import Measured
from kpframe.files.resources import resource_path

__all__ = ["Known", "KnownPipeline", "known", "record"]

_RESOURCE = "reference/pipelines"
_NEAR = 3.0
"""Texts are like those of a corpus if they are at most so many times longer or shorter."""


@dataclass(frozen=True)
class KnownPipeline:
    """A pipeline that learns from no gold: its mean rank on some corpora, 1 for the best there.

    `good_on` are those of them on which it was not significantly worse than the best.
    """

    pipeline: str
    rank: float
    good_on: tuple[str, ...]
    needs: tuple[str, ...]


@dataclass(frozen=True)
class Known:
    """What corpora say of texts of `words` words (median): pipelines, the best first.

    `corpora` are those whose texts are about as long, or, if `near` is false, the one that comes nearest;
    each with its median length and the mean number of its gold keyphrases. `column` is what counts.
    """

    words: int
    near: bool
    column: str
    corpora: Mapping[str, tuple[int, float]]
    pipelines: tuple[KnownPipeline, ...]

    @property
    def sure(self) -> bool:
        """Whether the first pipeline is among the best on each of at least two corpora with such texts."""
        return self.near and len(self.corpora) > 1 and len(self.pipelines[0].good_on) == len(self.corpora)


def record(found: Measured) -> dict[str, Any]:
    """What is kept of a measured corpus, as plain values; `resources/reference/pipelines.json` lists them."""
    return {
        "corpus": found.name,
        "column": found.column,
        "documents": found.documents,
        "words": found.words,
        "gold": round(found.gold, 2),
        "pipelines": [
            {
                "pipeline": row.pipeline,
                "scores": {
                    name: None if value is None else round(value, 4) for name, value in row.scores.items()
                },
                "best": sorted(row.best),
                "tied": sorted(row.tied),
                "needs": list(row.needs),
                "seconds": None if row.seconds is None else round(row.seconds, 4),
            }
            for row in found.rows
        ],
        **({} if found.complete else _left(found.compared)),
    }


def _left(compared: Comparable) -> dict[str, Any]:
    """What failed: documents by pipeline and error, and pipelines that are left out, by document."""
    return {
        "failed": {
            id: {pipeline: failure.error for pipeline, failure in own.items()}
            for id, own in compared.failed.items()
        },
        "left_out": {
            pipeline: {failure.id: failure.error for failure in own} for pipeline, own in compared.out.items()
        },
    }


def known(words: Sequence[int], records: Sequence[Mapping[str, Any]] | None = None) -> Known:
    """What is known of texts with so many words each; `records` are by default those that kpframe ships."""
    if records is None:
        records = json.loads(resource_path(_RESOURCE).read_text(encoding="utf-8"))
    middle = max(1, round(median(words)))
    distances = [abs(math.log(entry["words"] / middle)) for entry in records]
    nearest = min(distances)
    limit = max(math.log(_NEAR), nearest)
    like = [entry for entry, distance in zip(records, distances, strict=True) if distance <= limit]
    column = like[0]["column"]
    standing = [_ranked(entry, column) for entry in like]
    shared = [name for name in standing[0] if all(name in own for own in standing)]
    found = [
        KnownPipeline(
            name,
            fmean(own[name][0] for own in standing),
            tuple(entry["corpus"] for entry, own in zip(like, standing, strict=True) if own[name][1]),
            standing[0][name][2],
        )
        for name in shared
    ]
    corpora = {entry["corpus"]: (int(entry["words"]), float(entry["gold"])) for entry in like}
    ordered = tuple(sorted(found, key=lambda one: (one.rank, one.pipeline)))
    return Known(middle, nearest <= math.log(_NEAR), column, corpora, ordered)


def _ranked(entry: Mapping[str, Any], column: str) -> dict[str, tuple[int, bool, tuple[str, ...]]]:
    """By pipeline that needs no gold its rank, whether it is among the best of them, and what it needs.

    Marks of significance are against the best of all. Where a supervised pipeline is so good that no other
    is marked, the first of the others alone counts as good.
    """
    free = [row for row in entry["pipelines"] if "texts with gold" not in row["needs"]]
    ordered = sorted(free, key=lambda row: -(row["scores"][column] or 0.0))
    return {
        row["pipeline"]: (
            number,
            number == 1 or column in row["best"] or column in row["tied"],
            tuple(row["needs"]),
        )
        for number, row in enumerate(ordered, start=1)
    }
