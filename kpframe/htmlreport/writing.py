"""The page of a run that has just ended, as `Experiment.run(page=write_page)` wants it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kpframe.files.atomic import write_text
from kpframe.htmlreport.data import collect
from kpframe.htmlreport.page import render
from kpframe.model import Document
from kpframe.model.summary import Summary
from kpframe.runs.seals import sealed_page

__all__ = ["write_page"]


def write_page(path: Path, documents: Sequence[Document], summary: Summary) -> None:
    """Write at `path`, in the run's folder, the same as `kpframe report` makes of the finished run."""
    data = collect([path.parent], documents=documents, summary=summary)
    write_text(path, sealed_page(render(data)))
