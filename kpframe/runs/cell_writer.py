"""One cell under way: its files are written aside and put in place together, when they are whole."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kpframe.files.atomic import named_errors, open_named, write_text
from kpframe.runs.codec import encode_cell
from kpframe.runs.folder import RunFolder
from kpframe.runs.records import CellRecord, FailedDocument
from kpframe.runs.seals import CELL_FILES, LOSSES

__all__ = ["FILES", "CellWriter"]

FILES = (*CELL_FILES, LOSSES)
"""The files of a cell that are written side by side."""


class CellWriter:
    """Writes the files of a cell aside and puts them in place together, when they are whole.

    All cells of a run are written side by side, and there may be more of them than a process may have open
    files. So lines are collected and appended in pieces, and no file stays open.
    """

    def __init__(
        self,
        folder: RunFolder,
        name: str,
        key: str,
        *,
        state: str = "",
        unlearned: Sequence[FailedDocument] = (),
        undecided: Sequence[str] = (),
        room: int = 1 << 18,
    ) -> None:
        """`state` identifies what the ranking has learned, and `unlearned` the failures of documents from
        which it should have; `undecided` are the ids of those whose failure is no result. At most `room`
        bytes wait to be appended.
        """
        self.folder = folder
        self.name = name
        self.key = key
        self.state = state
        self.unlearned = tuple(unlearned)
        self.incomplete: dict[str, list[str]] = {"evaluated": [], "learned": list(undecided)}
        self.aside = folder.work / "cells" / name
        self._room = room
        self._waiting: list[list[bytes]] = [[] for _ in FILES]
        self._bytes = 0
        self._sizes = [0] * len(FILES)
        self._sums = [hashlib.sha256() for _ in FILES]

    def begin(self) -> None:
        """Begin with empty files, whatever was there."""
        self._sizes = [0] * len(FILES)
        self._sums = [hashlib.sha256() for _ in FILES]
        self.incomplete["evaluated"] = []
        shutil.rmtree(self.aside, ignore_errors=True)
        self.aside.mkdir(parents=True)

    def resume(self, known: Mapping[str, Any]) -> bool:
        """Go on from what `progress` said earlier; False if the files do not hold it any more.

        What was appended after that is cut off.
        """
        try:
            for number, (name, size) in enumerate(zip(FILES, known["sizes"], strict=True)):
                self._sums[number] = _sum_of(self.aside / name, size)
                self._sizes[number] = size
            same = bool([one.hexdigest() for one in self._sums] == known["sums"])
            self.incomplete["evaluated"] = list(known["evaluated"])
        except (OSError, ValueError, KeyError, TypeError):
            return False
        if same:
            for name, size in zip(FILES, self._sizes, strict=True):
                os.truncate(self.aside / name, size)
        return same

    def write(self, id: str, lines: Sequence[str], *, decided: bool = True) -> None:
        """The lines of one document, one for each file; not `decided` if they hold no result."""
        if not decided:
            self.incomplete["evaluated"].append(id)
        for number, line in enumerate(lines):
            encoded = line.encode("utf-8", "backslashreplace") + b"\n"
            self._waiting[number].append(encoded)
            self._sums[number].update(encoded)
            self._sizes[number] += len(encoded)
            self._bytes += len(encoded)
        if self._bytes > self._room:
            self._append()

    def progress(self) -> dict[str, Any]:
        """What `resume` must know to go on from here; all lines are in their files then."""
        self._append()
        sums = [one.hexdigest() for one in self._sums]
        return {"sizes": list(self._sizes), "sums": sums, "evaluated": list(self.incomplete["evaluated"])}

    def _append(self) -> None:
        for name, waiting in zip(FILES, self._waiting, strict=True):
            with open_named(self.aside / name, "ab") as file:
                file.writelines(waiting)
            waiting.clear()
        self._bytes = 0

    def finish(self) -> None:
        """Put the cell in place."""
        self._append()
        for name in FILES:
            with (self.aside / name).open("rb+") as file, named_errors(self.aside / name):
                os.fsync(file.fileno())
        sums = {name: one.hexdigest() for name, one in zip(FILES, self._sums, strict=True)}
        incomplete = {why: tuple(ids) for why, ids in self.incomplete.items()}
        record = CellRecord(self.key, sums, self.unlearned, self.state, incomplete)
        write_text(self.aside / "cell.json", encode_cell(record))
        final = self.folder.cell(self.name)
        shutil.rmtree(final, ignore_errors=True)
        final.parent.mkdir(parents=True, exist_ok=True)
        os.replace(self.aside, final)


def _sum_of(path: Path, size: int) -> Any:
    """The running checksum of the first `size` bytes of a file; ValueError if it is shorter."""
    made = hashlib.sha256()
    with path.open("rb") as file:
        while size > 0:
            piece = file.read(min(size, 1 << 20))
            if not piece:
                raise ValueError("the file is shorter")
            made.update(piece)
            size -= len(piece)
    return made
