"""The folder of a run while an experiment writes it: cells that are whole or absent, and what is beside them.

resolved.yaml  environment.json  cells/<name>/{keyphrases,scores,losses}.jsonl  cells/<name>/cell.json
per_document.csv  summary.csv|json|md|tex  sealed.json  texts.jsonl  report.html  fitted/<id>.json  log.jsonl
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kpframe.errors import DataError
from kpframe.files.atomic import atomic_write, open_named, write_text
from kpframe.files.sealing import digest
from kpframe.runs.codec import decode_marker, decode_scores, encode_marker, spec_checksum
from kpframe.runs.records import CellRecord, FailedDocument, RunMarker, ScoredDocument
from kpframe.runs.seals import LOSSES, recorded_cell, verify_cell
from kpframe.spec import Spec

__all__ = ["RunFolder"]

_UNFINISHED = re.compile(r"\..+\.([0-9]+|[a-z0-9_]{8}\.tmp)")
"""The names of files that were not finished (see `atomic_write` and `kpframe.reports`)."""


class RunFolder:
    """Where a run keeps its results. A folder belongs to one run, told by its name."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        marker = path / "run.json"
        if marker.is_file():
            known = _marker(marker)
            if known.name != name:
                problem = f"holds the results of another run, {known.name!r}"
                raise DataError.at(str(path), problem, "choose another --out folder")
        elif path.is_dir() and any(not _UNFINISHED.fullmatch(found.name) for found in path.iterdir()):
            raise DataError.at(str(path), "is not empty and not a run folder", "choose another --out folder")
        else:
            self._begin(marker, RunMarker(name))

    def _begin(self, marker: Path, begun: RunMarker) -> None:
        """Take a new folder; into one that is there nothing is written before it is held."""
        try:
            write_text(marker, encode_marker(begun))
        except OSError as error:
            problem = f"cannot be written ({error.strerror})"
            raise DataError.at(str(self.path), problem, "choose another --out folder") from None

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

    def write_plan(self, spec: Spec, keys: Mapping[str, str]) -> None:
        """`resolved.yaml`, and in `run.json` what it and its cells are told by.

        A cell of another key is none of this spec from now on, also if the run is killed before it is
        computed anew: readers never take it for one.
        """
        marker = RunMarker(spec.name, spec_checksum(spec.resolved), keys)
        write_text(self.path / "run.json", encode_marker(marker))
        write_text(self.path / "resolved.yaml", spec.to_yaml())

    def write_environment(self, content: Mapping[str, Any]) -> None:
        """`environment.json`."""
        text = json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False)
        write_text(self.path / "environment.json", text + "\n")

    def write_state(self, name: str, text: str) -> Mapping[str, Any]:
        """What a ranking learned, as a file in `fitted`; returns it as it is when it is read again."""
        write_text(self.path / "fitted" / name, text + "\n")
        written: Mapping[str, Any] = json.loads(text)
        return written

    def has_cell(self, name: str, key: str) -> bool:
        """Whether a cell is complete, undamaged and has this key."""
        record = self.sound(name, key)
        return record is not None and not any(record.incomplete.values())

    def sound(self, name: str, key: str) -> CellRecord | None:
        """What `cell.json` says of a cell of this key that is undamaged, complete or not; else None."""
        try:
            record = recorded_cell(self.cell(name))
            whole = record.key == key and LOSSES in record.files and self._has_state(record.state)
            return record if whole and verify_cell(self.cell(name), record) else None
        except DataError:
            return None

    def _has_state(self, state: str) -> bool:
        """Whether what the ranking of a cell has learned lies in `fitted` as it was written."""
        return not state or any(_is_state(path, state) for path in (self.path / "fitted").glob("*.json"))

    def unlearned(self, name: str) -> tuple[FailedDocument, ...]:
        """The failures of documents from which the ranking of a cell should have learned."""
        return recorded_cell(self.cell(name)).unlearned

    def undecided(self, name: str) -> frozenset[str]:
        """The documents of a cell whose failures are no results: the next run tries them again."""
        record = recorded_cell(self.cell(name))
        return frozenset(id for ids in record.incomplete.values() for id in ids)

    def others(self, cells: Collection[str]) -> list[str]:
        """The cells that are there and are none of `cells`."""
        return sorted(path.name for path in (self.path / "cells").glob("*") if path.name not in cells)

    def drop_others(self, cells: Collection[str], fitted: Collection[str]) -> None:
        """Remove the cells and the files of fitted rankings that the spec no longer has."""
        for folder, names in (("cells", cells), ("fitted", fitted)):
            for path in sorted((self.path / folder).glob("*")):
                if path.name not in names:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()

    def sweep(self) -> None:
        """Remove temporary files, also those that a killed run left."""
        shutil.rmtree(self.work, ignore_errors=True)
        for inside in ("", "fitted/", "cells/*/"):
            for path in self.path.glob(f"{inside}.*"):
                if _UNFINISHED.fullmatch(path.name):
                    path.unlink(missing_ok=True)

    def scores(self, name: str, *, containing: str = "") -> Iterator[ScoredDocument | FailedDocument]:
        """The documents of a cell that was just written or found whole; only lines with `containing`."""
        with (self.cell(name) / "scores.jsonl").open(encoding="utf-8") as file:
            for line in file:
                if containing in line:
                    yield decode_scores(line)

    @contextmanager
    def per_document(self, header: Sequence[str]) -> Iterator[Callable[[list[Any]], Any]]:
        """What writes a row of `per_document.csv`, one for each cell and document."""
        with atomic_write(self.path / "per_document.csv") as binary:
            file = io.TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="")
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            yield writer.writerow
            file.flush()
            file.detach()

    def log(self, event: str, **details: Any) -> None:
        """Append to `log.jsonl`; the only place where times are written."""
        record = {"time": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "event": event, **details}
        with open_named(self.path / "log.jsonl", "ab") as file:
            file.write(json.dumps(record, ensure_ascii=True).encode() + b"\n")


def _marker(path: Path) -> RunMarker:
    try:
        return decode_marker(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise DataError.at(str(path), "is damaged", "choose another --out folder") from None


def _is_state(path: Path, state: str) -> bool:
    try:
        return digest(path.read_text(encoding="utf-8").removesuffix("\n")) == state
    except (OSError, UnicodeDecodeError):
        return False
