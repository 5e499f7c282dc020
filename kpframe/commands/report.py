"""`kpframe report RUN… [--out FILE] [--figures DIR]`."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any

from kpframe.commands import counted, tell
from kpframe.errors import DataError
from kpframe.files.atomic import write_text
from kpframe.htmlreport.data import collect
from kpframe.htmlreport.page import render

__all__ = ["execute"]


def execute(options: Any) -> int:
    """Write the page of one or several runs, and the charts and tables for a paper if they are wanted."""
    if options.documents < 0:
        raise DataError.at("--documents", "must be 0 or more", "0 leaves all texts out of the report")
    page = Path(options.out) if options.out else _beside(options.runs)
    if page.is_dir():
        raise DataError.at(str(page), "is a folder", "name a file, as report.html")
    data = collect(options.runs, documents_limit=options.documents)
    write_text(page, render(data))
    tell(f"wrote {page} ({_size(page)})")
    if options.figures:
        from kpframe.htmlreport.figures import write_figures

        made = write_figures(data, Path(options.figures))
        tell(f"wrote {counted(len(made), 'file')} for papers: {options.figures}")
    if options.open:
        webbrowser.open(page.resolve().as_uri())
    return 0


def _beside(runs: list[str]) -> Path:
    """The place of the page: in the folder of the run; of several runs, in the folder where one stands."""
    return Path(runs[0]) / "report.html" if len(runs) == 1 else Path("report.html")


def _size(page: Path) -> str:
    size = page.stat().st_size
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"
