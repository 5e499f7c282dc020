"""The folder of a run: cells that are whole or absent, and what is written beside them.

resolved.yaml  environment.json  cells/<name>/{keyphrases,scores,losses}.jsonl  cells/<name>/cell.json
per_document.csv  summary.csv|json|md|tex  report.html  fitted/<id>.json  log.jsonl
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shutil
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kpframe.errors import DataError
from kpframe.files.atomic import atomic_write, write_text

__all__ = ["FILES", "RunFolder", "checksum", "seal"]

FILES = ("keyphrases.jsonl", "scores.jsonl", "losses.jsonl")
"""What a cell has beside `cell.json`: a line a document in each."""

_UNFINISHED = re.compile(r"\..+\.([0-9]+|[a-z0-9_]{8}\.tmp)")
"""The names of files that were not finished (see `atomic_write` and `kpframe.reports`)."""


class RunFolder:
    """Where a run keeps its results. A folder belongs to one run, told by its name."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        marker = path / "run.json"
        if marker.is_file():
            owner = _owner(marker)
            if owner != name:
                raise DataError.at(
                    str(path), f"holds the results of another run, {owner!r}", "choose another --out folder"
                )
        elif path.is_dir() and any(not _UNFINISHED.fullmatch(found.name) for found in path.iterdir()):
            raise DataError.at(str(path), "is not empty and not a run folder", "choose another --out folder")
        try:
            write_text(marker, json.dumps({"name": name}) + "\n")
        except OSError as error:
            problem = f"cannot be written ({error.strerror})"
            raise DataError.at(str(path), problem, "choose another --out folder") from None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Refuse two runs into the folder at once, on systems whose files can be locked."""
        try:
            import fcntl
        except ImportError:
            yield
            return
        with (self.path / "log.jsonl").open("a", encoding="utf-8") as log:
            try:
                fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                problem = "another run is writing into it"
                raise DataError.at(
                    str(self.path), problem, "let that end, or choose another --out folder"
                ) from None
            yield

    @property
    def work(self) -> Path:
        """Temporary files; removed when the run is complete."""
        return self.path / ".work"

    @property
    def page(self) -> Path:
        """The run as one HTML file."""
        return self.path / "report.html"

    def cell(self, name: str) -> Path:
        """The folder of a cell."""
        return self.path / "cells" / name

    def has_cell(self, name: str, key: str) -> bool:
        """Whether a cell is complete, undamaged and has this key."""
        record = self.sound(name, key)
        return record is not None and not record.get("incomplete")

    def sound(self, name: str, key: str) -> dict[str, Any] | None:
        """What `cell.json` says of a cell of this key that is undamaged, complete or not; else None.

        `incomplete` has the ids of documents whose failures are no results: the worker died with them
        while they were `evaluated`, or while the ranking `learned` from them. `state` identifies what the
        ranking had learned.
        """
        try:
            record = self._record(name)
            sums = {file: checksum(self.cell(name) / file) for file in FILES}
        except (OSError, ValueError):
            return None
        return record if record.get("key") == key and record.get("files") == sums else None

    def _record(self, name: str) -> dict[str, Any]:
        """What `cell.json` says of a cell; ValueError if it is damaged."""
        record = json.loads((self.cell(name) / "cell.json").read_text(encoding="utf-8"))
        if not isinstance(record, dict) or record.pop("seal", None) != seal(record):
            raise ValueError("cell.json is damaged")
        return record

    def unlearned(self, name: str) -> list[Mapping[str, str]]:
        """The failures of documents from which the ranking of a cell should have learned."""
        found: list[Mapping[str, str]] = self._record(name)["unlearned"]
        return found

    def undecided(self, name: str) -> frozenset[str]:
        """The documents of a cell whose failures are no results: the next run tries them again."""
        record = self._record(name).get("incomplete", {})
        return frozenset(id for ids in record.values() for id in ids)

    def drop_others(self, cells: Collection[str], fitted: Collection[str]) -> None:
        """Remove the cells and the files of fitted rankings that the spec no longer has."""
        for folder, names in (("cells", cells), ("fitted", fitted)):
            for path in sorted((self.path / folder).glob("*")):
                if path.name not in names:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()

    def sweep(self) -> None:
        """Remove temporary files, also those that a killed run left."""
        shutil.rmtree(self.work, ignore_errors=True)
        for path in (*self.path.glob(".*"), *self.path.glob("fitted/.*")):
            if _UNFINISHED.fullmatch(path.name):
                path.unlink(missing_ok=True)

    def scores(self, name: str, *, containing: str = "") -> Iterator[dict[str, Any]]:
        """The records of `scores.jsonl` of a cell, a document a line; only of lines with `containing`."""
        with (self.cell(name) / "scores.jsonl").open(encoding="utf-8") as file:
            for line in file:
                if containing in line:
                    yield json.loads(line)

    def write_per_document(
        self, names: Sequence[str], header: Sequence[str], rows: Iterator[list[Any]]
    ) -> None:
        """`per_document.csv`: a row for each cell and document."""
        with atomic_write(self.path / "per_document.csv") as binary:
            file = io.TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="")
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


def _owner(marker: Path) -> Any:
    try:
        return json.loads(marker.read_text(encoding="utf-8"))["name"]
    except (OSError, ValueError, KeyError, TypeError):
        raise DataError.at(str(marker), "is damaged", "choose another --out folder") from None


def seal(record: Mapping[str, Any]) -> str:
    """A checksum of the content of a record."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
