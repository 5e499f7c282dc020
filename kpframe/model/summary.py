"""The outcome of a run: what reports are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kpframe.errors import SpecError, suggestion
from kpframe.model.scores import Score

__all__ = ["Cell", "Printed", "Summary"]


@dataclass(frozen=True)
class Printed:
    """A system with the values that a publication prints for it, by column; nothing was computed here."""

    system: str
    values: Mapping[str, float]
    source: str


@dataclass(frozen=True)
class Cell:
    """One configuration of the grid and its scores.

    `axes` names its alternatives (`{"ranking": "tfidf", "candidates": "tokens"}`). `scores` come in
    the order of the columns. `reference` has published values by `column` (see `Summary`), `p_values`
    the corrected p of the difference from the best cell of a column; the best cell itself has none.
    """

    name: str
    axes: Mapping[str, str]
    scores: tuple[Score, ...]
    documents: int = 0
    keyphrases: int = 0
    reference: Mapping[str, float] = field(default_factory=dict)
    p_values: Mapping[str, float] = field(default_factory=dict)

    def score(self, column: str) -> Score | None:
        """The score in a column, named `metric/matching`."""
        return next((s for s in self.scores if f"{s.metric}/{s.matching}" == column), None)

    def value(self, column: str) -> float | None:
        """The value in a column, None if there is none."""
        found = self.score(column)
        return found.value if found else None


@dataclass(frozen=True)
class Summary:
    """The scores of all cells, with what they may be compared to.

    `columns` are `metric/matching`, as `r_precision/exact`. `reference_source` names where the
    reference values come from. `failures` lists documents that failed: id, stage, error. `notes`
    are lines that a reader must see, as the number of documents without gold. `test` says how
    `p_values` came about and `level` below which of them a difference is significant; the columns in
    `unranked` have no best value. `printed` are rows of publications that stand below those of the run.
    """

    name: str
    columns: tuple[str, ...]
    cells: tuple[Cell, ...]
    reference_source: str = ""
    failures: tuple[Mapping[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    test: str = ""
    level: float = 0.05
    unranked: tuple[str, ...] = ()
    printed: tuple[Printed, ...] = ()

    def find(self, name: str) -> Cell | None:
        """The cell called `name`, if there is one."""
        return next((cell for cell in self.cells if cell.name == name), None)

    def cell(self, name: str) -> Cell:
        """The cell called `name`; SpecError, with what was probably meant, if there is none."""
        found = self.find(name)
        if found is None:
            hint = suggestion(str(name), [cell.name for cell in self.cells], "there are")
            raise SpecError.at(f"summary of {self.name}", f"there is no cell {name!r}", hint)
        return found

    def value(self, cell: str, column: str) -> float | None:
        """The value of a cell in a column, None where no document counted; SpecError for an unknown one."""
        found = self.cell(cell)
        if column not in self.columns:
            hint = suggestion(str(column), self.columns, "there are")
            raise SpecError.at(f"summary of {self.name}", f"there is no column {column!r}", hint)
        return found.value(column)

    def to_json(self) -> dict[str, Any]:
        """Plain values, unrounded."""
        return {
            "name": self.name,
            "columns": list(self.columns),
            "reference_source": self.reference_source,
            "test": self.test,
            "cells": [
                {
                    "name": cell.name,
                    "axes": dict(cell.axes),
                    "documents": cell.documents,
                    "keyphrases": cell.keyphrases,
                    "scores": [score.to_json() for score in cell.scores],
                    "reference": dict(cell.reference),
                    "p_values": dict(cell.p_values),
                }
                for cell in self.cells
            ],
            "printed": [
                {"system": row.system, "values": dict(row.values), "source": row.source}
                for row in self.printed
            ],
            "failures": [dict(failure) for failure in self.failures],
            "notes": list(self.notes),
        }
