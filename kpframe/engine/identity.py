"""What a run's numbers depend on besides its spec: versions, models, resources, data."""

from __future__ import annotations

import hashlib
import importlib.metadata
import inspect
import json
import os
import platform
from functools import cache
from pathlib import Path
from typing import Any

from kpframe.engine.spool import Spool
from kpframe.errors import ResourceError
from kpframe.files.resources import manifest
from kpframe.language.models import fingerprint
from kpframe.spec import Spec
from kpframe.version import __version__

__all__ = [
    "PACKAGES",
    "SHOWING",
    "code_fingerprint",
    "digest",
    "environment",
    "package_versions",
    "source_fingerprint",
    "source_of",
]

PACKAGES = ("spacy", "numpy", "scipy", "scikit-learn", "networkx", "nltk", "pydantic", "pyyaml")
"""The packages whose versions may move a number."""

SHOWING = ("__main__.py", "cli.py", "commands", "htmlreport", "integrations", "display", "analysis")
"""The parts of kpframe that only show what was computed: no value of a cell depends on them."""


def digest(value: Any) -> str:
    """A short stable identifier of plain values (128 bits of SHA-256, hexadecimal)."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


@cache
def code_fingerprint(*stages: type) -> str:
    """A hash of kpframe's own source, what only shows results left out, and of `stages` from elsewhere.

    Results of other code are never taken for results of this.
    """
    package = Path(__file__).parent.parent
    content = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        if file.relative_to(package).parts[0] in SHOWING:
            continue
        content.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    for cls in stages:
        if not cls.__module__.startswith("kpframe."):
            content.update(source_of(cls))
    return content.hexdigest()[:32]


def package_versions() -> dict[str, str | None]:
    """The installed version of each package that matters, None where it is missing."""
    versions: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    return versions


def environment(spec: Spec, spool: Spool) -> dict[str, Any]:
    """The content of `environment.json`."""
    models = {}
    for language in spec.languages:
        try:
            models[language] = fingerprint(language)
        except ResourceError:
            models[language] = "not installed"
    return {
        "kpframe": __version__,
        "code": code_fingerprint(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": package_versions(),
        "language_models": models,
        "resources": {name: entry["sha256"] for name, entry in sorted(manifest().items())},
        "data": {
            "hash": spool.data_hash,
            "documents": len(spool.entries),
            "training": len(spool.part("train")),
            "evaluated": len(spool.part("test")),
            "characters": sum(entry.characters for entry in spool.entries),
            "skipped": [{"place": s.place, "reason": s.reason} for s in spool.skipped],
        },
    }


@cache
def source_fingerprint(*classes: type) -> str:
    """A hash of the source that annotations depend on, so that changed code never meets old results."""
    package = Path(__file__).parent.parent
    files = {*(package / "preprocessing").glob("*.py"), *(package / "language").glob("*.py")}
    wanted = sorted(files)
    content = hashlib.sha256()
    for file in wanted:
        content.update(file.relative_to(package).as_posix().encode() + file.read_bytes())
    for cls in classes:
        content.update(source_of(cls))
    return content.hexdigest()[:32]


@cache
def source_of(cls: type) -> bytes:
    """The file in which a stage is written; for one of an interactive session, bytes never seen before."""
    try:
        return Path(inspect.getsourcefile(cls) or "").read_bytes()
    except (OSError, TypeError):
        return os.urandom(32)
