"""Specs written to files, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import dedent
from typing import Any, Literal

from kpframe.errors import SpecError
from kpframe.spec import Spec, build, load_spec

CHAIN: dict[str, Any] = {"name": "g", "candidates": "tokens", "ranking": "frequency"}
"""The least tree that is a pipeline."""


def write(text: str | bytes, name: str = "grid.yaml") -> Path:
    """Write a spec into the working directory; returns its relative path."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else dedent(text).encode("utf-8"))
    return path


def problems(
    text: str,
    *,
    settings: Iterable[str] = (),
    purpose: Literal["run", "extract", "check"] = "check",
    name: str = "grid.yaml",
) -> list[str]:
    """The lines of the error that a spec causes; empty if there is none."""
    path = write(text, name)
    try:
        load_spec(path, settings=list(settings), purpose=purpose)
    except SpecError as error:
        return str(error).split("\n")
    return []


def tree_problems(tree: dict[str, Any], purpose: Literal["run", "extract", "check"] = "check") -> list[str]:
    """The same for a tree of plain values."""
    try:
        build(tree, purpose=purpose)
    except SpecError as error:
        return str(error).split("\n")
    return []


def loaded(text: str, *settings: str, purpose: Literal["run", "extract", "check"] = "check") -> Spec:
    """The checked spec."""
    return load_spec(write(text), settings=list(settings), purpose=purpose)
