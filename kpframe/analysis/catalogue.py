"""The corpora that kpframe knows by name, where they are expected, and what was published of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kpframe.errors import KpframeError
from kpframe.files.resources import resource_path
from kpframe.spec.load import expand
from kpframe.spec.stages import StageBuilder
from kpframe.spec.strict_yaml import Positions, read_yaml
from kpframe.stages import Reader

__all__ = ["KnownCorpus", "known_corpora"]


@dataclass(frozen=True)
class KnownCorpus:
    """A corpus: how to read it, or why it cannot be read here, and what was published of it."""

    name: str
    title: str
    origin: str
    reader: Reader | None
    missing: str = ""
    published: Mapping[str, Any] = field(default_factory=dict)


def known_corpora(data: str | Path | None = None) -> list[KnownCorpus]:
    """All known corpora; `data` is the folder that holds them (default `$KPFRAME_DATA`)."""
    positions = Positions()
    path = resource_path("corpora/catalogue")
    tree = read_yaml(path, positions)
    folder = str(data) if data is not None else os.environ.get("KPFRAME_DATA")
    return [_known(name, entry, positions, folder) for name, entry in tree.items()]


def _known(name: str, entry: Mapping[str, Any], positions: Positions, folder: str | None) -> KnownCorpus:
    builder = StageBuilder(positions)
    variables = {} if folder is None else {"KPFRAME_DATA": folder}
    reader, missing = None, ""
    try:
        where = (name, "documents")
        value = expand(entry["documents"], where, positions, variables)
        reader = builder.stage("documents", value, where, Reader)  # type: ignore[type-abstract]
        found = [problem for _, problem, _ in reader.problems(["en"])] if reader else []
        missing = "; ".join(found + [problem.problem for problem in builder.problems])
    except KpframeError as error:
        missing = "; ".join(dict.fromkeys(problem.problem for problem in error.problems))
    return KnownCorpus(
        name,
        str(entry["title"]),
        str(entry["origin"]),
        None if missing else reader,
        missing,
        entry.get("published") or {},
    )
