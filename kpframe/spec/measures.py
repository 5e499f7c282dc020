"""What a run measures: pairs of a metric and a matching, by themselves or as the family of a preset.

A preset is a shipped file that sets all conventions of one family of published figures together: each of
its measures has the family's own name, a metric and a matching.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kpframe.errors import SpecError, suggestion
from kpframe.files.resources import manifest, resource_path
from kpframe.spec.stages import StageBuilder, building
from kpframe.spec.strict_yaml import Key, Positions, read_yaml
from kpframe.stages import Matching, Metric

__all__ = [
    "DEFAULT_MATCHINGS",
    "DEFAULT_METRICS",
    "SUBSETS",
    "Measure",
    "Preset",
    "absent_of",
    "bounded_columns",
    "distinct_matchings",
    "load_preset",
    "measures",
    "preset_names",
    "together",
]

SUBSETS = {"all": "keep", "present": "split", "absent": "only"}
"""The phrases that are evaluated, and what that is called as a parameter `absent` of a matching."""

DEFAULT_METRICS = ("r_precision",)
DEFAULT_MATCHINGS = ("exact", "approximate")
"""What is measured where nobody says it, by a spec, `kpframe score` and `kpframe.score` alike."""

_FOLDER = "presets/"


@dataclass(frozen=True)
class Measure:
    """A metric under a matching, in the column `name/group`: a subset, or the label of the matching."""

    name: str
    group: str
    metric: Metric
    matching: Matching

    @property
    def column(self) -> str:
        """The name of its column in tables."""
        return f"{self.name}/{self.group}"

    def to_spec(self) -> dict[str, Any]:
        """Plain values, as a spec has them under `measures`."""
        return {
            "name": self.name,
            "group": self.group,
            "metric": self.metric.to_spec(),
            "matching": self.matching.to_spec(),
        }


@dataclass(frozen=True)
class Preset:
    """A family of conventions: where it is used, and its measures in the order of its file."""

    name: str
    title: str
    source: str
    notes: str
    measures: tuple[Measure, ...]

    def chosen(self, subsets: Sequence[str] = (), *, texts: bool = True) -> tuple[Measure, ...]:
        """The measures of some subsets (all by default); without texts, those that need none."""
        for name in subsets:
            absent_of(name)
        found = tuple(
            measure
            for measure in self.measures
            if (not subsets or measure.group in subsets) and (texts or not measure.matching.needs_text())
        )
        if not found:
            what = f"no measure for {', '.join(subsets)}" if subsets else "no measure"
            without = "" if texts else " that needs no text"
            remedy = "leave the subset out" if texts else "give documents with their text"
            raise SpecError.at(f"preset {self.name}", f"has {what}{without}", remedy)
        return found


def absent_of(subset: str) -> str:
    """What a subset is called as a parameter `absent`; SpecError for one that does not exist."""
    if subset not in SUBSETS:
        raise SpecError.at("subset", f"unknown subset {subset!r}", suggestion(subset, SUBSETS))
    return SUBSETS[subset]


def preset_names() -> list[str]:
    """The shipped presets."""
    return sorted(name.removeprefix(_FOLDER) for name in manifest() if name.startswith(_FOLDER))


def load_preset(name: str) -> Preset:
    """The preset called `name`; SpecError that lists them all if there is none."""
    if name not in preset_names():
        raise SpecError.at(f"preset {name!r}", "is not shipped", suggestion(name, preset_names()))
    tree = read_yaml(resource_path(f"{_FOLDER}{name}"), Positions())
    with building(f"preset {name}") as builder:
        found = tuple(_from_preset(builder, tree))
    return Preset(name, tree["title"], tree["source"], tree["notes"].strip(), found)


def bounded_columns(measures: Mapping[str, Measure]) -> frozenset[str]:
    """Those of some columns whose values lie in 0 … 1."""
    return frozenset(column for column, measure in measures.items() if measure.metric.bounded)


def together(own: Iterable[Measure], presets: Iterable[tuple[str, Iterable[Measure]]]) -> list[Measure]:
    """Measures beside those of presets, by the names of the presets.

    What is the same stands once. Where families call different measures by one name (F@10 of pke counts
    duplicates, that of Kim et al. does not), the group says of which preset each is: `F@10/all (pke)`.
    """
    listed = [(name, measure) for name, of_preset in presets for measure in of_preset]
    found = list(own)
    meant: dict[str, set[Measure]] = {}
    for measure in [*found, *(measure for _, measure in listed)]:
        meant.setdefault(measure.column, set()).add(measure)
    known = set(found)
    for name, measure in listed:
        if measure not in known:
            known.add(measure)
            one_of_several = len(meant[measure.column]) > 1
            found.append(replace(measure, group=f"{measure.group} ({name})") if one_of_several else measure)
    return found


def _from_preset(builder: StageBuilder, tree: Mapping[str, Any]) -> Iterator[Measure]:
    for subset in tree.get("subsets", [None]):
        for name, given in tree["measures"].items():
            if subset is not None and subset not in given.get("subsets", SUBSETS):
                continue
            metric = {**tree.get("metric", {}), **given.get("metric", {})}
            matching = {**tree.get("matching", {}), **given.get("matching", {})}
            if subset is not None:
                matching["absent"] = SUBSETS[subset]
            label, _, group = name.partition("/")
            item = {"name": label, "group": subset or group, "metric": metric, "matching": matching}
            measure = _measure(builder, item, (name,))
            if measure is not None:
                yield measure


def measures(builder: StageBuilder, items: Any) -> Iterator[Measure]:
    """The measures that a spec lists; what is wrong is noted in `builder`."""
    if not isinstance(items, list):
        builder.complain(("measures",), "must be a list", "of {name: …, metric: …, matching: …}")
        return
    for i, item in enumerate(items):
        measure = _measure(builder, item, ("measures", i))
        if measure is not None:
            yield measure


def _measure(builder: StageBuilder, item: Any, path: Key) -> Measure | None:
    if not isinstance(item, Mapping) or not {"metric", "matching"} <= item.keys():
        builder.complain(path, "needs a metric and a matching", "write {metric: f1@5, matching: exact}")
        return None
    for key in item:
        if key not in ("name", "group", "metric", "matching"):
            builder.complain((*path, key), "unknown key", suggestion(str(key), ("name", "group", "metric")))
    metric = builder.stage("metrics", item["metric"], (*path, "metric"), Metric)  # type: ignore[type-abstract]
    matching = builder.stage("matching", item["matching"], (*path, "matching"), Matching)  # type: ignore[type-abstract]
    if metric is None or matching is None:
        return None
    name, group = item.get("name") or metric.label(), item.get("group") or matching.kind
    if not _is_word(name) or not _is_word(group):
        builder.complain(path, "name and group must be words without a slash", "as `name: f1@5`")
        return None
    return Measure(name, group, metric, matching)


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "/" not in value


def distinct_matchings(given: Iterable[Measure]) -> dict[Matching, str]:
    """Each distinct matching with a label of its own: the group of its first measure, numbered at need."""
    labels: dict[Matching, str] = {}
    for measure in given:
        if measure.matching not in labels:
            label, number = measure.group, 2
            while label in labels.values():
                label, number = f"{measure.group}-{number}", number + 1
            labels[measure.matching] = label
    return labels
