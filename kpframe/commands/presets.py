"""`kpframe presets [NAME]`."""

from __future__ import annotations

import textwrap
from typing import Any

from kpframe.evaluation.tallies import signature
from kpframe.spec.measures import load_preset, preset_names

__all__ = ["execute"]


def execute(options: Any) -> int:
    """List the families of conventions, or show one: what it is, and the recipe of each measure."""
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
