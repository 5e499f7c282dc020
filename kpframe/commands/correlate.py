"""`kpframe correlate FILE.csv --judges a,b,c`."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from kpframe.commands import _arguments, counted, tell
from kpframe.commands._effects import refuse_without_effect
from kpframe.errors import DataError, Problem, SpecError, suggestion

if TYPE_CHECKING:
    from kpframe.analysis.meta_evaluation import Correlation, MetaEvaluation
    from kpframe.analysis.sheets import Table
    from kpframe.statistics.correlation import Method

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "correlate measures with human judgements"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    parser.add_argument("file", metavar="FILE", help="a .csv file with a row for each item")
    parser.add_argument("--judges", required=True, metavar="NAMES", help="columns of judgements, as a,b,c")
    parser.add_argument(
        "--measures",
        metavar="NAMES",
        help="columns or kinds of similarity, as kmr (default: columns of numbers)",
    )
    parser.add_argument(
        "--method", choices=("spearman", "pearson", "kendall", "all"), help="default: spearman"
    )
    parser.add_argument(
        "--interval", choices=("fisher", "bootstrap"), help="of the correlations, 95 %% (default: fisher)"
    )
    parser.add_argument(
        "--seed", type=_arguments.at_least_zero, metavar="N", help="of the bootstrap (default: 2009)"
    )
    parser.add_argument(
        "--per-document", metavar="FILE", help="a run's per_document.csv, joined to FILE by its column id"
    )
    parser.add_argument("--cell", metavar="NAME", help="the cell of --per-document")
    parser.add_argument("--format", choices=("text", "json", "markdown", "latex"), help="default: text")


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    file: str
    judges: str
    measures: str | None = None
    method: Literal["spearman", "pearson", "kendall", "all"] = "spearman"
    interval: Literal["fisher", "bootstrap"] = "fisher"
    seed: int | None = None
    per_document: str | None = None
    cell: str | None = None
    format: str = "text"


_NO_MEASURES = ("item", "id", "cell", "cells", "document", "category", "predicted", "gold", "judgement")
_MEASURE = re.compile(r"(?:[^,(]|\([^)]*\))+")
_TITLES = {"spearman": "Spearman's rho", "pearson": "Pearson's r", "kendall": "Kendall's tau-b"}


def execute(options: Options) -> int:
    """Correlate measures with the judgements in a file and print how far judges reach themselves."""
    import json

    from kpframe.analysis.meta_evaluation import evaluate_measures
    from kpframe.analysis.sheets import read_table
    from kpframe.statistics.correlation import METHODS
    from kpframe.statistics.significance import SEED

    if options.interval == "fisher":
        refuse_without_effect(options, ("seed",), "on --interval fisher, which draws nothing")
    if options.per_document is None:
        refuse_without_effect(options, ("cell",), "without --per-document")
    judges = [name.strip() for name in options.judges.split(",") if name.strip()]
    if len(set(judges)) < len(judges) or not judges:
        raise SpecError.at("--judges", "must name columns, each once", "as in --judges a,b,c")
    table = read_table(options.file, judges)
    if options.per_document:
        table = _with_scores(table, options.per_document, options.cell)
    problems: list[Problem] = []
    judgements = {name: _numbers(table, name, problems) for name in judges}
    if options.measures is None:
        scores = {name: _numbers(table, name, problems) for name in _numeric(table, judges)}
    else:
        names = [name.strip() for name in _MEASURE.findall(options.measures) if name.strip()]
        scores = {name: _scores(table, name, problems) for name in names}
    if problems:
        raise DataError(problems)
    if not scores:
        raise SpecError.at(table.path, "has no column of numbers to correlate", "name measures by --measures")
    methods: Sequence[Method] = METHODS if options.method == "all" else (options.method,)
    made = evaluate_measures(
        scores,
        judgements,
        methods,
        interval=options.interval,
        seed=SEED if options.seed is None else options.seed,
    )
    if options.format == "json":
        print(json.dumps(made.to_json(), indent=2, ensure_ascii=False))
    else:
        print(_FORMATS[options.format](made, methods))
    return 0


def _numeric(table: Table, judges: Sequence[str]) -> list[str]:
    """The columns that hold numbers alone."""
    others = [name for name in table.columns if name and name not in judges and name not in _NO_MEASURES]
    found = {name: [row[name].strip() for _, row in table.rows] for name in others}
    numeric = [name for name, given in found.items() if any(given) and all(map(_is_number_or_blank, given))]
    others = [name for name in others if name not in numeric]
    if others:
        tell(f"not correlated, since they hold other things than numbers: {', '.join(others)}")
    return numeric


def _is_number_or_blank(text: str) -> bool:
    return not text or _number(text) is not None


def _number(text: str) -> float | None:
    """A finite number, or yes and no as 1 and 0; None for anything else."""
    if text.casefold() in ("yes", "no"):
        return float(text.casefold() == "yes")
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None


def _numbers(table: Table, column: str, problems: list[Problem]) -> list[float | None]:
    numbers: list[float | None] = []
    for line, row in table.rows:
        text = row[column].strip()
        numbers.append(_number(text))
        if text and numbers[-1] is None:
            remedy = "write numbers with a point, or yes and no; leave it empty if it is missing"
            problems.append(Problem(f"{table.path}:{line}: {column}", f"{text!r} is not a number", remedy))
    return numbers


def _scores(table: Table, measure: str, problems: list[Problem]) -> list[float | None]:
    """A measure: a column of the file, or else a similarity of the phrases in each row."""
    from kpframe.analysis.meta_evaluation import similarity_scores
    from kpframe.stages.registry import kinds

    if measure in table.columns:
        return _numbers(table, measure, problems)
    place = f"--measures {measure}"
    if measure.partition("(")[0] not in kinds("similarity"):
        columns, similarities = filter(None, table.columns), kinds("similarity")
        remedy = f"columns: {', '.join(columns)}; similarities: {', '.join(similarities)}"
        raise SpecError.at(place, f"is no column of {table.path} and no similarity", remedy)
    if not {"predicted", "gold"} <= set(table.columns):
        raise SpecError.at(place, "needs the columns predicted and gold", f"add them to {table.path}")
    try:
        return similarity_scores(measure, [(row["predicted"], row["gold"]) for _, row in table.rows])
    except ValueError as error:
        raise SpecError.at(place, str(error), "see `kpframe stages similarity`") from None


def _with_scores(table: Table, path: str, cell: str | None) -> Table:
    """The human scores of documents with the scores of a run's `per_document.csv` beside them."""
    from kpframe.analysis.sheets import Table, read_table

    scores = read_table(path, ("cell", "id"))
    read_id = "id" if "id" in table.columns else "document"
    if read_id not in table.columns:
        raise DataError.at(f"{table.path}:1", "has no column 'id'", "name the documents in it")
    cells = list(dict.fromkeys(row["cell"] for _, row in scores.rows))
    if cell is None and "cell" not in table.columns and len(cells) > 1:
        raise SpecError.at(path, f"has {len(cells)} cells", f"choose by --cell one of: {', '.join(cells)}")
    if cell is not None and cell not in cells:
        raise SpecError.at(f"--cell {cell}", f"is not in {path}", suggestion(cell, cells))
    measures = [name for name in scores.columns if name not in ("cell", "id", "predicted", *table.columns)]
    by_document = {(row["cell"], row["id"]): row for _, row in scores.rows}
    rows, unknown = [], 0
    for line, row in table.rows:
        where = (row["cell"] if cell is None and "cell" in row else cell or cells[0], row[read_id].strip())
        found = by_document.get(where, {})
        unknown += not found
        rows.append((line, {**row, **{name: found.get(name, "") for name in measures}}))
    if unknown == len(rows):
        raise DataError.at(path, f"has no document of {table.path}", "give both files the same ids")
    if unknown:
        tell(f"{counted(unknown, 'row')} of {table.path} not in {path}")
    return Table(table.path, (*table.columns, *measures), tuple(rows))


