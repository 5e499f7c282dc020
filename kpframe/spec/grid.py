"""The cells of a grid: named systems and the product of a sweep's alternatives."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from kpframe.errors import KpframeError, suggestion
from kpframe.spec.boxes import DEFAULTS
from kpframe.spec.stages import StageBuilder
from kpframe.spec.strict_yaml import Key
from kpframe.spec.values import CHAIN, Configuration
from kpframe.stages import Cleaner, Given, Postprocessor, Ranking, Selection, Stage
from kpframe.stages.bounds import apart
from kpframe.stages.predictions import UNSELECTED

__all__ = ["GridBuilder", "cell_names", "names_a_folder"]

_PREDICTED = ("predictions", "preprocessing", "postprocessing")
"""What a system of predictions may say; of preprocessing, what cleans texts."""


_LONGEST = 240
"""So many bytes a name may have: file systems take 255, and endings come behind it."""


def names_a_folder(name: str) -> bool:
    """Whether a name can be that of a folder on any file system."""
    short = len(name.encode("utf-8", "replace")) <= _LONGEST
    return (
        bool(name.strip()) and name.isprintable() and short and name[0] != "." and not set(name) & set("/\\")
    )


def cell_names(tree: Mapping[str, Any]) -> list[str]:
    """The names of all cells of a spec that is right, in order."""
    systems, sweep = tree.get("systems") or {}, tree.get("sweep") or {}
    grid = [_name(chosen, tree) for chosen in _points(sweep)] if sweep or not systems else []
    return [*systems, *grid]


def _points(sweep: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """The points of the grid: an alternative of each axis; one without any where nothing is varied."""
    axes = [axis for axis in ("ranking", "candidates", "preprocessing", "postprocessing") if axis in sweep]
    for names in product(*(sweep[axis] for axis in axes)):
        yield dict(zip(axes, names, strict=True))


def _name(chosen: Mapping[str, str], tree: Mapping[str, Any]) -> str:
    return ".".join(chosen.values()) or str(tree.get("name"))


class GridBuilder:
    """Expands `sweep` and `systems` into configurations, whose stages a `builder` makes."""

    def __init__(self, tree: dict[str, Any], builder: StageBuilder, *, look: bool) -> None:
        self.builder = builder
        self.tree = tree
        self.languages: tuple[str, ...] = ("en",)
        self.look = look
        """Whether files of predictions must be there: readers of finished runs need none."""
        self._made: dict[Key, Any] = {}

    def ask(self, stage: Stage, path: Key) -> None:
        """What a stage itself finds wrong, and the stages that it is given as parameters."""
        for name, value in stage:
            if isinstance(value, Stage):
                self.ask(value, (*path, name))
        try:
            for parameter, problem, remedy in stage.problems(self.languages):
                self.builder.complain((*path, parameter) if parameter else path, problem, remedy)
        except KpframeError as error:
            self.builder.repeat(error, path, places=True)

    def stages(self, folder: str, value: Any, path: Key, base: type[Any]) -> list[Any]:
        """The stages of a list (or of the one value) in a spec."""
        if value is None:
            return []
        if not isinstance(value, list):
            value = [value]
        made = [self.builder.stage(folder, item, (*path, i), base) for i, item in enumerate(value)]
        for i, stage in enumerate(made):
            if stage is not None:
                self.ask(stage, (*path, i))
        return [stage for stage in made if stage is not None]

    def configurations(self) -> list[Configuration]:
        """All cells, in the order in which tables show them: systems, then the grid."""
        sweep = self._mapping("sweep")
        systems = self._mapping("systems")
        for axis in [axis for axis in sweep if axis not in CHAIN]:
            self.builder.complain(("sweep", axis), "cannot be varied", suggestion(axis, CHAIN))
            return []
        for axis in sweep:
            if not isinstance(sweep[axis], dict) or not sweep[axis]:
                self.builder.complain(
                    ("sweep", axis), "must map names to alternatives", "as `tokens: {kind: tokens}`"
                )
                return []
            for name in sweep[axis]:
                if not name.strip():
                    self.builder.complain(("sweep", axis), "has an alternative without a name", "name it")
        self._check_varied(sweep)
        made = [self._system(name, value, sweep) for name, value in systems.items()]
        if sweep or not systems:
            for chosen in _points(sweep):
                made.append(self._configuration(_name(chosen, self.tree), chosen, {}, sweep))
        found = [configuration for configuration in made if configuration is not None]
        self._refuse_twins(found)
        return found

    def _refuse_twins(self, configurations: Iterable[Configuration]) -> None:
        seen: dict[str, str] = {}
        for configuration in configurations:
            folder = configuration.name.casefold()
            if folder in seen:
                twins = {seen[folder]: None, configuration.name: None}
                problem = f"two configurations are called {' and '.join(map(repr, twins))}"
                self.builder.complain(
                    ("sweep",), problem, "rename one; names that differ in case alone are the same"
                )
            system = configuration.axes.get("system")
            # What is called as the spec is was told with the spec's name.
            if not names_a_folder(folder) and (system is not None or configuration.axes):
                path = ("sweep",) if system is None else ("systems", system)
                problem = f"the name {reprlib.repr(configuration.name)} cannot name a folder"
                self.builder.complain(path, problem, "use letters, digits, - and _")
            seen[folder] = configuration.name

    def _mapping(self, key: str) -> dict[str, Any]:
        value = self.tree.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.builder.complain((key,), "must be a mapping", "of names to alternatives")
            return {}
        return value

    def _check_varied(self, sweep: Mapping[str, Any]) -> None:
        for axis in sweep:
            fixed = self.tree.get(axis)
            if fixed is not None:
                self.builder.complain(
                    (axis,),
                    "has no effect, because the sweep varies it",
                    f"remove it, or set sweep.{axis}.NAME instead",
                )

    def _system(self, name: str, value: Any, sweep: Mapping[str, Any]) -> Configuration | None:
        path = ("systems", name)
        if not isinstance(value, dict):
            self.builder.complain(
                path, "must map boxes to alternatives", "as {candidates: ngrams, ranking: kea}"
            )
            return None
        if "predictions" in value:
            return self._predicted(name, value)
        for key in [key for key in value if key not in CHAIN]:
            self.builder.complain((*path, key), "unknown key", suggestion(key, (*CHAIN, "predictions")))
        for axis in [axis for axis in sweep if axis not in value]:
            self.builder.complain(path, f"does not say which {axis}", f"add `{axis}:`")
            return None
        return self._configuration(name, {"system": name}, value, sweep)

    def _predicted(self, name: str, value: Mapping[str, Any]) -> Configuration | None:
        """What another program predicted, on cleaned texts as the others have; steps are its own alone."""
        path = ("systems", name)
        for key in [key for key in value if key not in _PREDICTED]:
            self.builder.complain(
                (*path, key), "has no effect beside predictions", f"it takes {', '.join(_PREDICTED)}"
            )
        predictions = self.builder.predictions(value["predictions"], (*path, "predictions"), look=self.look)
        cleaning = value.get("preprocessing", self.tree.get("preprocessing"))
        where = (*path, "preprocessing") if "preprocessing" in value else ("preprocessing",)
        cleaners = tuple(
            one for one in self._chain("preprocessing", cleaning, where) if isinstance(one, Cleaner)
        )
        steps = self._chain("postprocessing", value.get("postprocessing"), (*path, "postprocessing"))
        if predictions is None:
            return None
        axes = {"system": name}
        return Configuration(name, axes, cleaners, UNSELECTED, Given(), steps, predictions)

    def _configuration(
        self, name: str, chosen: Mapping[str, str], own: Mapping[str, Any], sweep: Mapping[str, Any]
    ) -> Configuration | None:
        values: dict[str, tuple[Any, Key]] = {}
        for box in CHAIN:
            alternative = chosen.get(box, own.get(box))
            if isinstance(alternative, str) and alternative in sweep.get(box, {}):
                values[box] = (sweep[box][alternative], ("sweep", box, alternative))
            elif box in own:
                values[box] = (own[box], ("systems", name, box))
            else:
                values[box] = (self.tree.get(box), (box,))
        for box in ("candidates", "ranking"):
            if values[box][0] is None:
                self.builder.complain(values[box][1], f"{name} has no {box}", f"add `{box}:`")
                return None
        selection = self._once("candidates", *values["candidates"], Selection)
        ranking = self._once("ranking", *values["ranking"], Ranking)
        preprocessing = self._chain("preprocessing", *values["preprocessing"])
        postprocessing = self._chain("postprocessing", *values["postprocessing"])
        if selection is None or ranking is None:
            return None
        if self.look:
            chain = [("candidates", selection), ("ranking", ranking)]
            self._refuse_apart([*chain, *(("postprocessing", step) for step in postprocessing)], values)
        return Configuration(name, dict(chosen), preprocessing, selection, ranking, postprocessing)

    def _refuse_apart(
        self, stages: Sequence[tuple[str, Stage]], values: Mapping[str, tuple[Any, Key]]
    ) -> None:
        """Stages that change at other lengths of a text than those before them; told where one was set."""
        for box, other, problem, remedy in apart(stages):
            path, before = values[other][1], values[box][1]
            place = self.builder.positions.place(before)
            self.builder.complain(path, f"{problem} ({'.'.join(map(str, before))} stands in {place})", remedy)

    def _once(self, folder: str, value: Any, path: Key, base: type[Any]) -> Any:
        """Build a stage that many cells share once, so that its mistakes are told once."""
        if path not in self._made:
            stage = self.builder.stage(folder, value, path, base)
            if stage is not None:
                self.ask(stage, path)
            self._made[path] = stage
        return self._made[path]

    def _chain(self, folder: str, value: Any, path: Key) -> tuple[Any, ...]:
        if path not in self._made:
            default = DEFAULTS[folder]
            base: type[Any] = Stage if folder == "preprocessing" else Postprocessor
            self._made[path] = tuple(self.stages(folder, default if value is None else value, path, base))
        found: tuple[Any, ...] = self._made[path]
        return found
