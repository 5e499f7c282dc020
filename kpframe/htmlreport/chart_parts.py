"""What the charts of a paper have in common: letters, colours, scales, and how series are told apart.

Shapes and dashes tell series apart as colours do (those of Okabe and Ito, 2008, for the colour-blind), so
that a copy in black and white can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["COLOURS", "CONFIG", "Chart", "axis", "diagonal", "in_the_house", "lines", "score", "slug"]

Chart = dict[str, Any]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 2, 2, 2])
SHAPES = ("circle", "square", "triangle-up", "diamond")
CONFIG = {
    "font": "Liberation Sans, Arial, Helvetica, sans-serif",
    "axis": {
        "labelFontSize": 7.5,
        "titleFontSize": 8.5,
        "titleFontWeight": "normal",
        "gridColor": "#DDDDDD",
        "gridWidth": 0.5,
        "labelLimit": 110,
    },
    "legend": {
        "labelFontSize": 7.5,
        "titleFontSize": 8,
        "titleFontWeight": "normal",
        "labelLimit": 150,
        "symbolSize": 40,
        "offset": 6,
        "layout": {"bottom": {"anchor": "start", "bounds": "full"}},
    },
    "view": {"stroke": None},
    "point": {"size": 26},
    "line": {"strokeWidth": 1.3},
}


def in_the_house(made: Iterable[tuple[str, Chart | None]], width: int) -> dict[str, Chart]:
    """Charts by the names of their files, in letters and size alike; those without data are left out."""
    house = {"width": width, "background": None, "config": CONFIG, "padding": 1, "height": 150}
    fit = {"type": "fit-x", "contains": "padding"}
    found: dict[str, Chart] = {}
    for name, chart in made:
        if chart is not None:
            alike = sum(other.partition("~")[0] == name for other in found)
            found[f"{name}~{alike + 1}" if alike else name] = {"autosize": fit, **house, **chart}
    return found


def slug(name: str) -> str:
    """A name as part of the name of a file."""
    return re.sub(r"[^A-Za-z0-9@.]+", "-", name).strip("-.").lower() or "unnamed"


def score(system: Mapping[str, Any], column: str) -> Mapping[str, Any]:
    """The score of a system in a column; empty if it has none."""
    found: Mapping[str, Any] = system["scores"].get(column) or {}
    return found


def axis(field: str, title: str | None, kind: str = "quantitative", **more: Any) -> Chart:
    """One encoding of a field."""
    return {"field": field, "type": kind, "title": title, **more}


def _series(names: Sequence[str]) -> Chart:
    """The encoding of systems by colour, dash and shape, with one legend for all three."""
    legend = {"title": None, "orient": "bottom", "columns": 2}
    ranges = {"color": COLOURS, "strokeDash": DASHES, "shape": SHAPES}
    return {
        channel: {
            "field": "system",
            "type": "nominal",
            "scale": {"domain": list(names), "range": list(values[: len(names)])},
            "legend": legend,
        }
        for channel, values in ranges.items()
    }


def lines(values: list[Chart], names: Sequence[str], x: Chart, y: Chart, *, points: bool = True) -> Chart:
    """One line a system, by its field `system`."""
    series = _series(names)
    layers: list[Chart] = [
        {"mark": "line", "encoding": {"color": series["color"], "strokeDash": series["strokeDash"]}}
    ]
    if points:
        mark = {"type": "point", "filled": True}
        layers.append({"mark": mark, "encoding": {"color": series["color"], "shape": series["shape"]}})
    return {"data": {"values": values}, "encoding": {"x": x, "y": y}, "layer": layers}


def diagonal(
    points: list[Chart], highest: float, x: str, y: str, titles: tuple[str, str], size: str | None = None
) -> Chart:
    """Points beside the line on which both sides are equal."""
    ends = [{x: 0, y: 0}, {x: highest, y: highest}]
    dots: Chart = {"mark": {"type": "circle", "color": COLOURS[0], "opacity": 0.65}}
    most = max(point[size] for point in points) if size is not None else 1
    if most > 1:
        legend = {
            "orient": "bottom",
            "title": size,
            "format": "d",
            "values": sorted({1, -(-most // 2), most}),
        }
        dots["encoding"] = {
            "size": axis(str(size), size, scale={"domain": [1, most], "range": [14, 160]}, legend=legend)
        }
    line = {"type": "line", "color": "#777777", "strokeDash": [3, 3], "strokeWidth": 0.8}
    return {
        "data": {"values": points},
        "height": 190,
        "encoding": {"x": axis(x, titles[0]), "y": axis(y, titles[1])},
        "layer": [{"data": {"values": ends}, "mark": line}, dots],
    }
