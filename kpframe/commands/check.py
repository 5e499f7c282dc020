"""`kpframe check SPEC`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from kpframe.commands import _arguments, counted, tell
from kpframe.commands._inputs import PassedOver, is_source
from kpframe.errors import SpecError

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "check a spec without reading any text, or whether texts can be read"


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
    quiet: bool = False


def execute(options: Options) -> int:
    """Report everything that is wrong with a spec, before any text is read."""
    from kpframe.files.resources import manifest, resource_path
    from kpframe.spec import DataSets, load_specs

    if is_source(options.spec):
        return _check_texts(options)
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


def _check_texts(options: Options) -> int:
    """What files hold, read to their end; what cannot be read is named."""
    from kpframe.commands._look import look_at
    from kpframe.display.marks import harmless

    if options.settings or options.resolved:
        flag = "--resolved" if options.resolved else "--set"
        raise SpecError.at(flag, "has no effect on texts", "leave it out, or give a spec")
    found = look_at([options.spec], "auto", "a spec says it by documents.language")
    print("\n".join(harmless(finding, keep="") for finding in found.findings))
    left_out = PassedOver()
    items = found.read if options.spec == "-" else found.reader().read()  # what was typed is gone
    documents = sum(1 for _ in left_out.documents(items))
    tell(f"{options.spec}: {counted(documents, 'document')}, {left_out.count:,} skipped")
    return left_out.close(quiet=options.quiet)
