"""One finished run that a report is about: systems, tallies and, where they can be read, texts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from kpframe.engine.annotating import Preprocessing
from kpframe.evaluation.tallies import Tally
from kpframe.model import Document
from kpframe.model.summary import Cell, Summary
from kpframe.runs.finished import FinishedRun
from kpframe.runs.records import FailedDocument, ScoredDocument
from kpframe.runs.saved_keyphrases import SavedKeyphrases
from kpframe.spec import Configuration, Spec
from kpframe.stages import Cleaner

__all__ = ["DATA", "ReportRun", "Reported"]

DATA = "${KPFRAME_DATA}"
"""What stands for the folder of the corpus."""

Reported = tuple[SavedKeyphrases, ScoredDocument]
"""A document's list of keyphrases, and what was counted of it."""


@dataclass(frozen=True)
class ReportRun:
    """A finished run as a report shows it.

    `prefix` is what its systems' names begin with. `documents` are those that it evaluated, empty where
    they cannot be read; `summary` is that of the run (axes, published values, notes), None if it wrote none.
    """

    finished: FinishedRun
    prefix: str
    spec: Spec
    documents: Mapping[str, Document]
    summary: Summary | None

    @property
    def name(self) -> str:
        """What tells the run from the others of the report."""
        return self.finished.name

    @property
    def cells(self) -> list[str]:
        """The cells that are shown."""
        return self.finished.cells

    def system(self, cell: str) -> str:
        """The name that a cell has in the report."""
        return f"{self.prefix}{cell}"

    @cached_property
    def configurations(self) -> dict[str, Configuration]:
        """The configurations of the finished cells by their names."""
        known = {configuration.name: configuration for configuration in self.spec.configurations}
        return {cell: known[cell] for cell in self.cells}

    @cached_property
    def unlearned(self) -> list[FailedDocument]:
        """Failures of documents from which rankings should have learned, each once."""
        return self.finished.unlearned(self.cells)

    @cached_property
    def lost(self) -> frozenset[str]:
        """Documents that failed somewhere in the run, and so are in no average."""
        failed = {
            id
            for cells in self.finished.columns.tallies.values()
            for documents in cells.values()
            for id, tally in documents.items()
            if tally is None
        }
        if not self.finished.columns.recipes:  # nothing was counted anywhere
            failed = self.finished.failed()
        return frozenset(failed | {failure.id for failure in self.unlearned})

    def tallies(self, column: str) -> dict[str, dict[str, Tally | None]]:
        """By system and document, without the documents that are lost."""
        known = self.finished.columns.tallies.get(column, {})
        return {
            self.system(cell): {id: tally for id, tally in known.get(cell, {}).items() if id not in self.lost}
            for cell in self.cells
        }

    def lines(self, cell: str) -> Iterator[Reported]:
        """What is saved of all documents of a cell that are not lost."""
        for keyphrases, scored in self.finished.documents(cell):
            if isinstance(scored, ScoredDocument) and scored.id not in self.lost:
                yield keyphrases, scored

    def cleaners(self, cell: str) -> tuple[Cleaner, ...]:
        """What cleans the texts for a cell."""
        return tuple(s for s in self.configurations[cell].preprocessing if isinstance(s, Cleaner))

    def cleaned(self, cell: str, id: str) -> Document | None:
        """A document with its text as it was cleaned for a cell; None where it cannot be read."""
        document = self.documents.get(id)
        return None if document is None else Preprocessing(self.cleaners(cell), ()).clean(document)

    def portable(self, text: str) -> str:
        """A text with the folder of the corpus as a variable: the same on every machine."""
        documents = self.finished.tree.get("documents")
        path = documents.get("path") if isinstance(documents, Mapping) else None
        if not isinstance(path, str) or not PurePath(path).is_absolute() or len(PurePath(path).parts) < 3:
            return text
        return text.replace(f"{PurePath(path).parent}{os.sep}", f"{DATA}/")

    def axes(self, cell: str) -> dict[str, str]:
        """The alternatives that a cell of a grid stands for; empty for one beside the grid."""
        found: Mapping[str, str] = self.configurations[cell].axes
        if "system" in found:  # as all cells are in specs that were resolved before sweeps were kept
            summed = self._summed(cell)
            found = summed.axes if summed else {}
        return {str(axis): str(name) for axis, name in sorted(found.items()) if axis != "system"}

    def reference(self, cell: str) -> dict[str, float]:
        """The published values of a cell by column."""
        summed = self._summed(cell)
        return dict(summed.reference) if summed else {}

    def _summed(self, cell: str) -> Cell | None:
        return self.summary.find(cell) if self.summary else None
