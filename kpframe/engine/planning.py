"""What a run has to do: the chain of every cell, and the keys by which they are resumed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from kpframe.engine.annotating import Preprocessing
from kpframe.engine.fitting import Fit
from kpframe.engine.identity import cell_key
from kpframe.engine.named_files import NamedFiles
from kpframe.engine.plan import Plan
from kpframe.engine.spool import Spool
from kpframe.engine.tree import CellPlan
from kpframe.spec import Configuration, Spec

__all__ = ["only_pending", "plan_run"]


def plan_run(
    spec: Spec, spool: Spool, cache: Path, given: Path, files: NamedFiles
) -> tuple[Plan, dict[str, str]]:
    """The chains of all cells, and the key that identifies each cell; `given` is where predictions lie.

    What a cell's key covers says `kpframe.engine.identity`. FilesChanged if `files` are not what they were.
    """
    return files.steadily(lambda: _planned(spec, spool, cache, given, files))


def _planned(
    spec: Spec, spool: Spool, cache: Path, given: Path, files: NamedFiles
) -> tuple[Plan, dict[str, str]]:
    cells: list[CellPlan] = []
    fits: dict[str, Fit] = {}
    keys: dict[str, str] = {}
    for configuration in spec.configurations:
        preprocessing = _preprocessing(spec, configuration)
        fit = Fit.of(configuration, preprocessing)
        if fit is not None:
            fits.setdefault(fit.id, fit)
        cells.append(
            CellPlan(
                configuration.name,
                preprocessing,
                configuration.selection,
                configuration.ranking,
                fit.id if fit else "",
                configuration.postprocessing,
                configuration.predictions is not None,
            )
        )
        used = (*preprocessing.cleaners, *preprocessing.annotators)
        keys[configuration.name] = cell_key(spec, configuration, used, spool.data_hash)
    plan = Plan(
        spool=spool.path,
        cache=cache,
        cells=tuple(cells),
        fits=tuple(fits.values()),
        matchings=spec.matchings,
        measures={column: (m.metric, spec.labels[column]) for column, m in spec.measures.items()},
        save=spec.save,
        given=given if any(cell.given for cell in cells) else None,
        files=files,
    )
    return plan, keys


def _preprocessing(spec: Spec, configuration: Configuration) -> Preprocessing:
    """The annotators that any cell with the same preprocessing needs: one pass serves them all."""
    alike = [c for c in spec.configurations if c.preprocessing == configuration.preprocessing]
    needed = frozenset().union(*(c.required() for c in alike))
    return Preprocessing.of(configuration.preprocessing, needed)


def only_pending(plan: Plan, pending: Collection[str]) -> Plan:
    """The part of a plan that is still to be done."""
    cells = tuple(cell for cell in plan.cells if cell.name in pending)
    wanted = {cell.fit for cell in cells}
    return replace(plan, cells=cells, fits=tuple(fit for fit in plan.fits if fit.id in wanted))
