"""What an earlier run left beside the cells of a folder: what the present one does not write goes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

from kpframe.errors import KpframeError
from kpframe.runs.codec import decode_marker
from kpframe.runs.seals import ALWAYS, PAGE, sealed_beside
from kpframe.spec.strict_yaml import Positions, read_yaml
from kpframe.stages.registry import lookup

__all__ = ["drop_earlier", "shown"]

_RESOLVED = "resolved.yaml"
_READ = (*ALWAYS, "conclusions.json")
"""What a page is made of beside the cells; no tables, which nothing reads again."""
_NEEDED = (_RESOLVED, "run.json", "log.jsonl", "sealed.json", PAGE, "cells", "fitted", ".work")
"""What no report writes."""
_ELSEWHERE = ("documents", "reference", "printed")
"""Parts of a spec that say where files are: what is in them is told beside the cells."""


def drop_earlier(run: Path, written: Collection[str]) -> list[str]:
    """Remove what an earlier run wrote beside the cells and is none of `written`; what was there, by name.

    Known are the files that it has sealed, or those of the reports of its spec, where it did not come to its
    end: nothing else is touched.
    """
    sealed = sealed_beside(run)
    known = {*(_of_reports(run / _RESOLVED) if sealed is None else sealed)} - {*ALWAYS, *written}
    gone = [name for name in sorted(known) if _may_go(PurePath(name)) and (run / name).is_file()]
    for name in gone:
        (run / name).unlink()
    return gone


def _may_go(name: PurePath) -> bool:
    """Whether a report may have written it: seals may have been changed, to name what lies elsewhere."""
    inside = not name.is_absolute() and ".." not in name.parts
    return inside and name.parts[:1] not in [(needed,) for needed in _NEEDED]


def shown(run: Path) -> Mapping[str, Any] | None:
    """What tells whether a page of the run would be another: its spec, its cells, and what is beside them.

    None for a run that did not come to its end, or is damaged.
    """
    sealed = sealed_beside(run)
    try:
        tree = read_yaml(run / _RESOLVED, Positions(fallback=_RESOLVED))
        marker = decode_marker((run / "run.json").read_text(encoding="utf-8"))
        spec = {key: value for key, value in tree.items() if key not in _ELSEWHERE}
    except (KpframeError, OSError, ValueError, AttributeError):
        return None
    if sealed is None:
        return None
    beside = {name: seal for name, seal in sealed.items() if name in _READ}
    return {"spec": spec, "cells": dict(marker.keys), "beside": beside}


def _of_reports(resolved: Path) -> Iterator[str]:
    """The files of the reports of a spec that was run, as far as their kinds are still there."""
    if not resolved.is_file():
        return
    try:
        reports: Any = read_yaml(resolved, Positions(fallback=str(resolved))).get("reports") or []
        kinds = [one["kind"] if isinstance(one, dict) else one for one in reports]
    except (KpframeError, OSError, AttributeError, LookupError, TypeError, ValueError):
        return  # damaged, as is `sealed.json`: nobody knows
    for kind in filter(lambda kind: isinstance(kind, str), kinds):
        try:
            yield from lookup("reports", kind).files  # type: ignore[attr-defined]
        except KpframeError:
            continue
