"""The scores as a Markdown table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from kpframe.display.sheets import SheetRow
from kpframe.files.escaping import in_markdown
from kpframe.model.summary import Summary
from kpframe.reports._files import write_file
from kpframe.reports._table import Row, Table, footnotes
from kpframe.stages import Report

__all__ = ["Markdown"]


class Markdown(Report):
    """Writes `summary.md`: a GitHub-flavoured table with the best value of a column in bold.

    Values that do not differ from it significantly have a ≈.

    Published values stand in brackets beside ours, rows of publications below them; agreement, signatures,
    notes and failures follow as a list.
    """

    source: ClassVar[str] = "GitHub Flavored Markdown Spec, section 4.10"
    files: ClassVar[tuple[str, ...]] = ("summary.md",)

    digits: int = Field(3, ge=0, le=15, description="Decimals that are printed.")

    def write(self, summary: Summary, folder: Path | None) -> str:
        """Write the file and return its path; without a folder return its content."""
        table = Table.of(summary)
        lines = [f"# {in_markdown(table.name)}", ""]
        if table.rows:
            lines += [
                _line([in_markdown(table.heading), *map(in_markdown, table.columns)]),
                _line(["---", *("---:" for _ in table.columns)]),
                *(self._row(row) for row in table.lines),
            ]
        else:
            lines.append("No cell was run.")
        lines.append("")
        lines += [_item(line) for line in footnotes(summary, table, self.digits, "≈")]
        text = "\n".join(lines).rstrip("\n") + "\n"
        return text if folder is None else f"wrote {write_file(folder, 'summary.md', text)}"

    def _row(self, row: Row | SheetRow) -> str:
        texts = (entry.text(self.digits, "**{}**", "≈", printed="{}†") for entry in row.entries)
        return _line([in_markdown(row.label), *texts])


def _line(fields: Sequence[str]) -> str:
    return f"| {' | '.join(fields)} |"


def _item(line: str) -> str:
    """A footnote as a list item; footnotes that are indented become items of the one before."""
    inner = line.lstrip(" ")
    return f"{' ' * (len(line) - len(inner))}- {in_markdown(inner)}"
