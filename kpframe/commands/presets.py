"""`kpframe presets [NAME]`."""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import dataclass

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "list the families of conventions, or show one with its measures"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="one preset, as kpeval")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    name: str | None = None


def execute(options: Options) -> int:
    """List the families of conventions, or show one: what it is, and the recipe of each measure."""
    from kpframe.evaluation.tallies import signature
    from kpframe.spec.measures import load_preset, preset_names

    if options.name is None:
        for name in preset_names():
            print(f"{name:12} {load_preset(name).title}")
        return 0
    preset = load_preset(options.name)
    print(f"{preset.name}: {preset.title}\n{preset.source}\n\n{textwrap.fill(preset.notes, 96)}\n")
    for measure in preset.measures:
        recipe = signature(measure.metric, measure.matching, 0).split("|docs:")[0]
        print(f"{measure.column}\n    {recipe}")
    return 0
