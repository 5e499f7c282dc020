"""The scores as a LaTeX table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from kpframe.files.escaping import in_latex
from kpframe.model.summary import Summary
from kpframe.reports._files import write_file
from kpframe.reports._table import Table, footnotes
from kpframe.stages import Report

__all__ = ["Latex"]

_BOLD, _CLOSE = "\\textbf{{{}}}", "$^{\\approx}$"


class Latex(Report):
    """Writes `summary.tex`: a `table` in the style of booktabs, to be read by `\\input`.

    The best value of a column is bold, and those that do not differ from it significantly have an
    approximately-equal sign; published values stand in brackets beside ours; agreement,
    signatures, notes and failures follow in small print. Needs the package booktabs.
    """

    source: ClassVar[str] = "Fear (2020), Publication quality tables in LaTeX (booktabs)"

    digits: int = Field(3, ge=0, le=15, description="Decimals that are printed.")

    def write(self, summary: Summary, folder: Path | None) -> str:
        """Write the file and return its path; without a folder return its content."""
        table = Table.of(summary)
        text = "\n".join(self._lines(summary, table)) + "\n"
        return text if folder is None else f"wrote {write_file(folder, 'summary.tex', text)}"

    def _lines(self, summary: Summary, table: Table) -> Iterator[str]:
        yield "% needs \\usepackage{booktabs}"
        yield "\\begin{table}"
        yield "  \\centering"
        yield f"  \\caption{{{in_latex(table.name)}}}"
        yield f"  \\label{{tab:{_slug(table.name)}}}"
        yield f"  \\begin{{tabular}}{{l{'r' * len(table.columns)}}}"
        yield "    \\toprule"
        yield _row([in_latex(table.heading), *map(in_latex, table.columns)])
        yield "    \\midrule"
        for row in table.rows:
            yield _row([in_latex(row.label), *(e.text(self.digits, _BOLD, _CLOSE) for e in row.entries)])
        yield "    \\bottomrule"
        yield "  \\end{tabular}"
        notes = footnotes(summary, table, self.digits, "≈")
        if notes:
            yield "  \\par\\medskip"
        for line in notes:
            yield f"  {{\\footnotesize {in_latex(line.strip())}\\par}}"
        yield "\\end{table}"


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() or "summary"


def _row(fields: list[str]) -> str:
    return f"    {' & '.join(fields)} \\\\"
