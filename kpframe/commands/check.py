"""`kpframe check SPEC`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from kpframe.commands import _arguments, counted, tell

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "check a spec without reading any text"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    _arguments.spec(parser)
    parser.add_argument("--resolved", action="store_true", help="print the spec with all defaults filled in")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    spec: str
    settings: tuple[str, ...] = ()
    data: str | None = None
    resolved: bool = False


def execute(options: Options) -> int:
    """Report everything that is wrong with a spec, before any text is read."""
    from kpframe.files.resources import manifest, resource_path
    from kpframe.spec import DataSets, load_specs

    spec = load_specs(options.spec, settings=options.settings, data=options.data, purpose="check")
    for name in manifest():
        resource_path(name)  # raises for one that is not as it was shipped
    if isinstance(spec, DataSets):
        for name, one in spec.specs.items():
            if options.resolved:
                print(f"# data set {name}\n{one.to_yaml()}", end="")
            tell(f"{name}: {counted(len(one.configurations), 'configuration')}")
        tell(f"{options.spec}: no problems ({counted(len(spec.specs), 'data set')})")
        return 0
    if options.resolved:
        print(spec.to_yaml(), end="")
    cells = counted(len(spec.configurations), "configuration")
    what = "a pipeline without documents: for extract" if spec.reader is None else cells
    tell(f"{options.spec}: no problems ({what})")
    return 0
