"""One experiment over many data sets: what they share stands once, and each says what it has of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from kpframe.errors import KpframeError, Problem, SpecError, suggestion
from kpframe.spec.build import build
from kpframe.spec.grid import names_a_folder
from kpframe.spec.load import expand, inherited, merged, tell_unused
from kpframe.spec.settings import Setting, apply_settings, in_order
from kpframe.spec.strict_yaml import Positions
from kpframe.spec.values import Spec

__all__ = ["DataSets", "load_specs"]

_BELOW = 3
"""From so many keys on, a setting is for what a data set has: `datasets.NAME.…`."""

_NOT_THERE = ("datasets", "extends", "name")
"""What a data set cannot say."""


@dataclass(frozen=True)
class DataSets:
    """A checked spec over many data sets: for each that is wanted, by its name, the whole spec.

    `names` are those of all.
    """

    name: str
    description: str
    names: tuple[str, ...]
    specs: Mapping[str, Spec]


def load_specs(
    name: str | Path,
    *,
    settings: Sequence[str] = (),
    data: str | Path | None = None,
    only: Sequence[str] = (),
    purpose: Literal["run", "check"] = "run",
) -> Spec | DataSets:
    """Load and check a spec that may have `datasets`; SpecError with everything that is wrong with any.

    The value of each data set is laid over the rest of the spec, as a spec is over the one that it extends:
    mappings merge, everything else replaces. It is a mapping, or the name (or path) of a spec. `settings`
    win over both; those that begin with `datasets.NAME` are for one of them. `only` names those wanted.
    """
    variables = {} if data is None else {"KPFRAME_DATA": str(data)}
    positions = Positions(fallback=str(name))
    tree = inherited(str(name), positions)
    tree.setdefault("name", Path(str(name)).stem)
    if tree.get("datasets") is None:
        if only:
            raise SpecError.at("--only", f"{name} has no data sets to choose from", "leave it out")
        apply_settings(tree, positions, settings)
        tell_unused(name, variables, tree)
        return build(expand(tree, (), positions, variables), positions, purpose=purpose)
    given = in_order(settings)
    apply_settings(tree, positions, [one for one in given if _of_a_whole_one(one)])
    chosen = _chosen(tree, positions, only)
    rest = [one for one in given if one.keys[0] != "datasets"]
    own = _own_settings(given, tree["datasets"], chosen)
    specs: dict[str, Spec] = {}
    problems: list[Problem] = []
    for dataset in chosen:

        def made(dataset: str = dataset) -> Spec:
            whole, places = _whole(tree, positions, dataset)
            apply_settings(whole, places, rest, own[dataset])
            return build(expand(whole, (), places, variables), places, purpose=purpose)

        _collect(made, dataset, specs, problems)
    if problems:
        raise SpecError(list(dict.fromkeys(problems)))
    return DataSets(
        str(tree["name"]), str(tree.get("description") or ""), tuple(map(str, tree["datasets"])), specs
    )


def _of_a_whole_one(setting: Setting) -> bool:
    """Whether a setting is a whole data set, or all of them."""
    return setting.keys[0] == "datasets" and len(setting.keys) < _BELOW


def _own_settings(
    given: Sequence[Setting], datasets: Mapping[str, Any], chosen: Sequence[str]
) -> dict[str, list[Setting]]:
    """What is set for one data set alone, without `datasets.NAME`: it is laid over all that the set has."""
    found: dict[str, list[Setting]] = {name: [] for name in chosen}
    for setting in given:
        if setting.keys[0] != "datasets" or _of_a_whole_one(setting):
            continue
        name = setting.keys[1]
        if name not in datasets:
            raise SpecError.at(setting.place, f"{name} is no data set", suggestion(name, datasets))
        if name not in found:
            raise SpecError.at(setting.place, f"has no effect: --only leaves {name} out", "leave it out")
        found[name].append(setting.below(2))
    return found


def _collect(made: Callable[[], Spec], dataset: str, specs: dict[str, Spec], problems: list[Problem]) -> None:
    try:
        specs[dataset] = made()
    except KpframeError as error:
        problems += [Problem(f"{p.place} (data set {dataset})", p.problem, p.remedy) for p in error.problems]


def _chosen(tree: Mapping[str, Any], positions: Positions, only: Sequence[str]) -> list[str]:
    place = f"{positions.place(('datasets',))}: datasets"
    datasets = tree["datasets"]
    if not isinstance(datasets, dict) or not datasets:
        raise SpecError.at(place, "must map names to data sets", "as {mine: {documents: …}, theirs: {…}}")
    folders = [name.casefold() for name in datasets]
    for name in datasets:
        if not names_a_folder(name) or folders.count(name.casefold()) > 1:
            problem = f"the name {name!r} cannot name a folder of its own"
            raise SpecError.at(place, problem, "use letters, digits, - and _; case does not tell apart")
    for name in only:
        if name not in datasets:
            raise SpecError.at(f"--only {name}", "is no data set", suggestion(name, datasets, "there are"))
    return [name for name in datasets if name in only or not only]


def _whole(tree: Mapping[str, Any], positions: Positions, dataset: str) -> tuple[dict[str, Any], Positions]:
    """The spec of one data set, with the places of its values."""
    path = ("datasets", dataset)
    shared = {key: deepcopy(value) for key, value in tree.items() if key != "datasets"}
    places = Positions(
        dict(positions.places), dict(positions.files), positions.fallback, set(positions.settings)
    )
    places.forget(("datasets",))
    value, own = tree["datasets"][dataset], Positions(fallback=positions.place(path))
    where = positions.place(path)
    if isinstance(value, str):
        try:
            value = inherited(value, own, positions.folder(path))
        except KpframeError as error:
            raise error.moved(f"{where}: datasets.{dataset}") from None
        value.pop("name", None)  # a spec of its own has one
    elif isinstance(value, dict):
        inside = [key for key in positions.places if key[:2] == path and key[2:]]
        own.places.update({key[2:]: positions.places[key] for key in inside})
        own.files.update({key[2:]: positions.files[key] for key in inside if key in positions.files})
        own.settings.update(key[2:] for key in inside if key in positions.settings)
        value = deepcopy(value)
    else:
        remedy = "as {documents: …, reference: …}, or the name of a spec"
        raise SpecError.at(f"{where}: datasets.{dataset}", "must say what the data set has", remedy)
    for key in _NOT_THERE:
        if key in value:
            problem = f"datasets.{dataset}.{key}: has no effect in a data set"
            raise SpecError.at(f"{own.place((key,))}: {problem}", "it is laid over the spec", "leave it out")
    whole = merged(shared, value, places, own)
    whole["name"] = dataset
    return whole, places