def _cells(made: MetaEvaluation, method: str) -> list[list[str]]:
    """Header and rows of one method: a line for the judges, one for each measure."""
    humans = {bound.combination: bound for bound in made.humans if bound.method == method}
    head = ["", "items", *(part for name in humans for part in (name, "95 % CI"))]
    reached = [part for bound in humans.values() for part in (_rounded(bound.value), "")]
    lines = [head, ["judges, leave one out", str(made.items), *reached]]
    rows: dict[str, list[Correlation]] = {}
    for found in made.correlations:
        if found.method == method:
            rows.setdefault(found.name, []).append(found)
    for name, row in rows.items():
        values = [part for found in row for part in (_rounded(found.value), _interval(found))]
        lines.append([name, str(row[0].items), *values])
    return lines


def _rounded(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _interval(found: Correlation) -> str:
    return "–" if found.low is None or found.high is None else f"{found.low:.4f} … {found.high:.4f}"


def _notes(made: MetaEvaluation) -> Iterator[str]:
    alpha = made.alpha
    if len(made.judged) > 1:
        text = f"undefined, {alpha.reason}" if alpha.value is None else f"{alpha.value:.4f}"
        yield f"Krippendorff's alpha of the {len(made.judged)} judges (interval): {text}"
    else:
        yield "one judge: nothing says how far judges agree"
    for name, judged in made.judged.items():
        if judged < made.items:
            yield f"{name}: {made.items - judged} of {counted(made.items, 'item')} not judged"
    single = [(f"judge {found.name}", found) for bound in made.humans for found in bound.judges]
    everybody = [*((found.name, found) for found in made.correlations), *single]
    undefined = [f"{name}: undefined, {found.reason}" for name, found in everybody if found.value is None]
    yield from dict.fromkeys(undefined)
    for name, missing in {found.name: found.missing for found in made.correlations}.items():
        if missing:
            yield f"{name}: {counted(missing, 'item')} left out, without a score or a judgement"


def _text(made: MetaEvaluation, methods: Sequence[str]) -> str:
    blocks = []
    for method in methods:
        lines = _cells(made, method)
        widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
        padded = [
            [line[0].ljust(widths[0]), *(f.rjust(w) for f, w in zip(line[1:], widths[1:], strict=True))]
            for line in lines
        ]
        blocks.append("\n".join([_TITLES[method], *("  ".join(line).rstrip() for line in padded)]))
    return "\n\n".join([*blocks, "\n".join(_notes(made))])


def _markdown(made: MetaEvaluation, methods: Sequence[str]) -> str:
    from kpframe.files.escaping import in_markdown

    blocks = []
    for method in methods:
        head, *rows = [[in_markdown(field) for field in line] for line in _cells(made, method)]
        rule = ["---", *["---:"] * (len(head) - 1)]
        table = [f"| {' | '.join(line)} |" for line in (head, rule, *rows)]
        blocks.append("\n".join([f"**{_TITLES[method]}**", "", *table]))
    notes = (in_markdown(note) for note in _notes(made))
    return "\n\n".join([*blocks, "\n".join(f"- {note}" for note in notes)])


def _latex(made: MetaEvaluation, methods: Sequence[str]) -> str:
    from kpframe.files.escaping import in_latex

    lines = ["% needs \\usepackage{booktabs}"]
    for method in methods:
        table = [[in_latex(field) for field in line] for line in _cells(made, method)]
        head, *rows = [" & ".join(line) for line in table]
        columns = len(table[0]) - 1
        lines += [f"% {_TITLES[method]}", f"\\begin{{tabular}}{{l{'r' * columns}}}", "  \\toprule"]
        lines += [f"  {head} \\\\", "  \\midrule", *(f"  {row} \\\\" for row in rows)]
        lines += ["  \\bottomrule", "\\end{tabular}"]
    return "\n".join([*lines, *(f"% {note}" for note in _notes(made))])


_FORMATS: dict[str, Callable[[MetaEvaluation, Sequence[str]], str]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
}
