"""One finished run that a report is about: systems, tallies and, where they can be read, texts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from kpframe.engine.annotating import Preprocessing
from kpframe.errors import DataError, KpframeError
from kpframe.evaluation.tallies import Tally
from kpframe.model import Document
from kpframe.runs.finished import RunFiles
from kpframe.runs.tallies import FinishedRun
from kpframe.spec import Configuration, Spec
from kpframe.stages import Cleaner

__all__ = ["DATA", "ReportRun", "Reported", "SavedList", "read_json"]

DATA = "${KPFRAME_DATA}"
"""What stands for the folder of the corpus."""

_DECODER = json.JSONDecoder()


class SavedList:
    """The keyphrases of a document as a line of `keyphrases.jsonl`, read as far as they are asked for.

    Lists are long, and most of what a report tells is about their first few phrases.
    """

    def __init__(self, line: str, place: str = "keyphrases.jsonl") -> None:
        self._line = line.rstrip()
        self._place = place
        if not self._line.endswith("}"):
            raise self._damage()

    def whole(self) -> list[dict[str, Any]]:
        """All keyphrases, best first. Raises DataError for a damaged line."""
        try:
            found: list[dict[str, Any]] = json.loads(self._line)["keyphrases"]
        except (KeyError, TypeError, ValueError):
            raise self._damage() from None
        return found

    def first(self, number: int) -> list[dict[str, Any]]:
        """The first keyphrases, as many as there are. Raises DataError for a damaged line."""
        mark = '"keyphrases":['
        place = self._line.find(mark) + len(mark)
        if place < len(mark) or number <= 0:
            return self.whole()[: max(0, number)]
        found: list[dict[str, Any]] = []
        try:
            while len(found) < number and self._line.startswith("{", place):
                keyphrase, place = _DECODER.raw_decode(self._line, place)
                found.append(keyphrase)
                place += self._line.startswith(",", place)
        except ValueError:
            raise self._damage() from None
        return found

    def _damage(self) -> KpframeError:
        return DataError.at(self._place, "is damaged", "run the experiment again")


Reported = tuple[str, SavedList, dict[str, Any]]
"""A document's id, its line in `keyphrases.jsonl` and what its line in `scores.jsonl` says."""


@dataclass(frozen=True)
class ReportRun:
    """One finished run. `name` tells it from the others; `prefix` is what its systems' names begin with.

    `documents` are those that it evaluated, empty where they cannot be read; `summary` is what its
    `summary.json` says (axes, published values, notes), empty if it wrote none.
    """

    name: str
    prefix: str
    files: RunFiles
    finished: FinishedRun
    spec: Spec
    documents: Mapping[str, Document]
    summary: Mapping[str, Any]

    def system(self, cell: str) -> str:
        """The name that a cell has in the report."""
        return f"{self.prefix}{cell}"

    @cached_property
    def configurations(self) -> dict[str, Configuration]:
        """The configurations of the finished cells by their names."""
        known = {configuration.name: configuration for configuration in self.spec.configurations}
        return {cell: known[cell] for cell in self.files.cells}

    @cached_property
    def unlearned(self) -> list[Mapping[str, str]]:
        """Failures of documents from which rankings should have learned, each once."""
        found: dict[tuple[str, str], Mapping[str, str]] = {}
        for cell in self.files.cells:
            record = read_json(self.files.path / "cells" / cell / "cell.json")
            for failure in record.get("unlearned") or ():
                found.setdefault((failure["id"], failure["stage"]), failure)
        return list(found.values())

    @cached_property
    def lost(self) -> frozenset[str]:
        """Documents that failed somewhere in the run, and so are in no average."""
        failed = {
            id
            for cells in self.finished.tallies.values()
            for documents in cells.values()
            for id, tally in documents.items()
            if tally is None
        }
        if not self.finished.recipes:  # nothing was counted anywhere
            failed = self.files.failed()
        return frozenset(failed | {failure["id"] for failure in self.unlearned})

    def tallies(self, column: str) -> dict[str, dict[str, Tally | None]]:
        """By system and document, without the documents that are lost."""
        known = self.finished.tallies.get(column, {})
        return {
            self.system(cell): {id: tally for id, tally in known.get(cell, {}).items() if id not in self.lost}
            for cell in self.files.cells
        }

    def lines(self, cell: str) -> Iterator[Reported]:
        """What is saved of all documents of a cell that are not lost."""
        path = self.files.path / "cells" / cell / "keyphrases.jsonl"
        scores = self.files.records(cell, "scores.jsonl")
        try:
            with path.open(encoding="utf-8") as stream:
                for line, scored in zip(stream, scores, strict=True):
                    if scored["id"] not in self.lost and "failure" not in scored:
                        yield scored["id"], SavedList(line, str(path)), scored
        except (OSError, ValueError):
            raise DataError.at(str(path), "is damaged", "run the experiment again") from None

    def cleaners(self, cell: str) -> tuple[Cleaner, ...]:
        """What cleans the texts for a cell."""
        return tuple(s for s in self.configurations[cell].preprocessing if isinstance(s, Cleaner))

    def cleaned(self, cell: str, id: str) -> Document | None:
        """A document with its text as it was cleaned for a cell; None where it cannot be read."""
        document = self.documents.get(id)
        return None if document is None else Preprocessing(self.cleaners(cell), ()).clean(document)

    def portable(self, text: str) -> str:
        """A text with the folder of the corpus as a variable: the same on every machine."""
        documents = self.files.tree.get("documents")
        path = documents.get("path") if isinstance(documents, Mapping) else None
        if not isinstance(path, str) or not PurePath(path).is_absolute() or len(PurePath(path).parts) < 3:
            return text
        return text.replace(f"{PurePath(path).parent}{os.sep}", f"{DATA}/")

    def axes(self, cell: str) -> dict[str, str]:
        """The alternatives that a cell of a grid stands for; empty for one beside the grid."""
        found: Mapping[str, str] = self.configurations[cell].axes
        if "system" in found:  # as all cells are in specs that were resolved before sweeps were kept
            found = next((c["axes"] for c in self.summary.get("cells", ()) if c["name"] == cell), {})
        return {str(axis): str(name) for axis, name in sorted(found.items()) if axis != "system"}

    def reference(self, cell: str) -> dict[str, float]:
        """The published values of a cell by column."""
        found = (c["reference"] for c in self.summary.get("cells", ()) if c["name"] == cell)
        return dict(next(found, {}))


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file; empty where there is none that can be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
