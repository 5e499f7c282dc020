"""Predictions and gold in other encodings than UTF-8."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import kpframe as kp
from kpframe.errors import DataError
from kpframe.evaluation.predictions import read_gold, read_predictions

LAYOUTS = {
    "p.tsv": "a\tcafé;thé\n",
    "p.jsonl": '{"id": "a", "keyphrases": ["café", "thé"]}\n',
    "p.json": '{"a": [["café"], ["thé"]]}\n',
    "p.csv": "id,keyphrases\na,café;thé\n",
    "p.run": "a Q0 café 1 2.0 t\na Q0 thé 2 1.0 t\n",
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_byte_order_mark_says_the_encoding(name: str, encoding: str, packed: bool, tmp_path: Path) -> None:
    """As of all other files."""
    content = LAYOUTS[name].encode(encoding)
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(content) if packed else content)
    (found,) = read_predictions(path)
    assert (found.id, found.phrases) == ("a", ("café", "thé"))


@pytest.mark.parametrize("name", [*LAYOUTS, "p.pred"])
def test_other_encodings_are_refused(name: str, tmp_path: Path) -> None:
    """With place, problem and a remedy that can be followed."""
    path = tmp_path / name
    path.write_bytes(LAYOUTS.get(name, "café <sep> thé\n").encode("latin-1"))
    for read in (read_predictions, read_gold):
        with pytest.raises(DataError, match=r"not UTF-8 at byte \d+ of the file; save it as UTF-8") as told:
            list(read(path))
        assert told.value.problems[0].place.startswith(str(path))


def test_utf16_without_a_mark_is_named(tmp_path: Path) -> None:
    """The lines are right, the encoding is not."""
    path = tmp_path / "p.jsonl"
    path.write_bytes('{"id": "a", "keyphrases": ["tea"]}\n'.encode("utf-16-le"))
    with pytest.raises(DataError, match="as UTF-16 without a byte order mark; save it as UTF-8"):
        list(read_predictions(path))


def test_a_late_byte_and_a_cut_mark_are_told(tmp_path: Path) -> None:
    """Also behind the rows by which a table is known, and in what only begins as UTF-16."""
    path = tmp_path / "late.csv"
    rows = "".join(f"{n},kites\n" for n in range(2000))
    path.write_bytes(f"id,keyphrases\n{rows}x,café\n".encode("latin-1"))
    with pytest.raises(DataError, match=r"is not utf-8 near line .*; save it as UTF-8"):
        list(read_predictions(path))
    path = tmp_path / "cut.tsv"
    path.write_bytes("a\tx".encode("utf-16") + b"\x00\xd8")
    with pytest.raises(DataError, match="is not utf-16; save it as UTF-8"):
        kp.score(path, path)
