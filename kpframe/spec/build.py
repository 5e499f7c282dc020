"""A whole run, checked: documents × configurations, evaluation and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from kpframe.errors import KpframeError, SpecError, suggestion
from kpframe.files.resources import resource_path
from kpframe.files.urls import is_url
from kpframe.model import AUTO
from kpframe.spec.boxes import DEFAULTS
from kpframe.spec.checked_values import checked_value
from kpframe.spec.grid import GridBuilder, names_a_folder
from kpframe.spec.layers import layers_made_twice, missing_layers
from kpframe.spec.load import load_tree
from kpframe.spec.measures import (
    DEFAULT_MATCHINGS,
    DEFAULT_METRICS,
    Measure,
    bounded_columns,
    load_preset,
    measures,
    together,
)
from kpframe.spec.printed import printed_rows, reference_values
from kpframe.spec.resolved import resolved
from kpframe.spec.stages import StageBuilder
from kpframe.spec.strict_yaml import Positions
from kpframe.spec.values import Configuration, PrintedRows, Reference, Spec, Split
from kpframe.stages import FOLDERS, Matching, Metric, Reader, Report, Stage
from kpframe.stages.parts import changed

__all__ = ["TOP_LEVEL", "build", "load_spec"]

S = TypeVar("S", bound=Stage)
_F = TypeVar("_F", Reference, PrintedRows)

TOP_LEVEL = (
    "name",
    "description",
    "extends",
    "datasets",
    *FOLDERS,
    "preset",
    "measures",
    "split",
    "sweep",
    "systems",
    "reference",
    "printed",
    "model",
    "save",
)


_TAKEN_BACK = ("datasets", "preset", "measures")


def load_spec(
    name: str | Path,
    *,
    settings: Sequence[str] = (),
    data: str | Path | None = None,
    purpose: Literal["run", "extract", "check"] = "run",
) -> Spec:
    """Load, check and resolve a spec; SpecError with everything that is wrong.

    `settings` are `path=value` and win over the file; `data` is what `${KPFRAME_DATA}` stands for.
    For the purpose `extract` only the chain is needed, and the documents are not looked at; a spec
    that is checked may or may not have documents.
    """
    variables = {} if data is None else {"KPFRAME_DATA": str(data)}
    ignored = ("documents", "reference", "printed", "split", "datasets") if purpose == "extract" else ()
    tree, positions = load_tree(name, settings, variables, ignored)
    tree.setdefault("name", Path(str(name)).stem)
    return build(tree, positions, purpose=purpose)


def build(
    tree: Mapping[str, Any],
    positions: Positions | None = None,
    *,
    purpose: Literal["run", "extract", "check", "read"] = "run",
) -> Spec:
    """Check a tree of plain values and make its stages; SpecError with everything that is wrong."""
    # Null takes back what a spec says that is extended; a box that is null has its own words.
    said = {key: value for key, value in tree.items() if value is not None or key not in _TAKEN_BACK}
    builder = _SpecBuilder(said, positions or Positions(), purpose)
    spec = builder.spec()
    if builder.builder.problems:
        raise SpecError(list(dict.fromkeys(builder.builder.problems)))
    assert spec is not None
    return spec


class _SpecBuilder:
    def __init__(self, tree: dict[str, Any], positions: Positions, purpose: str) -> None:
        self.tree = tree
        self.purpose = purpose
        self.builder = StageBuilder(positions)
        self.grid = GridBuilder(tree, self.builder, look=purpose != "read")

    def spec(self) -> Spec | None:
        self._check_keys()
        reader = self._reader()
        split = self._split()
        configurations = self.grid.configurations()
        measured = self._measures()
        reports = self.grid.stages(
            "reports", self.tree.get("reports", DEFAULTS["reports"]), ("reports",), Report
        )
        self._refuse_same_files(reports)
        bounded = bounded_columns(measured)
        reference = self._reference(bounded)
        printed = list(self._printed(measured, bounded))
        save = self._save()
        model = self._path_or_resource("model")
        for configuration in configurations:
            for box, problem, remedy in missing_layers(configuration, reader):
                self.builder.complain(self._written(box, configuration), problem, remedy)
            if self.purpose != "read":
                written = self._written("preprocessing", configuration)
                for number, problem, remedy in layers_made_twice(configuration):
                    self.builder.complain((*written, number), problem, remedy)
            if self.purpose == "run" and configuration.ranking.fits_on() == "training" and not split:
                problem = f"{configuration.ranking.kind} learns from a training part, and there is none"
                self.builder.complain(("ranking",), problem, "add `split: {train: 2/3}`")
        if self.builder.problems:
            return None
        spec = Spec(
            name=str(self.tree["name"]),
            description=str(self.tree.get("description") or ""),
            reader=reader,
            split=split,
            configurations=tuple(configurations),
            measures=measured,
            reports=tuple(reports),
            reference=reference,
            printed=tuple(printed),
            model=model,
            save=save,
            languages=self.grid.languages,
        )
        spec.resolved.update(resolved(spec, listed=bool({"preset", "measures"} & self.tree.keys())))
        return spec

    def _refuse_same_files(self, reports: Sequence[Report]) -> None:
        """Each file of a run has one author: of two that write it, one would be lost."""
        authors: dict[str, str] = {}
        for number, report in enumerate(reports):
            place = ("reports", number)
            if report.kind != "json" and "summary.json" in report.files:
                self.builder.complain(
                    place, f"{report.kind} writes summary.json, as each run does", "leave it out"
                )
            taken = [file for file in report.files if file in authors]
            if taken:
                problem = f"{report.kind} writes {taken[0]}, as {authors[taken[0]]} before it does"
                self.builder.complain(place, problem, "leave one of the two out")
            authors.update(dict.fromkeys(report.files, report.kind))

    def _check_keys(self) -> None:
        if "datasets" in self.tree:
            remedy = "give the documents of one of them; `kpframe run` alone takes all, or --only DATASET"
            self.builder.complain(("datasets",), "are several specs in one, and one is wanted here", remedy)
            # The parts of this spec stand in its data sets: what is missing outside of them is not wrong.
            raise SpecError(self.builder.problems)
        for key in self.tree:
            if key not in TOP_LEVEL:
                self.builder.complain((key,), "unknown key", suggestion(key, TOP_LEVEL))
        name = self.tree.get("name")
        if not isinstance(name, str) or not names_a_folder(name):
            self.builder.complain(("name",), "must be a word that can name a folder", "as in `name: my-grid`")
        if not isinstance(self.tree.get("description", ""), str | None):
            self.builder.complain(("description",), "must be a text", "put it in quotes")

    def _reader(self) -> Reader | None:
        value = self.tree.get("documents")
        if value is None:
            if self.purpose == "run":
                self.builder.complain(
                    ("documents",), "is missing", "name a reader, as {kind: jsonl, path: …}"
                )
            return None
        reader = self.builder.stage("documents", value, ("documents",), Reader)  # type: ignore[type-abstract]
        if reader is not None:
            said = getattr(reader, "language", "en")
            self.grid.languages = () if said == AUTO else (said,)
            self.grid.ask(reader, ("documents",))
        return reader

    def _measures(self) -> dict[str, Measure]:
        """Every metric under every matching, what `measures` lists, and the measures of the presets."""
        found: list[Measure] = []
        own = [key for key in ("matching", "metrics") if key in self.tree]
        if own or not ({"preset", "measures"} & self.tree.keys()):
            matchings = self._evaluation("matching", Matching, DEFAULT_MATCHINGS)  # type: ignore[type-abstract]
            metrics = self._evaluation("metrics", Metric, DEFAULT_METRICS)  # type: ignore[type-abstract]
            found += [
                Measure(name, label, metric, matching)
                for name, metric in metrics.items()
                for label, matching in matchings.items()
            ]
        if "measures" in self.tree:
            found += measures(self.builder, self.tree["measures"])
        presets = self.tree.get("preset")
        chosen: dict[str, Sequence[Measure]] = {}
        for name in presets if isinstance(presets, list) else [] if presets is None else [presets]:
            if str(name) in chosen:
                self.builder.complain(("preset",), f"{name} stands twice", "name it once")
            try:
                chosen[str(name)] = load_preset(str(name)).measures
            except KpframeError as error:
                for problem in error.problems:
                    self.builder.complain(("preset",), f"{problem.place} {problem.problem}", problem.remedy)
        columns: dict[str, Measure] = {}
        for measure in together(found, chosen.items()):
            if columns.setdefault(measure.column, measure) is not measure:
                self.builder.complain(
                    ("measures",), f"{measure.column} stands twice", "name one of them otherwise"
                )
        return columns

    def _evaluation(self, folder: str, base: type[S], default: Sequence[str]) -> dict[str, S]:
        value = self.tree.get(folder, list(default))
        if value is None or value == []:
            self.builder.complain((folder,), "is empty", f"name at least one, as {default[0]}")
        stages = self.grid.stages(folder, value, (folder,), base)
        labels: dict[str, S] = {}
        names = Counter(map(_name, stages))
        for stage in stages:
            label = _label(stage) if names[_name(stage)] > 1 else _name(stage)
            if label in labels:
                self.builder.complain((folder,), f"{label} stands twice", "remove one of the two")
            labels[label] = stage
        return labels

    def _split(self) -> Split | None:
        value = self.tree.get("split")
        return None if value is None else checked_value(Split, value, ("split",), self.builder.complain)

    def _reference(self, bounded: Collection[str]) -> Reference | None:
        """Published values; the file is read as those of `printed` are."""
        value, key = self.tree.get("reference"), ("reference",)
        made = None if value is None else checked_value(Reference, value, key, self.builder.complain)
        before = len(self.builder.problems)
        made = made and self._with_file(made, key)
        if made and len(self.builder.problems) == before:
            self._try(partial(reference_values, made, bounded), key)
        return made

    def _try(self, read: Callable[[], object], key: tuple[str | int, ...]) -> None:
        """Read a file of values now, so that nothing of it is found out after hours."""
        try:
            if self.purpose != "read":
                read()
        except KpframeError as error:
            for found in error.problems:
                self.builder.complain(key, f"{found.place} {found.problem}", found.remedy)

    def _printed(self, measured: Mapping[str, Measure], bounded: Collection[str]) -> Iterator[PrintedRows]:
        """What publications print."""
        given = self.tree.get("printed")
        for i, value in enumerate(given if isinstance(given, list) else [] if given is None else [given]):
            key = ("printed", i) if isinstance(given, list) else ("printed",)
            made = checked_value(PrintedRows, value, key, self.builder.complain)
            before = len(self.builder.problems)
            made = made and self._with_file(made, key)
            if made is None or len(self.builder.problems) > before:
                continue
            for column in made.columns:
                if column not in measured:
                    self.builder.complain(
                        (*key, "columns"), f"{column} is no column", suggestion(column, measured)
                    )
            self._try(partial(list, printed_rows(made, bounded)), key)
            yield made

    def _with_file(self, made: _F, key: tuple[str | int, ...]) -> _F:
        """A model of values from a file, which must be there, with its whole path."""
        if (made.resource is None) == (made.path is None):
            self.builder.complain(key, "needs either `resource` or `path`", "")
        elif made.resource:
            self._resource_exists(made.resource, (*key, "resource"))
        elif made.path:
            folder = self.builder.positions.folder((*key, "path"))
            if self.purpose != "read" and not (folder / made.path).is_file():
                self.builder.complain((*key, "path"), "there is no such file", "check the path")
            return made.model_copy(update={"path": str(folder / made.path)})
        return made

    def _resource_exists(self, name: str, path: tuple[str | int, ...]) -> bool:
        try:
            resource_path(name)
        except KpframeError as error:
            for found in error.problems:
                self.builder.complain(path, f"{found.place} {found.problem}", found.remedy)
            return False
        return True

    def _path_or_resource(self, key: str) -> str | None:
        value = self.tree.get(key)
        if value is None:
            return None
        if is_url(value):
            return str(value)
        path = self.builder.positions.folder((key,)) / str(value)
        if path.is_file():
            return str(path)
        if self._resource_exists(str(value), (key,)):
            return str(resource_path(str(value)))
        return None

    def _save(self) -> int:
        value = self.tree.get("save", 1000)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            self.builder.complain(
                ("save",), "must be a whole number of at least 1", "keyphrases saved a document"
            )
            return 1000
        return value

    def _written(self, box: str, configuration: Configuration) -> tuple[str, ...]:
        """Where the spec says what a configuration has in a box."""
        if box in configuration.axes:
            return ("sweep", box, configuration.axes[box])
        system = configuration.axes.get("system")
        own = system is not None and (box in self.tree["systems"][system] or configuration.predictions)
        return ("systems", str(system), box) if own else (box,)


def _name(stage: Stage) -> str:
    return stage.label() if isinstance(stage, Metric) else stage.kind


def _label(stage: Stage) -> str:
    """The name of a metric or matching in tables where others have the same: its parameters are added."""
    own = [f"{k}={v}" for k, v in changed(stage).items() if k != stage.short]
    return f"{_name(stage)}({','.join(own)})" if own else _name(stage)
