"""Charts and tables for a paper: SVG and PDF drawn by Vega-Lite, LaTeX at the width of a column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kpframe.errors import DataError
from kpframe.files.atomic import atomic_write, write_text
from kpframe.htmlreport.chart_parts import Chart
from kpframe.htmlreport.charts import charts
from kpframe.htmlreport.latex_tables import tables

__all__ = ["COLUMN", "drawn", "write_figures"]

COLUMN = 240
"""Width in points, 8.47 cm: the columns of ACL, ACM and IEEE have 219, 241 and 252."""

_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


def write_figures(data: Mapping[str, Any], folder: Path, *, width: int = COLUMN) -> list[Path]:
    """Write the charts of `collect`'s data as SVG and PDF and its tables as LaTeX; the paths of the files.

    Every chart is `width` points wide, so that its smallest letters (7.5 points) are readable at the
    width of a column. Charts for which a run has no data are not made. The same data give the same SVG
    and LaTeX; the numbers of fonts in the PDF may differ. Raises DataError if the package that draws
    is missing.
    """
    return [*drawn(charts(data, width), folder), *_tables(data, folder)]


def drawn(found: Mapping[str, Chart], folder: Path) -> Iterator[Path]:
    """Write charts by the names of their files; DataError if the package that draws is missing."""
    try:
        import vl_convert
    except ImportError:
        remedy = "install it: pip install 'kpframe[figures]'"
        raise DataError.at("--figures", "needs the package vl-convert-python", remedy) from None
    for name, chart in found.items():
        drawing = vl_convert.vegalite_to_svg(chart, allowed_base_urls=[])
        write_text(folder / f"{name}.svg", _SIZE.sub(r'width="\1pt" height="\2pt"', drawing, count=1))
        yield folder / f"{name}.svg"
        with atomic_write(folder / f"{name}.pdf") as file:
            file.write(vl_convert.svg_to_pdf(drawing))
        yield folder / f"{name}.pdf"


def _tables(data: Mapping[str, Any], folder: Path) -> Iterator[Path]:
    for name, text in tables(data).items():
        write_text(folder / f"{name}.tex", text)
        yield folder / f"{name}.tex"
