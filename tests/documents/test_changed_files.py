"""A file that is changed while it is read is told: what was read may be old, or new, or not all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus_files import parted

from kpframe.documents.annotations import AnnotatedJsonl
from kpframe.documents.csv import Csv
from kpframe.documents.files import Files
from kpframe.documents.jsonl import Jsonl
from kpframe.documents.table import TableReader
from kpframe.documents.text import Text
from kpframe.model import Skipped
from kpframe.stages import Reader

ROWS = 1_200
CSV = "id,text\n" + "".join(f"{i},red kites {i}\n" for i in range(ROWS))
LINES = "".join(json.dumps({"id": str(i), "text": "red kites"}) + "\n" for i in range(ROWS))
TOKENS = {"text": "red", "words": ["red"], "begins": [0], "ends": [3], "sentences": [[0, 1]]}
WORDS = "".join(json.dumps({"id": str(i), **TOKENS}) + "\n" for i in range(ROWS))


def replaced(path: Path) -> None:
    """By another file, as editors and downloads do."""
    path.with_suffix(".new").write_text(path.read_text())
    os.replace(path.with_suffix(".new"), path)


def lengthened(path: Path) -> None:
    """By whoever still writes it."""
    with path.open("a") as file:
        file.write("x")


def shortened(path: Path) -> None:
    """In its middle."""
    os.truncate(path, 3 * path.stat().st_size // 4)


CASES: dict[str, tuple[type[Reader], str, dict[str, Any]]] = {
    "t.csv": (Files, CSV, {}),
    "t.jsonl": (Files, LINES, {}),
    "u.jsonl": (Files, LINES, {"id": "id"}),
    "table/t.csv": (Files, CSV, {}),
    "v.csv": (TableReader, CSV, {}),
    "w.csv": (Csv, CSV, {}),
    "w.jsonl": (Jsonl, LINES, {}),
    "lines.txt": (Text, CSV, {"unit": "line"}),
    "a.jsonl": (AnnotatedJsonl, WORDS, {}),
}


@pytest.mark.parametrize("change", [replaced, lengthened, shortened], ids=lambda one: one.__name__)
@pytest.mark.parametrize("name", CASES)
def test_a_file_that_changes_while_it_is_read_is_told(
    name: str, change: Callable[[Path], None], tmp_path: Path
) -> None:
    """What was read is kept, and the last thing left out says what may be missing; nothing if it stays."""
    kind, content, more = CASES[name]
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    place = path.parent if "/" in name else path
    reader = kind.model_validate({"path": str(place), **more})
    documents, skipped = parted(reader)
    assert len(documents) >= ROWS and skipped == []
    entries: Iterator[Any] = iter(reader.read())
    first = next(entries)
    change(path)
    found = [first, *entries]
    told = Skipped(str(path), "changed while it was read, so that some of it may be missing; run it again")
    assert found[-1] == told and len(found) > 10


def test_permissions_and_links_change_nothing(tmp_path: Path) -> None:
    """Nor does reading it."""
    path = tmp_path / "t.csv"
    path.write_text(CSV)
    entries = iter(Files(path=(str(path),)).read())
    next(entries)
    path.chmod(0o600)
    (tmp_path / "link").hardlink_to(path)
    assert not any(isinstance(one, Skipped) for one in entries)
