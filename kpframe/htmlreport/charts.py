"""The charts of a paper as Vega-Lite specifications: plain values, drawn elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kpframe.htmlreport.chart_parts import COLOURS, Chart, axis, diagonal, in_the_house, lines, score, slug
from kpframe.htmlreport.size_groups import groups, known_mean

__all__ = ["LOSSES", "charts"]

SERIES = 4
"""So many systems are in a chart that compares systems by lines: the best ones."""

LOSSES = {
    "found": ("found", "#009E73"),
    "lost_in_postprocessing": ("lost in post-processing", "#CC79A7"),
    "ranked_too_low": ("ranked too low", "#E69F00"),
    "never_proposed": ("never proposed", "#D55E00"),
    "left_out": ("left out by the matching", "#DDDDDD"),
    "not_in_text": ("not in the text", "#999999"),
}


def charts(data: Mapping[str, Any], width: int) -> dict[str, Chart]:
    """Every chart for which there are data, by the name of its file; all are `width` wide."""
    return in_the_house(_all(data, _best(data)), width)


def _all(data: Mapping[str, Any], best: Sequence[str]) -> Iterator[tuple[str, Chart | None]]:
    for column in data["columns"]:
        yield f"scores-{slug(column['name'])}", _scores(data, column)
        yield f"heatmap-{slug(column['name'])}", _heatmap(data, column)
    for measure, says in (("f1", "F1"), ("precision", "precision"), ("recall", "recall")):
        yield f"curves-{measure}", _curves(data, best, measure, says)
    yield "losses", _losses(data)
    yield "documents", _documents(data, best)
    for by, says in (("length", "words in the document"), ("gold", "gold keyphrases of the document")):
        yield f"score-by-{by}", _sizes(data, best, by, says)
    yield "positions", _positions(data, best)
    yield "published", _published(data)
    for name, found in data["reliability"].items():
        yield f"reliability-{slug(name)}", _reliability(found)


def _best(data: Mapping[str, Any]) -> list[str]:
    """The names of the best systems of the default column, best first."""
    column = data["default_column"]
    scored = [one for one in data["systems"] if score(one, column).get("value") is not None]
    scored.sort(key=lambda one: -score(one, column)["value"])
    return [one["name"] for one in scored[:SERIES]]


def _label(data: Mapping[str, Any]) -> str:
    found = (one["label"] for one in data["columns"] if one["name"] == data["default_column"])
    return str(next(found))


def _scores(data: Mapping[str, Any], column: Mapping[str, Any]) -> Chart | None:
    """Scores with their intervals, best first; published ones as hollow diamonds."""
    rows = [{"system": one["name"], **score(one, column["name"])} for one in data["systems"]]
    rows = [row for row in rows if row.get("value") is not None]
    if not rows:
        return None
    rows.sort(key=lambda row: -row["value"])
    kept = [{key: row.get(key) for key in ("system", "value", "low", "high", "reference")} for row in rows]
    y = axis("system", None, "nominal", sort=[row["system"] for row in rows])
    says = column["name"]
    published = [row for row in kept if row["reference"] is not None]
    layers: list[Chart] = [
        {
            "mark": {"type": "rule", "strokeWidth": 1.2},
            "encoding": {"x": axis("low", says), "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "point", "filled": True, "color": "black"},
            "encoding": {"x": axis("value", says)},
        },
    ]
    if published:
        mark = {"type": "point", "shape": "diamond", "color": COLOURS[1], "size": 34, "strokeWidth": 1.1}
        encoding = {"x": axis("reference", says)}
        layers.append({"data": {"values": published}, "mark": mark, "encoding": encoding})
    return {
        "data": {"values": kept},
        "height": {"step": 12},
        "encoding": {"y": y},
        "layer": layers,
    }


def _heatmap(data: Mapping[str, Any], column: Mapping[str, Any]) -> Chart | None:
    """The grid of two axes; the number stands in each field."""
    axes = data["axes"]
    if len(axes) != 2:
        return None
    down, across = sorted(axes, key=lambda name: (name == "ranking", -len(axes[name])))
    cells = [
        {"down": one["axes"][down], "across": one["axes"][across], "value": found["value"]}
        for one in data["systems"]
        if down in one["axes"] and across in one["axes"]
        if (found := score(one, column["name"])).get("value") is not None
    ]
    if not cells:
        return None
    values = sorted(cell["value"] for cell in cells)
    text = {"field": "value", "type": "quantitative", "format": ".3f"}
    scale = {"range": ["#F7FAFD", "#7DB7EA"], "domain": [values[0], max(values[-1], values[0] + 1e-9)]}
    colour = {"field": "value", "type": "quantitative", "legend": None, "scale": scale}
    bare = {"domain": False, "ticks": False}
    order = {"sort": list(axes[across]), "axis": {"labelAngle": 0, "orient": "top", **bare}}
    return {
        "data": {"values": cells},
        "height": {"step": 15},
        "encoding": {
            "x": {**axis("across", across, "nominal"), **order},
            "y": axis("down", None, "nominal", sort=list(axes[down]), axis=bare),
        },
        "layer": [
            {"mark": {"type": "rect", "stroke": "white"}, "encoding": {"color": colour}},
            {"mark": {"type": "text", "fontSize": 8, "color": "black"}, "encoding": {"text": text}},
        ],
    }


def _curves(data: Mapping[str, Any], names: Sequence[str], measure: str, says: str) -> Chart | None:
    label = _label(data)
    values = [
        {"system": name, "k": point["k"], "value": point[measure]}
        for name in names
        for point in data["curves"].get(name, {}).get(label, ())
    ]
    if not values:
        return None
    return lines(values, names, axis("k", "k"), axis("value", f"{says}@k"), points=False)


def _losses(data: Mapping[str, Any]) -> Chart | None:
    """Where gold keyphrases are lost, in shares of all gold; the systems that find most come first."""
    label = _label(data)
    found = {name: by[label] for name, by in data["waterfall"].items() if by.get(label, {}).get("gold")}
    if not found:
        return None
    used = [part for part in LOSSES if any(losses[part] for losses in found.values())]
    values = [
        {
            "system": name,
            "part": LOSSES[part][0],
            "order": used.index(part),
            "share": losses[part] / losses["gold"],
        }
        for name, losses in found.items()
        for part in used
    ]
    scale = {"domain": [LOSSES[part][0] for part in used], "range": [LOSSES[part][1] for part in used]}
    order = sorted(found, key=lambda name: -found[name]["found"] / found[name]["gold"])
    legend = {"title": None, "orient": "bottom", "columns": 1, "symbolType": "square"}
    return {
        "data": {"values": values},
        "height": {"step": 12},
        "mark": {"type": "bar", "stroke": "white", "strokeWidth": 0.4},
        "encoding": {
            "y": axis("system", None, "nominal", sort=order),
            "x": axis("share", "share of gold keyphrases", scale={"domain": [0, 1]}),
            "color": {"field": "part", "type": "nominal", "scale": scale, "legend": legend},
            "order": {"field": "order", "type": "quantitative"},
        },
    }


def _documents(data: Mapping[str, Any], names: Sequence[str]) -> Chart | None:
    """The best system against the second, a point for all documents with the same two values."""
    if len(names) < 2:
        return None
    column, values = data["default_column"], data["per_document"]["values"]
    sides = [values.get(name, {}).get(column, ()) for name in names[:2]]
    counts: dict[tuple[float, float], int] = {}
    for one, other in zip(*sides, strict=True):
        if one is not None and other is not None:
            counts[one, other] = counts.get((one, other), 0) + 1
    if not counts:
        return None
    points = [{"one": one, "other": other, "documents": number} for (one, other), number in counts.items()]
    return diagonal(
        points,
        max(max(pair) for pair in counts) or 1.0,
        "other",
        "one",
        (names[1], names[0]),
        size="documents",
    )


def _published(data: Mapping[str, Any]) -> Chart | None:
    column = data["default_column"]
    points = [
        {"ours": found["value"], "theirs": found["reference"]}
        for one in data["systems"]
        if (found := score(one, column)).get("value") is not None and found.get("reference") is not None
    ]
    if not points:
        return None
    highest = max(max(point.values()) for point in points) or 1.0
    return diagonal(points, highest, "theirs", "ours", (f"published {column}", f"our {column}"))


def _sizes(data: Mapping[str, Any], names: Sequence[str], by: str, says: str) -> Chart | None:
    made = groups(data["per_document"][by])
    values, column = data["per_document"]["values"], data["default_column"]
    rows = [
        {"system": name, "size": group.label, "mean": mean}
        for name in names
        for group in made
        if (mean := known_mean(values.get(name, {}).get(column, ()), group.members)) is not None
    ]
    if not rows:
        return None
    x = axis("size", says, "ordinal", sort=[group.label for group in made], axis={"labelAngle": 0})
    return lines(rows, names, x, axis("mean", f"mean {column}"))


def _positions(data: Mapping[str, Any], names: Sequence[str]) -> Chart | None:
    rows = [row for name in names for row in _fifths(name, data["positions"].get(name, {}))]
    if not rows:
        return None
    x = axis("fifth", "fifth of the document", "ordinal", axis={"labelAngle": 0})
    return lines(rows, names, x, axis("share", "share of gold found", scale={"domainMin": 0}))


def _fifths(name: str, variants: Mapping[str, Any]) -> Iterator[Chart]:
    first: Sequence[Mapping[str, int]] = next(iter(variants.values()), ())
    for number, part in enumerate(first, 1):
        if part["gold"]:
            yield {"system": name, "fifth": number, "share": part["found"] / part["gold"]}


def _reliability(found: Mapping[str, Any]) -> Chart | None:
    points = [
        {"confidence": one["confidence"], "accuracy": one["accuracy"], "phrases": one["n"]}
        for one in found["bins"]
        if one["n"]
    ]
    if not points:
        return None
    titles = "confidence", "share that is right"
    highest = max(max(point["confidence"], point["accuracy"]) for point in points)
    end = 1.0 if highest >= 0.5 else highest * 1.2 or 1.0
    return diagonal(points, end, "confidence", "accuracy", titles, size="phrases")
