"""What workers must know of a run: its cells, what they learn, and by what they are evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from kpframe.engine.annotating import Preprocessing
from kpframe.engine.cache import AnnotationCache, cache_folder
from kpframe.engine.fitting import Fit
from kpframe.engine.losses import cutoff
from kpframe.engine.named_files import NamedFiles
from kpframe.engine.tree import CellPlan, Tree, grown
from kpframe.stages import Matching, Metric, Ranker

__all__ = ["Plan"]


@dataclass(frozen=True)
class Plan:
    """All that workers must know of a run.

    `measures` have a metric and a matching's label by column; `given` is where predictions lie. Without a
    `cache`, each machine has its own. `files` are what stages name, as the keys of the cells have them.
    """

    spool: Path
    cache: Path | None
    cells: tuple[CellPlan, ...]
    fits: tuple[Fit, ...]
    matchings: Mapping[str, Matching]
    measures: Mapping[str, tuple[Metric, str]]
    save: int
    given: Path | None = None
    states: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    files: NamedFiles = field(default_factory=NamedFiles)

    @cached_property
    def annotation_cache(self) -> AnnotationCache:
        """The cache on disk."""
        return AnnotationCache(self.cache or cache_folder())

    @cached_property
    def tree(self) -> Mapping[Preprocessing, Tree]:
        """The chains of all cells; fitted states are restored once a process."""
        restored: dict[tuple[Any, str], Ranker] = {}

        def ranker(cell: CellPlan) -> Ranker:
            if not cell.fit:
                return cell.ranking
            where = (cell.ranking, cell.fit)
            if where not in restored:
                restored[where] = cell.ranking.restore(self.states[cell.fit])
            return restored[where]

        return grown(self.cells, ranker)

    @cached_property
    def probable(self) -> frozenset[str]:
        """The cells whose scores are probabilities."""
        return frozenset(cell.name for cell in self.cells if cell.ranking.probability)

    @cached_property
    def cutoffs(self) -> Mapping[str, int | str]:
        """Label of a matching → how many phrases the first column with it looks at: so far go its losses."""
        found: dict[str, Metric] = {}
        for metric, label in self.measures.values():
            found.setdefault(label, metric)
        return {label: cutoff(metric) for label, metric in found.items()}

    def __getstate__(self) -> dict[str, Any]:
        """Without what each process makes for itself."""
        return {own.name: getattr(self, own.name) for own in fields(self)}
