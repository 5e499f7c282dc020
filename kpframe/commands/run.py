"""`kpframe run SPEC`."""

from __future__ import annotations

from typing import Any

from kpframe.commands import tell
from kpframe.engine.experiment import Experiment
from kpframe.htmlreport.writing import write_page
from kpframe.spec import load_spec

__all__ = ["execute"]


def execute(options: Any) -> int:
    """Run an experiment, print its reports, and say where everything lies."""
    spec = load_spec(options.spec, settings=options.settings, data=options.data)
    run = Experiment(spec).run(
        out=options.out,
        workers=options.workers,
        limit=options.limit,
        quiet=options.quiet,
        page=None if options.no_page else write_page,
    )
    print(run.text)
    tell(f"results: {run.folder}")
    page = run.folder / "report.html"
    if page.is_file():
        tell(f"open in a browser: {page}")
    return 1 if run.failed else 0
