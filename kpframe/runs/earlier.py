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
_NEEDED = (_RESOLVED, "run.json", "log.jsonl", "sealed.json", PAGE)
"""What no report writes."""
_ELSEWHERE = ("documents", "reference", "printed")
"""Parts of a spec that say where files are: what is in them is told beside the cells."""


def drop_earlier(run: Path, written: Collection[str]) -> list[str]:
    """Remove what an earlier run wrote beside the cells and is none of `written`; what was there, by name.

    Known are the files that it has sealed and those of the reports of its spec: nothing else is touched.
    """
    known = {*(sealed_beside(run) or {}), *_of_reports(run / _RESOLVED)} - {*ALWAYS, *_NEEDED, *written}
    gone = [name for name in sorted(known) if PurePath(name).name == name and (run / name).is_file()]
    for name in gone:
        (run / name).unlink()
    return gone


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
        return  # damaged: it is written anew, and `sealed.json` knows the same
    for kind in filter(lambda kind: isinstance(kind, str), kinds):
        try:
            yield from lookup("reports", kind).files  # type: ignore[attr-defined]
        except KpframeError:
            continue
