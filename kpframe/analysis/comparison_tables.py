"""Comparisons as text, Markdown, LaTeX and CSV; here, and only here, numbers are rounded."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kpframe.analysis.comparison_notes import notes, rounded, same_documents, title
from kpframe.evaluation.comparison_values import Comparison, Contrast
from kpframe.files.escaping import in_latex, in_markdown, one_line

__all__ = ["as_csv", "as_latex", "as_markdown", "as_text"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class _Line:
    """One system in a table, as text."""

    system: str
    fields: tuple[str, ...]
    best: bool = False
    significant: bool = False


@dataclass(frozen=True, slots=True)
class _Table:
    """The systems that are put against one baseline; `heading` names it where there are several."""

    heading: str
    lines: tuple[_Line, ...]


def _header(comparison: Comparison) -> tuple[str, ...]:
    interval = f"{100 * (1 - comparison.level):g} % interval"
    documents = () if same_documents(comparison) else ("docs",)
    return ("score", "diff.", interval, "p", "corrected", "won/tied/lost", *documents)


def _tables(comparison: Comparison) -> Iterator[_Table]:
    best = comparison.systems[0][0]
    empty = [""] * (len(_header(comparison)) - 2)
    several = not same_documents(comparison)
    for baseline in dict.fromkeys(contrast.baseline for contrast in comparison.contrasts):
        contrasts = {c.system: c for c in comparison.contrasts if c.baseline == baseline}
        score = next(score for system, score in comparison.systems if system == baseline)
        if comparison.choice != "all pairs" and len(comparison.baselines) == 1:
            own = _Line(one_line(baseline), (rounded(score), "baseline", *empty), baseline == best)
            lines = (
                own if system == baseline else _line(contrasts[system], best, several)
                for system, _ in comparison.systems
                if system == baseline or system in contrasts
            )
            yield _Table("", tuple(lines))
        else:
            heading = f"against {one_line(baseline)} ({rounded(score)})"
            yield _Table(heading, tuple(_line(contrast, best, several) for contrast in contrasts.values()))


def _line(contrast: Contrast, best: str, documents: bool) -> _Line:
    interval = contrast.interval
    shown = f"[{interval.low:+.4f}, {interval.high:+.4f}]" if interval else "-"
    fields = [
        rounded(contrast.score),
        f"{contrast.difference:+.4f}",
        shown,
        _probability(contrast.p),
        _probability(contrast.corrected_p),
        f"{contrast.wins}/{contrast.ties}/{contrast.losses}",
        *([str(contrast.documents)] if documents else []),
    ]
    return _Line(one_line(contrast.system), tuple(fields), contrast.system == best, contrast.significant)


def _probability(p: float) -> str:
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def _marked(line: _Line, mark: str, no_mark: str = "") -> tuple[str, ...]:
    """The fields with a mark at a significant difference."""
    score, difference, *rest = line.fields
    return (score, f"{difference}{mark if line.significant else no_mark}", *rest)


def as_text(comparisons: Sequence[Comparison]) -> str:
    """Tables for a terminal: `*` marks what differs significantly from its baseline."""
    return "\n\n".join("\n".join(_text_lines(comparison)) for comparison in comparisons) + "\n"


def _text_lines(comparison: Comparison) -> Iterator[str]:
    tables = list(_tables(comparison))
    header = list(_header(comparison))
    header[1] += " "
    lines = [line for table in tables for line in table.lines]
    rows = [_marked(line, "*", " ") for line in lines]
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    first = max(_width("system"), *(_width(line.system) for line in lines))

    def aligned(label: str, fields: Sequence[str]) -> str:
        numbers = (f"{field:>{width}}" for field, width in zip(fields, widths, strict=True))
        return f"{label}{' ' * (first - _width(label))}  {'  '.join(numbers)}".rstrip()

    yield title(comparison)
    for table in tables:
        yield ""
        if table.heading:
            yield table.heading
        yield aligned("system", header)
        yield aligned("-" * first, ["-" * width for width in widths])
        for line in table.lines:
            yield aligned(line.system, _marked(line, "*", " "))
    yield ""
    yield from notes(comparison, "*")


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))


def as_markdown(comparisons: Sequence[Comparison]) -> str:
    """GitHub-flavoured tables: the best system in bold, † at what differs significantly."""
    return "\n".join(line for comparison in comparisons for line in _markdown_lines(comparison))


def _markdown_lines(comparison: Comparison) -> Iterator[str]:
    yield f"## {in_markdown(title(comparison))}\n"
    for table in _tables(comparison):
        if table.heading:
            yield f"### {in_markdown(table.heading)}\n"
        yield f"| {' | '.join(('system', *_header(comparison)))} |"
        yield f"| --- |{' ---: |' * len(_header(comparison))}"
        for line in table.lines:
            fields = [in_markdown(line.system), *_marked(line, "†")]
            if line.best:
                fields[:2] = [f"**{field}**" for field in fields[:2]]
            yield f"| {' | '.join(fields)} |"
        yield ""
    yield from (f"- {in_markdown(note)}" for note in notes(comparison, "†"))
    yield ""


def as_latex(comparisons: Sequence[Comparison]) -> str:
    r"""Tables in the style of booktabs: the best system in bold, \dagger at what differs significantly."""
    lines = ["% needs \\usepackage{booktabs}"]
    lines += (line for comparison in comparisons for line in _latex_lines(comparison))
    return "\n".join(lines) + "\n"


def _latex_lines(comparison: Comparison) -> Iterator[str]:
    header = ("system", *_header(comparison))
    yield "\\begin{table}"
    yield "  \\centering"
    yield f"  \\caption{{{in_latex(title(comparison))}}}"
    yield f"  \\begin{{tabular}}{{l{'r' * len(header[1:])}}}"
    yield "    \\toprule"
    yield _latex_row([in_latex(field) for field in header])
    for table in _tables(comparison):
        yield "    \\midrule"
        if table.heading:
            yield f"    \\multicolumn{{{len(header)}}}{{l}}{{\\emph{{{in_latex(table.heading)}}}}} \\\\"
        for line in table.lines:
            fields = [in_latex(field) for field in (line.system, *_marked(line, "†"))]
            fields[2:4] = [re.sub(r"([+-])(?=\d)", r"$\1$", field) for field in fields[2:4]]
            if line.best:
                fields[:2] = [f"\\textbf{{{field}}}" for field in fields[:2]]
            yield _latex_row(fields)
    yield "    \\bottomrule"
    yield "  \\end{tabular}"
    yield "  \\par\\medskip"
    yield from (f"  {{\\footnotesize {in_latex(note)}\\par}}" for note in notes(comparison, "†"))
    yield "\\end{table}"


def _latex_row(fields: Sequence[str]) -> str:
    return f"    {' & '.join(fields)} \\\\"


def as_csv(comparisons: Sequence[Comparison]) -> str:
    """A row for each contrast, unrounded; an unknown value is an empty field.

    Names that a spreadsheet would run as a formula get an apostrophe in front.
    """
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    shared = ("column", "test", "draws", "seed", "correction", "level")
    own = [name for name in Contrast.__dataclass_fields__ if name != "interval"]
    rows.writerow([*shared, *own, "interval_low", "interval_high", "interval_method"])
    for comparison in comparisons:
        for contrast in comparison.contrasts:
            found = contrast.interval
            interval = (found.low, found.high, found.method) if found else ("", "", "")
            values = [getattr(comparison, name) for name in shared]
            values += [getattr(contrast, name) for name in own]
            rows.writerow([*map(_guarded, values), *interval])
    return file.getvalue()


def _guarded(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
