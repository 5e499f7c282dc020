"""The scores as a LaTeX table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from kpframe.display.latex_sheets import latex
from kpframe.model.summary import Summary
from kpframe.reports._files import write_file
from kpframe.reports._table import Table, footnotes, shared_parts, sheet
from kpframe.stages import Report

__all__ = ["Latex"]

_SIGNATURES = "summary-signatures.txt"
_SHOWN = 4
"""With more recipes than these, all of them are in their file alone."""


class Latex(Report):
    """Writes `summary.tex`: a table in the style of booktabs, to be read by `\\input`.

    It is as wide as a column of `article`, or (`table*`) as both; what is wider stands in several tables
    below each other. Metrics are heads of their matchings. The best value of a column is bold, the second
    underlined, those that do not differ from the best significantly have an approximately-equal sign;
    published values stand in brackets beside ours, or the differences from them (`deltas`). Agreement, notes
    and failures follow in small print, signatures in one line; `summary-signatures.txt` has them whole.
    Needs the package booktabs, and siunitx where that is wanted.
    """

    source: ClassVar[str] = "Fear (2020), Publication quality tables in LaTeX (booktabs)"
    files: ClassVar[tuple[str, ...]] = ("summary.tex", _SIGNATURES)

    digits: int = Field(3, ge=0, le=15, description="Decimals that are printed.")
    deltas: bool = Field(
        False, description="true: differences from published values in brackets, not these values."
    )

    siunitx: bool = Field(
        False, description="true: columns of numbers are siunitx's S, which needs that package too."
    )

    def write(self, summary: Summary, folder: Path | None) -> str:
        """Write the file and return its path; without a folder return its content."""
        table = Table.of(summary)
        notes = footnotes(summary, table, self.digits, "≈", _signatures(table))
        shown = sheet(table, notes)
        text = latex(
            shown,
            label=f"tab:{_slug(table.name)}",
            digits=self.digits,
            deltas=self.deltas,
            siunitx=self.siunitx,
        )
        if folder is None:
            return text
        written = write_file(folder, "summary.tex", text)
        whole = (f"{column} [{', '.join(cells)}]: {recipe}\n" for column, recipe, cells in table.signatures)
        write_file(folder, _SIGNATURES, "".join(whole))
        return f"wrote {written}"


def _signatures(table: Table) -> list[str]:
    """The recipes in one line: what is their own, then what they share."""
    recipes = dict.fromkeys(recipe for _, recipe, _ in table.signatures)
    if not recipes or len(recipes) > _SHOWN:
        return [f"Signatures: {_SIGNATURES}."] if recipes else []
    shared = shared_parts(table)
    own = ["|".join(part for part in recipe.split("|") if part not in shared) for recipe in recipes]
    common = [f"all {'|'.join(shared)}"] if shared else []
    return [f"Signatures ({_SIGNATURES}): {'; '.join([*own, *common])}"]


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() or "summary"
