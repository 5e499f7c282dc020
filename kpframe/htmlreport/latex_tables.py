"""The tables of a report in LaTeX, as wide as the column in which they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kpframe.files.escaping import in_latex, one_line
from kpframe.htmlreport.charts import LOSSES

__all__ = ["tables"]

DIGITS = 3
COLUMNS = 3
"""So many measures are in one table of scores; more make further tables."""


def tables(data: Mapping[str, Any]) -> dict[str, str]:
    """LaTeX of each table by the name of its file; they need the packages booktabs and graphicx.

    Scores (the best is bold, a dagger marks what is not significantly worse, published ones stand in
    brackets), losses, and the statistics of the documents. None is
    wider than `\\columnwidth`.
    """
    found: dict[str, str] = {}
    columns = data["columns"]
    parts = [columns[at : at + COLUMNS] for at in range(0, len(columns), COLUMNS)]
    for number, part in enumerate(parts, 1):
        found["scores" if len(parts) == 1 else f"scores-{number}"] = _scores(data, part)
    if data["waterfall"]:
        found["losses"] = _losses(data)
    if data["recipe"]["statistics"]:
        found["statistics"] = _statistics(data["recipe"]["statistics"])
    return found


def _scores(data: Mapping[str, Any], columns: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for system in data["systems"]:
        scores = [system["scores"].get(column["name"]) or {} for column in columns]
        rows.append([_latex(system["name"]), *map(_score, scores)])
    method = data["significance"]
    said = f"$^\\dagger$not significantly worse than the best ({_latex(_method(method))})."
    interval = f"Small: {_latex(method['interval'])}."
    source = data["reference_source"]
    published = [f"In brackets: {_latex(source)}."] if source else []
    printed = list(_printed(data, [column["name"] for column in columns]))
    if printed:
        sources = "; ".join(dict.fromkeys(one["source"] for one in data["printed"]))
        published.append(f"$^\\ddagger$printed in {_latex(sources)}.")
    heads = ["system", *(column["name"] for column in columns)]
    return _table(heads, rows, [said, interval, *published], printed)


def _printed(data: Mapping[str, Any], columns: Sequence[str]) -> Iterator[list[str]]:
    """The rows of publications that have a value in one of the columns."""
    for one in data.get("printed", ()):
        values = [one["values"].get(column) for column in columns]
        if any(value is not None for value in values):
            shown = ["--" if value is None else f"{value:.{DIGITS}f}$^\\ddagger$" for value in values]
            yield [_latex(one["system"]), *shown]


def _method(method: Mapping[str, Any]) -> str:
    return f"{method['test']}; {method['correction']}, level {method['level']}"


def _score(score: Mapping[str, Any]) -> str:
    value = score.get("value")
    if value is None:
        return "--"
    text = f"{value:.{DIGITS}f}"
    if score.get("best"):
        text = f"\\textbf{{{text}}}"
    elif score.get("significant_vs_best") is False:
        text = f"{text}$^\\dagger$"
    if score.get("low") is not None and score.get("high") is not None:
        text += f" {{\\tiny {_short(score['low'])}--{_short(score['high'])}}}"
    reference = score.get("reference")
    return text if reference is None else f"{text} ({reference:.2f})"


def _short(value: float) -> str:
    """Without the zero before the point, which every score of an interval has."""
    text = f"{value:.{DIGITS}f}"
    return text.removeprefix("0") if value >= 0 else text


def _losses(data: Mapping[str, Any]) -> str:
    label = next(one["label"] for one in data["columns"] if one["name"] == data["default_column"])
    found = {name: by[label] for name, by in data["waterfall"].items() if by.get(label, {}).get("gold")}
    used = [part for part in LOSSES if any(losses[part] for losses in found.values())]
    rows = [
        [_latex(name), *(f"{100 * losses[part] / losses['gold']:.1f}" for part in used)]
        for name, losses in found.items()
    ]
    cutoff = data["matchings"][label]["cutoff_says"]
    note = f"Percent of gold keyphrases; found: {_latex(label)}, among {_latex(cutoff)}."
    return _table(["system", *(LOSSES[part][0] for part in used)], rows, [note])


def _statistics(statistics: Sequence[Sequence[Any]]) -> str:
    rows = [[_latex(label), _number(value)] for label, value in statistics]
    return _table(["documents", ""], rows, [])


def _number(value: float | None) -> str:
    if value is None:
        return "--"
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.2f}"


def _table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    notes: Sequence[str],
    below: Sequence[Sequence[str]] = (),
) -> str:
    return "\n".join(_lines(heads, rows, notes, below)) + "\n"


def _lines(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    notes: Sequence[str],
    below: Sequence[Sequence[str]],
) -> Iterator[str]:
    yield "% needs \\usepackage{booktabs,graphicx}; wider than the column, it shrinks to it"
    yield "{\\footnotesize\\setlength{\\tabcolsep}{3pt}\\sbox0{%"
    yield f"\\begin{{tabular}}{{@{{}}l{'r' * (len(heads) - 1)}@{{}}}}"
    yield "  \\toprule"
    yield f"  {' & '.join([_latex(heads[0]), *map(_head, heads[1:])])} \\\\"
    yield "  \\midrule"
    for row in rows:
        yield f"  {' & '.join(row)} \\\\"
    if below:
        yield "  \\midrule"
    for row in below:
        yield f"  {' & '.join(row)} \\\\"
    yield "  \\bottomrule"
    yield "\\end{tabular}}%"
    yield "\\noindent\\ifdim\\wd0>\\columnwidth\\resizebox{\\columnwidth}{!}{\\usebox0}\\else\\usebox0\\fi"
    for note in notes:
        yield f"\\par\\smallskip{{\\noindent\\scriptsize {note}\\par}}"
    yield "}"


def _head(text: str) -> str:
    """A head of one line a word, which keeps the columns narrow."""
    lines = " \\\\ ".join(_latex(word) for word in text.replace("/", "/ ").split())
    return f"\\begin{{tabular}}[b]{{@{{}}r@{{}}}}{lines}\\end{{tabular}}"


def _latex(text: str) -> str:
    return in_latex(one_line(text))
