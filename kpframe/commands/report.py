"""`kpframe report RUN… [--out FILE] [--figures DIR]`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kpframe.commands import _arguments, counted, tell
from kpframe.commands._effects import need_ending
from kpframe.errors import DataError

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "make one HTML page that shows runs: scores, losses, texts, recipe"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folders of runs, over the same data or not")
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="the page to write (default: report.html in the folder of the run; of several runs in that of "
        "--figures, or where you are)",
    )
    parser.add_argument(
        "--figures",
        metavar="DIR",
        help="also write charts as SVG and PDF, tables as LaTeX, into a new or empty folder",
    )
    parser.add_argument(
        "--documents",
        type=_arguments.at_least_zero,
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

    from kpframe.files.atomic import fresh_folder

    if options.documents < 0:
        raise DataError.at("--documents", "must be 0 or more", "0 leaves all texts out of the report")
    need_ending("--out", options.out, ".html", ".htm")
    page = Path(options.out) if options.out else _beside(options)
    if page.is_dir():
        raise DataError.at(str(page), "is a folder", "name a file, as report.html")
    if options.figures is None:
        left_out = _write(options, page)
    else:
        with fresh_folder(Path(options.figures)) as folder:
            left_out = _write(options, page, folder)
    for problem in left_out if options.documents else ():
        tell(f"texts are not shown: {problem}")
    if options.open:
        webbrowser.open(page.resolve().as_uri())
    return 1 if left_out and options.documents else 0


def _write(options: Options, page: Path, folder: Path | None = None) -> list[str]:
    """Write the page, and figures into the folder that will be that of `--figures`; whose texts it lacks."""
    from kpframe.files.atomic import write_text
    from kpframe.htmlreport.data import collect
    from kpframe.htmlreport.figures import write_figures
    from kpframe.htmlreport.page import render, render_study
    from kpframe.htmlreport.study import collect_study
    from kpframe.htmlreport.study_figures import write_study_figures
    from kpframe.runs.across import across
    from kpframe.runs.same_data import by_data
    from kpframe.runs.seals import is_changed_page, sealed_page
    from kpframe.runs.study_folder import is_study

    left_out: list[str] = []
    groups = by_data(options.runs) if len(options.runs) > 1 or is_study(options.runs[0]) else {}
    if len(groups) > 1 or any(map(is_study, options.runs)):
        folders = {name: [run.path for run in group] for name, group in groups.items()}
        found = across(_title(options.runs), groups)
        many = collect_study(found, folders, documents_limit=options.documents, left_out=left_out)
        text = render_study(many)
        figures = partial(write_study_figures, found, many["pages"])
    else:
        data = collect(options.runs, documents_limit=options.documents, left_out=left_out)
        text = render(data)
        figures = partial(write_figures, data)
    changed = is_changed_page(page)
    place = page if folder is None else _inside(page, Path(str(options.figures)), folder)
    write_text(place, sealed_page(text))
    wrote = f"wrote {page} ({_size(place)})"
    if changed:
        tell(f"{page}: was changed since it was written, and is replaced")
    if place == page:  # else it is there when all is
        tell(wrote)
    if folder is not None:
        made = figures(folder)
        if place != page:
            tell(wrote)
        tell(f"wrote {counted(len(made), 'file')} for papers: {options.figures}")
    return left_out


def _inside(page: Path, figures: Path, folder: Path) -> Path:
    """The place of a page: in `folder`, which stands for that of the figures, if it belongs there."""
    inside, of = page.resolve(), figures.resolve()
    return folder / inside.relative_to(of) if inside.is_relative_to(of) else page


def _title(runs: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(Path(run).resolve().name for run in runs))


def _beside(options: Options) -> Path:
    """The place of the page: in the folder of the run; of several, with the figures, or where one stands."""
    folder = options.runs[0] if len(options.runs) == 1 else options.figures or "."
    return Path(folder) / "report.html"


def _size(page: Path) -> str:
    size = page.stat().st_size
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"
