"""`kpframe run SPEC`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpframe.commands import _arguments, _operating, show_left_out, tell
from kpframe.commands._inputs import NAMED, is_source
from kpframe.commands._streams import show

if TYPE_CHECKING:
    from kpframe.model import Document, Skipped
    from kpframe.spec import DataSets, Spec

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "run an experiment, or resume it; or the one that suits some texts"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    _arguments.spec(parser)
    parser.add_argument("--out", metavar="DIR", help="folder of the results (default: runs/NAME)")
    parser.add_argument(
        "--only", action="append", metavar="DATASET", help="of the data sets of a spec; may be repeated"
    )
    parser.add_argument("--no-page", action="store_true", help="do not write report.html")
    _arguments.workers(parser)
    _arguments.cluster(parser)
    _arguments.limit(parser)
    _operating.arguments(parser)


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
    cluster: str | None = None
    limit: int | None = None
    log_json: bool = False
    metrics_file: str | None = None
    quiet: bool = False


def execute(options: Options) -> int:
    """Run an experiment, print its reports, and say where everything lies."""
    work = partial(_run, options)
    return _operating.watched(work, metrics_file=options.metrics_file, out=options.out, quiet=options.quiet)


def _run(options: Options) -> int:
    from kpframe.engine.experiment import Experiment, Run
    from kpframe.engine.study import Study, StudyRun
    from kpframe.files.urls import refuse_url
    from kpframe.htmlreport.study import write_study_page
    from kpframe.htmlreport.writing import write_page
    from kpframe.spec import DataSets, load_specs

    refuse_url(
        options.out,
        "--out",
        "is a URL, and a run is worked on where it lies",
        "give a folder of this machine",
    )
    documents = None
    spec: Spec | DataSets
    if is_source(options.spec):
        spec, documents = _spec_for(options)
    else:
        spec = load_specs(options.spec, settings=options.settings, data=options.data, only=options.only)
    said: dict[str, Any] = {
        name: getattr(options, name) for name in ("out", "workers", "cluster", "limit", "quiet")
    }
    run: Run | StudyRun
    if isinstance(spec, DataSets):
        over_all = partial(write_study_page, description=spec.description)
        run = Study(spec).run(**said, study_page=None if options.no_page else over_all)
    else:
        writer = None if options.no_page else write_page
        run = Experiment(spec).run(**said, documents=documents, page=writer)
    try:
        show(run.text)
    finally:  # it is there, whether its tables can be shown or not
        _tell_where(run.folder)
    # The notes of a single run tell of predictions without a document; those of a study are in its folders.
    if run.skipped and (options.quiet or isinstance(run, StudyRun)):
        first = [f"{skipped.place}: {skipped.reason}" for skipped in run.skipped[:NAMED]]
        show_left_out(first, len(run.skipped))
    return 1 if run.failed or run.skipped else 0


def _tell_where(folder: Path) -> None:
    tell(f"results: {folder}")
    page = folder / "report.html"
    if page.is_file():
        tell(f"open in a browser: {page}")


def _spec_for(options: Options) -> tuple[Spec, Sequence[Document | Skipped] | None]:
    """The spec that `kpframe new` would write for texts; standard input can be read only once."""
    from kpframe.commands._look import SAY_IT, look_at, said_language
    from kpframe.files.leftovers import temporary_folder
    from kpframe.spec import load_spec

    found = look_at([options.spec], said_language(options.settings), SAY_IT)
    stdin = options.spec == "-"
    name = "stdin" if stdin else Path(options.spec).resolve().name.split(".")[0] or "texts"
    path = "-" if stdin else str(found.layout.path.resolve())
    for finding in found.findings:
        tell(finding)
    with temporary_folder() as folder:
        file = Path(folder, "texts.yaml")
        file.write_text(found.spec(name, "", path), encoding="utf-8")
        spec = load_spec(file, settings=options.settings, data=options.data)
    return spec, found.read if stdin else None
