"""`kpframe run SPEC`."""

from __future__ import annotations

from typing import Any

from kpframe.commands import tell
from kpframe.experiment import Experiment

__all__ = ["execute"]


def execute(options: Any) -> int:
    """Run an experiment, print its reports, and say where everything lies."""
    experiment = Experiment.load(options.spec, settings=options.settings, data=options.data)
    run = experiment.run(out=options.out, workers=options.workers, limit=options.limit, quiet=options.quiet)
    print(run.text)
    tell(f"results: {run.folder}")
    return 1 if run.failed else 0
