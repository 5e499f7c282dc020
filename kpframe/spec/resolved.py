"""What a checked spec says with all defaults filled in: running that gives the same results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kpframe.errors import without_secrets
from kpframe.files.urls import is_url
from kpframe.spec.values import Configuration, Spec
from kpframe.stages import Stage

__all__ = ["resolved"]


def resolved(spec: Spec, *, listed: bool) -> dict[str, Any]:
    """A checked spec as plain values with all defaults; `listed`: its measures one by one."""
    made: dict[str, Any] = {"name": spec.name}
    if spec.description:
        made["description"] = spec.description
    if spec.reader:
        made["documents"] = _with_absolute_paths(spec.reader)
    if spec.split:
        made["split"] = spec.split.model_dump(mode="json", exclude_none=True)
    made.update(_with_all_parameters(spec.configurations))
    if listed:
        made["measures"] = [measure.to_spec() for measure in spec.measures.values()]
    else:
        made["matching"] = [stage.to_spec() for stage in spec.matchings.values()]
        metrics = dict.fromkeys(measure.metric for measure in spec.measures.values())
        made["metrics"] = [stage.to_spec() for stage in metrics]
    made["reports"] = [stage.to_spec() for stage in spec.reports]
    if spec.reference:
        made["reference"] = spec.reference.model_dump(mode="json", exclude_none=True)
    if spec.printed:
        made["printed"] = [one.model_dump(mode="json", exclude_none=True) for one in spec.printed]
    if spec.model:
        made["model"] = without_secrets(spec.model)
    made["save"] = spec.save
    return made


def _with_all_parameters(configurations: Sequence[Configuration]) -> dict[str, Any]:
    """What the boxes of all configurations are: `systems`, what the grid shares, and `sweep`."""
    systems: dict[str, Any] = {}
    shared: dict[str, Any] = {}
    sweep: dict[str, dict[str, Any]] = {}
    for configuration in configurations:
        if "system" in configuration.axes:
            systems[configuration.name] = _system(configuration)
            continue
        for box, value in configuration.to_spec().items():
            if box in configuration.axes:
                sweep.setdefault(box, {})[configuration.axes[box]] = value
            else:
                shared[box] = value
    return {**({"systems": systems} if systems else {}), **shared, **({"sweep": sweep} if sweep else {})}


def _system(configuration: Configuration) -> dict[str, Any]:
    plain = configuration.to_spec()
    if configuration.predictions is not None:
        plain["predictions"] = _with_absolute_paths(configuration.predictions)
    return plain


def _with_absolute_paths(reader: Stage) -> dict[str, Any]:
    """What a resolved spec says of its files: the same wherever the file that says it lies."""
    plain = reader.to_spec()
    for name in reader.paths:
        value = plain.get(name)
        if isinstance(value, list):
            plain[name] = [_absolute(item) for item in value]
        elif isinstance(value, str):
            plain[name] = _absolute(value)
    return plain


def _absolute(path: str) -> str:
    """A path that says the same everywhere; of a URL what anybody may know."""
    if path in ("", "-"):
        return path
    return without_secrets(path) if is_url(path) else str(Path(path).absolute())
