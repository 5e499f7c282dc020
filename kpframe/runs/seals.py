"""Whether the files of a run are those that were written; those of a cell are checked once a process."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from kpframe.errors import DataError, KpframeError
from kpframe.files.atomic import write_text
from kpframe.files.changes import FileState, file_state
from kpframe.runs.codec import decode_cell
from kpframe.runs.records import CellRecord
from kpframe.runs.strict_json import decode_json, of

__all__ = [
    "AGAIN",
    "CELL_FILES",
    "LOSSES",
    "checksum",
    "recorded_cell",
    "seal_beside",
    "unseal_beside",
    "verify_beside",
    "verify_cell",
]

AGAIN = "run the experiment again"

CELL_FILES = ("keyphrases.jsonl", "scores.jsonl")
"""What every cell has beside `cell.json`: a line a document in each."""

LOSSES = "losses.jsonl"
"""Where gold was lost, in the same order; runs of version 0.1.0 have none."""

_BESIDE = ("conclusions.json", "environment.json", "per_document.csv", "summary.json", "texts.jsonl")
"""What lies beside the cells and is read again; a run that came to its end has `sealed.json`."""

_Stamp = tuple[FileState, ...]

_KNOWN: dict[Path, tuple[_Stamp, CellRecord]] = {}
"""What was found of cells, for as long as none of their files is written again."""


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def recorded_cell(folder: Path) -> CellRecord:
    """What `cell.json` says of a cell; DataError if it is not there or its seal does not fit."""
    path = folder / "cell.json"
    try:
        record = decode_cell(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _unreadable(path, error) from None
    except ValueError:
        raise DataError.at(str(path), "is damaged or was changed after the run", AGAIN) from None
    for name in CELL_FILES:
        if name not in record.files:
            raise DataError.at(str(path), f"does not know of {name}", AGAIN)
    return record


def verify_cell(folder: Path, record: CellRecord) -> Path:
    """The folder of a cell, once its files are those that were written.

    `record` is what its `cell.json` says. Raises DataError if not: nothing can be believed of such a cell.
    """
    stamp = tuple(_stamp(folder / name) for name in record.files)
    if _KNOWN.get(folder.absolute()) != (stamp, record):
        for name, expected in record.files.items():
            _verify(folder / name, expected)
        _KNOWN[folder.absolute()] = (stamp, record)
    return folder


def seal_beside(run: Path) -> None:
    """Write down what the files beside the cells are; the last thing that a run does before its page."""
    found = {name: checksum(run / name) for name in _BESIDE if (run / name).is_file()}
    write_text(run / "sealed.json", json.dumps(found, indent=2) + "\n")


def unseal_beside(run: Path) -> None:
    """Before any of them is written anew."""
    (run / "sealed.json").unlink(missing_ok=True)


def verify_beside(path: Path) -> Path:
    """A file beside the cells, once it is as it was written, where the run has sealed it; else DataError."""
    seals = path.parent / "sealed.json"
    if seals.is_file():
        try:
            expected = of(dict, decode_json(seals.read_text(encoding="utf-8"))).get(path.name)
        except (OSError, ValueError, TypeError):
            raise DataError.at(str(seals), "is damaged", AGAIN) from None
        if expected is not None:
            _verify(path, str(expected))
    return path


def _stamp(path: Path) -> FileState:
    try:
        return file_state(path)
    except OSError as error:
        raise _unreadable(path, error) from None


def _verify(path: Path, expected: str) -> None:
    try:
        found = checksum(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    if found != expected:
        raise DataError.at(str(path), "is damaged or was changed after the run", AGAIN)


def _unreadable(path: Path, error: OSError) -> KpframeError:
    return DataError.at(str(path), f"cannot be read ({error.strerror})", AGAIN)
