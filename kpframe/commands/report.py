"""`kpframe report RUN… [--out FILE] [--figures DIR]`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kpframe.commands import counted, tell
from kpframe.commands._effects import need_ending
from kpframe.errors import DataError

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "make one HTML page that shows runs: scores, losses, texts, recipe"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folders of runs")
    parser.add_argument(
        "--out", metavar="FILE", help="the page to write (default: report.html in the folder of the run)"
    )
    parser.add_argument("--figures", metavar="DIR", help="also write charts as SVG and PDF, tables as LaTeX")
    parser.add_argument(
        "--documents",
        type=int,
        metavar="N",
        help="texts in the page at most (default: 150); 0: no text and no phrase of the corpus",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    runs: tuple[str, ...]
    out: str | None = None
    figures: str | None = None
    documents: int = 150
    open: bool = False


def execute(options: Options) -> int:
    """Write the page of one or several runs, and the charts and tables for a paper if they are wanted."""
    import webbrowser

    from kpframe.files.atomic import write_text
    from kpframe.htmlreport.data import collect
    from kpframe.htmlreport.page import render

    if options.documents < 0:
        raise DataError.at("--documents", "must be 0 or more", "0 leaves all texts out of the report")
    need_ending("--out", options.out, ".html", ".htm")
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


def _beside(runs: Sequence[str]) -> Path:
    """The place of the page: in the folder of the run; of several runs, in the folder where one stands."""
    return Path(runs[0]) / "report.html" if len(runs) == 1 else Path("report.html")


def _size(page: Path) -> str:
    size = page.stat().st_size
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"
