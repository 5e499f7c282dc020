"""Whether the files of a run are those that were written; those of a cell are checked once a process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from kpframe.errors import DataError, KpframeError
from kpframe.files.atomic import write_text
from kpframe.files.changes import FileState, file_state
from kpframe.runs.codec import decode_cell, decode_marker
from kpframe.runs.records import CellRecord
from kpframe.runs.strict_json import decode_json, of

__all__ = [
    "AGAIN",
    "ALWAYS",
    "CELL_FILES",
    "LOSSES",
    "PAGE",
    "changed_beside",
    "changed_cells",
    "checksum",
    "is_changed_page",
    "recorded_cell",
    "seal_beside",
    "sealed_beside",
    "sealed_page",
    "unseal_beside",
    "verify_beside",
    "verify_cell",
]

AGAIN = "run the experiment again"

CELL_FILES = ("keyphrases.jsonl", "scores.jsonl")
"""What every cell has beside `cell.json`: a line a document in each."""

LOSSES = "losses.jsonl"
"""Where gold was lost, in the same order; runs of version 0.1.0 have none."""

ALWAYS = ("environment.json", "per_document.csv", "summary.json", "texts.jsonl")
"""What every run writes beside the cells; one that came to its end has `sealed.json`."""

_SEALS = "sealed.json"

PAGE = "report.html"
"""Nothing reads it again, and it has its own seal."""

_OWN = "<!-- SHA-256 of all above: "

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


def seal_beside(run: Path, derived: Iterable[str] = ()) -> None:
    """Write down what the files beside the cells are; the last thing that a run does before its page.

    `derived` names those of the reports that it was asked for.
    """
    names = dict.fromkeys((*ALWAYS, *derived))
    made = {name: checksum(run / name) for name in names if (run / name).is_file()}
    write_text(run / _SEALS, json.dumps(made, indent=2) + "\n")


def changed_beside(run: Path) -> list[str]:
    """The files beside the cells that are no longer as they were written; those that are gone are none."""
    try:
        changed = [name for name, seal in _seals(run).items() if _is_changed(run / name, seal)]
    except DataError:
        return [_SEALS]
    return [*changed, PAGE] if is_changed_page(run / PAGE) else changed


def changed_cells(run: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of the cells that `run.json` has, those that are not there, and those that are no longer of the run.

    By their keys and the names of their files, which takes no time: `verify_cell` reads what is in them.
    """
    try:
        keys = decode_marker((run / "run.json").read_text(encoding="utf-8")).keys
    except (OSError, ValueError):
        return (), ()
    there = {name: key for name, key in keys.items() if (run / "cells" / name / "cell.json").is_file()}
    altered = tuple(name for name, key in there.items() if not _is_of_key(run / "cells" / name, key))
    return tuple(name for name in keys if name not in there), altered


def _is_of_key(cell: Path, key: str) -> bool:
    try:
        record = recorded_cell(cell)
    except DataError:
        return False
    return record.key == key and all((cell / name).is_file() for name in record.files)


def sealed_page(text: str) -> str:
    """A page with its own seal at its end: it tells times, and a seal elsewhere would differ with them."""
    return f"{text}{_OWN}{hashlib.sha256(text.encode()).hexdigest()} -->\n"


def is_changed_page(path: Path) -> bool:
    """Whether a page beside what a finished run has sealed is no longer as it was written."""
    if not path.is_file() or not (path.parent / _SEALS).is_file():
        return False
    text, _, seal = path.read_bytes().rpartition(_OWN.encode())
    return seal != f"{hashlib.sha256(text).hexdigest()} -->\n".encode()


def _is_changed(path: Path, seal: str) -> bool:
    try:
        return path.is_file() and checksum(path) != seal
    except OSError:
        return True


def _seals(run: Path) -> dict[str, str]:
    """The checksums of the files beside the cells; none before the end of a run, DataError for damage."""
    path = run / _SEALS
    if not path.is_file():
        return {}
    try:
        found = of(dict, decode_json(path.read_text(encoding="utf-8")))
        return {name: of(str, seal) for name, seal in found.items()}
    except (OSError, ValueError, TypeError):
        raise DataError.at(str(path), "is damaged", AGAIN) from None


def sealed_beside(run: Path) -> dict[str, str] | None:
    """The checksums of the files that a run wrote beside its cells.

    None where nobody knows: before the end of a run, and where `sealed.json` is damaged.
    """
    try:
        return _seals(run) if (run / _SEALS).is_file() else None
    except DataError:
        return None


def unseal_beside(run: Path) -> None:
    """Before any of them is written anew."""
    (run / _SEALS).unlink(missing_ok=True)


def verify_beside(path: Path) -> Path:
    """A file beside the cells, once it is as it was written, where the run has sealed it; else DataError."""
    if (expected := _seals(path.parent).get(path.name)) is not None:
        _verify(path, expected)
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
