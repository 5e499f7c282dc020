"""What a run has to do: cells grouped by what they share, and the keys by which they are resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from kpframe.engine.annotating import Preprocessing
from kpframe.engine.fitting import Fit
from kpframe.engine.identity import cell_key
from kpframe.engine.spool import Spool
from kpframe.engine.walk import CellPlan, Group, Plan
from kpframe.spec import Configuration, Spec

__all__ = ["only_pending", "plan_run"]


def plan_run(spec: Spec, spool: Spool, cache: Path) -> tuple[Plan, dict[str, str]]:
    """Groups of cells that share their candidates, and the key that identifies each cell.

    What a cell's key covers says `kpframe.engine.identity`.
    """
    groups: dict[tuple[Any, ...], Group] = {}
    fits: dict[str, Fit] = {}
    keys: dict[str, str] = {}
    for configuration in spec.configurations:
        preprocessing = _preprocessing(spec, configuration)
        fit = Fit.of(configuration, preprocessing)
        if fit is not None:
            fits.setdefault(fit.id, fit)
        cell = CellPlan(
            configuration.name, configuration.ranking, fit.id if fit else "", configuration.postprocessing
        )
        where = (preprocessing, configuration.selection)
        group = groups.get(where, Group(preprocessing, configuration.selection, ()))
        groups[where] = replace(group, cells=(*group.cells, cell))
        used = (*preprocessing.cleaners, *preprocessing.annotators)
        keys[configuration.name] = cell_key(spec, configuration, used, spool.data_hash)
    plan = Plan(
        spool=spool.path,
        cache=cache,
        groups=tuple(groups.values()),
        fits=tuple(fits.values()),
        matchings=spec.matchings,
        measures={column: (m.metric, spec.labels[column]) for column, m in spec.measures.items()},
        save=spec.save,
    )
    return plan, keys


def _preprocessing(spec: Spec, configuration: Configuration) -> Preprocessing:
    """The annotators that any cell with the same preprocessing needs: one pass serves them all."""
    alike = [c for c in spec.configurations if c.preprocessing == configuration.preprocessing]
    needed = frozenset().union(*(c.required() for c in alike))
    return Preprocessing.of(configuration.preprocessing, needed)


def only_pending(plan: Plan, pending: set[str]) -> Plan:
    """The part of a plan that is still to be done."""
    groups = []
    for group in plan.groups:
        cells = tuple(cell for cell in group.cells if cell.name in pending)
        if cells:
            groups.append(replace(group, cells=cells))
    wanted = {cell.fit for group in groups for cell in group.cells}
    return replace(plan, groups=tuple(groups), fits=tuple(fit for fit in plan.fits if fit.id in wanted))
