"""The folder of a run: cells that are whole or absent, and what is written beside them.

resolved.yaml  environment.json  cells/<name>/{keyphrases,scores}.jsonl  cells/<name>/cell.json
per_document.csv  summary.csv|json|md|tex  fitted/<id>.json  log.jsonl
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from kpframe.errors import DataError
from kpframe.store import atomic_write, write_text

__all__ = ["CellWriter", "RunFolder"]

_FILES = ("keyphrases.jsonl", "scores.jsonl")


class RunFolder:
    """Where a run keeps its results. A folder belongs to one run, told by its name."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        marker = path / "run.json"
        if marker.is_file():
            owner = json.loads(marker.read_text(encoding="utf-8")).get("name")
            if owner != name:
                raise DataError.at(
                    str(path), f"holds the results of another run, {owner!r}", "choose another --out folder"
                )
        elif path.is_dir() and any(path.iterdir()):
            raise DataError.at(str(path), "is not empty and not a run folder", "choose another --out folder")
        write_text(marker, json.dumps({"name": name}) + "\n")

    @property
    def work(self) -> Path:
        """Temporary files; removed when the run is complete."""
        return self.path / ".work"

    def cell(self, name: str) -> Path:
        """The folder of a cell."""
        return self.path / "cells" / name

    def has_cell(self, name: str, key: str) -> bool:
        """Whether a cell is complete, undamaged and has this key."""
        folder = self.cell(name)
        try:
            record = json.loads((folder / "cell.json").read_text(encoding="utf-8"))
            sums = {file: _checksum(folder / file) for file in _FILES}
        except (OSError, ValueError):
            return False
        return isinstance(record, dict) and record.get("key") == key and record.get("files") == sums

    def drop_other_cells(self, names: Sequence[str]) -> None:
        """Remove cells that the spec no longer has."""
        folder = self.path / "cells"
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            if path.name not in names:
                shutil.rmtree(path)

    def scores(self, name: str) -> Iterator[dict[str, Any]]:
        """The records of `scores.jsonl` of a cell: a document a line."""
        with (self.cell(name) / "scores.jsonl").open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)

    def write_per_document(
        self, names: Sequence[str], header: Sequence[str], rows: Iterator[list[Any]]
    ) -> None:
        """`per_document.csv`: a row for each cell and document."""
        with atomic_write(self.path / "per_document.csv") as binary:
            file = io.TextIOWrapper(binary, encoding="utf-8", newline="")
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)
            file.flush()
            file.detach()

    def log(self, event: str, **details: Any) -> None:
        """Append to `log.jsonl`; the only place where times are written."""
        record = {"time": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "event": event, **details}
        with (self.path / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=True) + "\n")


class CellWriter:
    """Writes the two files of a cell aside and puts them in place together, when they are whole."""

    def __init__(self, folder: RunFolder, name: str, key: str) -> None:
        self.folder = folder
        self.name = name
        self.key = key
        self.aside = folder.work / "cells" / name
        shutil.rmtree(self.aside, ignore_errors=True)
        self.aside.mkdir(parents=True)
        self._files: list[IO[bytes]] = [(self.aside / file).open("wb") for file in _FILES]

    def write(self, keyphrases: str, scores: str) -> None:
        """One document's lines."""
        for file, line in zip(self._files, (keyphrases, scores), strict=True):
            file.write(line.encode("utf-8", "backslashreplace") + b"\n")

    def write_failure(self, failure: Mapping[str, str]) -> None:
        """A document that has no result in this cell."""
        record = {"id": failure["id"], "keyphrases": [], "error": f"{failure['stage']}: {failure['error']}"}
        scores = {"id": failure["id"], "failure": dict(failure)}
        self.write(json.dumps(record, ensure_ascii=False), json.dumps(scores, ensure_ascii=False))

    def finish(self) -> None:
        """Put the cell in place."""
        for file in self._files:
            file.flush()
            os.fsync(file.fileno())
            file.close()
        sums = {file: _checksum(self.aside / file) for file in _FILES}
        write_text(self.aside / "cell.json", json.dumps({"key": self.key, "files": sums}) + "\n")
        final = self.folder.cell(self.name)
        shutil.rmtree(final, ignore_errors=True)
        final.parent.mkdir(parents=True, exist_ok=True)
        os.replace(self.aside, final)

    def abandon(self) -> None:
        """Close without putting anything in place."""
        for file in self._files:
            file.close()


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
