"""A pipeline as users of other libraries give it: by name, by path, as plain values, or ready made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from kpframe.engine.pipeline import Pipeline
from kpframe.errors import SpecError
from kpframe.spec import build
from kpframe.spec.settings import apply_settings
from kpframe.spec.strict_yaml import Positions

__all__ = ["PipelineLike", "pipeline_of"]

PipelineLike = Pipeline | str | Path | Mapping[str, Any]
"""A `Pipeline`; the name of a shipped one or a path to a spec or model; or a spec as a mapping."""

_NOT_HERE = ("extends", "model")
_IGNORED = ("documents", "reference", "split")


def pipeline_of(given: PipelineLike, settings: Sequence[str] = ()) -> Pipeline:
    """The pipeline that `given` means, changed by `settings` (`path=value`, as on the command line).

    Raises SpecError for a spec that is wrong, for settings of a ready-made pipeline, and for a mapping
    that extends another spec or names a model: these are for files. The documents, split and reference
    of a mapping are ignored, as those of a file are.
    """
    if isinstance(given, Pipeline):
        if settings:
            raise SpecError.at("settings", "have no effect on a ready-made pipeline", "load it with them")
        return given
    if isinstance(given, str | Path):
        return Pipeline.load(given, settings=settings)
    if not isinstance(given, Mapping):
        problem = f"must be a name, a path, a mapping or a Pipeline, not {type(given).__name__}"
        raise SpecError.at("pipeline", problem, "as pipeline='textrank'")
    return _of_mapping(given, settings)


def _of_mapping(given: Mapping[str, Any], settings: Sequence[str]) -> Pipeline:
    for key in _NOT_HERE:
        if key in given:
            remedy = "give the name or path of a spec, and what differs as settings"
            raise SpecError.at("pipeline", f"{key} has no effect in a mapping", remedy)
    tree = {key: deepcopy(value) for key, value in given.items() if key not in _IGNORED}
    tree.setdefault("name", "pipeline")
    positions = Positions(fallback="pipeline")
    apply_settings(tree, positions, settings)
    spec = build(tree, positions, purpose="extract")
    if len(spec.configurations) != 1:
        problem = f"is a grid of {len(spec.configurations)} configurations"
        raise SpecError.at("pipeline", problem, "give a spec with one")
    return Pipeline.of(spec.configurations[0], None, spec.resolved)
