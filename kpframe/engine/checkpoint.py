"""All cells of one pass over the documents, written side by side; a killed pass goes on where it was.

Cells end together, at the end of the pass. Lest a kill lose all of it, the files that are under way and
the number of documents in them are sealed every few seconds; whatever was appended later is cut off.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from kpframe.engine.evaluating import Evaluated
from kpframe.files.atomic import write_text
from kpframe.runs.cell_writer import CellWriter
from kpframe.runs.codec import seal
from kpframe.runs.folder import RunFolder

__all__ = ["SECONDS", "CellsUnderWay"]

SECONDS = 3.0
"""So much work may be lost by a kill."""


class CellsUnderWay:
    """The writers of all cells of a pass. `done` is the number of documents that they already have."""

    def __init__(self, folder: RunFolder, writers: Sequence[CellWriter]) -> None:
        self.writers = writers
        self.done = 0
        self._path = folder.work / "checkpoint.json"
        self._written = time.monotonic()
        if not self._resume():
            self._path.unlink(missing_ok=True)
            for writer in writers:
                writer.begin()

    def _resume(self) -> bool:
        """Whether every cell can go on from the checkpoint; those of another pass, or damaged, cannot.

        All of them or none: a pass has one place in the documents.
        """
        try:
            known = json.loads(self._path.read_text(encoding="utf-8"))
            if known.pop("seal") != seal(known):
                return False
            cells = known["cells"]
            fits = all(cells[writer.name]["of"] == _bound(writer) for writer in self.writers)
            if not fits or not all(writer.resume(cells[writer.name]) for writer in self.writers):
                return False
            self.done = int(known["done"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return False
        return True

    def add(self, id: str, result: Evaluated) -> None:
        """The lines of the next document."""
        for writer in self.writers:
            *lines, decided = result[writer.name]
            writer.write(id, lines, decided=decided)
        self.done += 1
        if time.monotonic() - self._written >= SECONDS:
            self.seal()

    def seal(self) -> None:
        """Write down how far all cells are."""
        cells = {writer.name: {"of": _bound(writer), **writer.progress()} for writer in self.writers}
        record = {"done": self.done, "cells": cells}
        write_text(self._path, json.dumps({**record, "seal": seal(record)}) + "\n")
        self._written = time.monotonic()

    def finish(self) -> None:
        """Put all cells in place, one after the other; a kill in between loses none of them."""
        self.seal()
        for writer in self.writers:
            writer.finish()


def _bound(writer: CellWriter) -> Mapping[str, Any]:
    """What lines that are there must have come from, to go on with them."""
    return {"key": writer.key, "state": writer.state, "learned": writer.incomplete["learned"]}
