"""`kpframe run SPEC`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from kpframe.commands import _arguments, tell

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "run an experiment, or resume it"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    _arguments.spec(parser)
    parser.add_argument("--out", metavar="DIR", help="folder of the results (default: runs/NAME)")
    parser.add_argument(
        "--only", action="append", metavar="DATASET", help="of the data sets of a spec; may be repeated"
    )
    parser.add_argument("--no-page", action="store_true", help="do not write report.html")
    _arguments.workers(parser)
    _arguments.limit(parser)


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    spec: str
    settings: tuple[str, ...] = ()
    data: str | None = None
    only: tuple[str, ...] = ()
    out: str | None = None
    no_page: bool = False
    workers: int = 1
    limit: int | None = None
    quiet: bool = False


def execute(options: Options) -> int:
    """Run an experiment, print its reports, and say where everything lies."""
    from kpframe.engine.experiment import Experiment, Run
    from kpframe.engine.study import Study, StudyRun
    from kpframe.htmlreport.study import write_study_page
    from kpframe.htmlreport.writing import write_page
    from kpframe.runs.study_folder import StudyFolder
    from kpframe.spec import DataSets, load_specs

    spec = load_specs(options.spec, settings=options.settings, data=options.data, only=options.only)
    said: dict[str, Any] = {name: getattr(options, name) for name in ("out", "workers", "limit", "quiet")}
    run: Run | StudyRun
    if isinstance(spec, DataSets):
        run = Study(spec).run(**said)
        if not options.no_page:
            write_study_page(StudyFolder.read(run.folder), run.across, description=spec.description)
    else:
        run = Experiment(spec).run(**said, page=None if options.no_page else write_page)
    print(run.text)
    tell(f"results: {run.folder}")
    page = run.folder / "report.html"
    if page.is_file():
        tell(f"open in a browser: {page}")
    return 1 if run.failed else 0
