"""`kpframe check SPEC`."""

from __future__ import annotations

from typing import Any

from kpframe.commands import counted, tell
from kpframe.spec import load_spec

__all__ = ["execute"]


def execute(options: Any) -> int:
    """Report everything that is wrong with a spec, before any text is read."""
    spec = load_spec(options.spec, settings=options.settings, data=options.data, purpose="check")
    if options.resolved:
        print(spec.to_yaml(), end="")
    cells = counted(len(spec.configurations), "configuration")
    what = "a pipeline without documents: for extract" if spec.reader is None else cells
    tell(f"{options.spec}: no problems ({what})")
    return 0
