"""Charts and tables for a paper over many data sets, and those of each data set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kpframe.display.latex_sheets import latex
from kpframe.files.atomic import write_text
from kpframe.htmlreport.chart_parts import Chart, axis, in_the_house, slug
from kpframe.htmlreport.figures import COLUMN, drawn, write_figures
from kpframe.runs.across_sheets import long_csv, shown_sheets
from kpframe.runs.across_values import Across

__all__ = ["write_study_figures"]


def write_study_figures(
    found: Across, pages: Mapping[str, Mapping[str, Any]], folder: Path, *, width: int = COLUMN
) -> list[Path]:
    """Write, for each column, systems × data sets as a chart; the tables over all data sets as LaTeX and CSV.

    In a folder for each data set stands what `write_figures` makes of its page. No chart puts the values of
    two data sets on one scale: colours go from the lowest to the highest of each. Raises DataError if the
    package that draws is missing.
    """
    made = list(drawn(in_the_house(_charts(found), width), folder))
    for number, sheet in enumerate(shown_sheets(found), start=1):
        path = folder / f"across-{number}.tex"
        write_text(path, latex(sheet, label=f"tab:across-{number}"))
        made.append(path)
    write_text(folder / "across.csv", long_csv(found))
    made.append(folder / "across.csv")
    names: list[str] = []
    for dataset, data in pages.items():
        name = slug(dataset)
        names.append(name)
        alike = names.count(name)
        made += write_figures(data, folder / (name if alike == 1 else f"{name}~{alike}"), width=width)
    return made


def _charts(found: Across) -> Iterator[tuple[str, Chart | None]]:
    for column in found.columns:
        yield f"across-{slug(column)}", _chart(found, column)


def _chart(found: Across, column: str) -> Chart | None:
    """Each value in its field, the best of a data set bold; none where nothing has a value."""
    rows = []
    for dataset in found.datasets:
        points = {system: found.point(column, system, dataset) for system in found.systems}
        values = [point.value for point in points.values() if point.value is not None]
        low, high = min(values, default=0.0), max(values, default=0.0)
        for system, point in points.items():
            if point.value is not None:
                place = (point.value - low) / (high - low) if high > low else 0.5
                best = column in found.compared and point.value == high and len(values) > 1
                rows.append(
                    {"system": system, "dataset": dataset, "value": point.value, "place": place, "best": best}
                )
    if not rows:
        return None
    bare = {"domain": False, "ticks": False}
    scale = {"range": ["#F7FAFD", "#7DB7EA"], "domain": [0, 1]}
    text = {"field": "value", "type": "quantitative", "format": ".3f"}
    weight = {"expr": "datum.best ? 'bold' : 'normal'"}
    return {
        "title": {"text": column, "fontSize": 8.5, "fontWeight": "normal", "anchor": "start"},
        "data": {"values": rows},
        "height": {"step": 14},
        "encoding": {
            "x": axis("dataset", None, "nominal", sort=list(found.datasets),
                      axis={"labelAngle": 0, "orient": "top", **bare}),
            "y": axis("system", None, "nominal", sort=list(found.systems), axis=bare),
        },
        "layer": [
            {"mark": "rect", "encoding": {"color": axis("place", None, scale=scale, legend=None)}},
            {"mark": {"type": "text", "fontSize": 7.5, "fontWeight": weight}, "encoding": {"text": text}},
        ],
    }  # fmt: skip
