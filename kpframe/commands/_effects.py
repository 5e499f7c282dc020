"""What is asked for and cannot be: options without effect, files under names that promise something else."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from kpframe.errors import SpecError, nearest

__all__ = ["format_of", "need_ending", "refuse_contradiction", "refuse_without_effect"]

_FLAGS = {"columns": "--column", "settings": "--set", "cells": "--cell", "corpora": "NAME"}


def refuse_without_effect(options: Any, names: Collection[str], where: str) -> None:
    """SpecError for the first of the options `names` that was given; `where` it does nothing: `on a run`."""
    for name in names:
        if getattr(options, name) not in (None, (), False):
            flag = _FLAGS.get(name, f"--{name.replace('_', '-')}")
            raise SpecError.at(flag, f"has no effect {where}", "leave it out")


def format_of(out: str | None, given: str | None, endings: Mapping[str, str]) -> str:
    """The format that was `given`, or else that of the ending of `out`; text for a name without one.

    Raises SpecError for an ending that stands for another format than the one given, or for none that can be
    written.
    """
    ending = Path(out or "").suffix
    known = endings.get(ending.lower())
    if given is not None:
        refuse_contradiction(out, known, given, endings)
        return given
    if not ending:
        return "text"
    if known is None:
        near = nearest(ending, endings)
        remedy = f"did you mean {near}?" if near else f"end it with {', '.join(endings)}, or say --format"
        raise SpecError.at(f"--out {out}", f"{ending} is no format that can be written", remedy)
    return known


def refuse_contradiction(out: str | None, known: str | None, given: str, endings: Mapping[str, str]) -> None:
    """SpecError where the ending of `out` stands for the `known` format, and another one was `given`."""
    if out is not None and known not in (None, given):
        own = " or ".join(ending for ending, name in endings.items() if name == given)
        remedy = f"end it with {own}, or leave out --format {given}"
        raise SpecError.at(f"--out {out}", f"is the name of a file of {known}, not of {given}", remedy)


def need_ending(option: str, path: str | None, *allowed: str) -> None:
    """SpecError for the name of a file whose ending is that of another format than the one written."""
    ending = Path(path or "").suffix
    if ending and ending.lower() not in allowed:
        what = f"{ending} is not the format that is written"
        raise SpecError.at(f"{option} {path}", what, f"end it with {' or '.join(allowed)}")
