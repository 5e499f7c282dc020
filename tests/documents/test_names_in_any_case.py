"""Columns and keys that are read without an option are found whatever their case, by all readers alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpus_files import parted, phrases

from kpframe.documents.csv import Csv
from kpframe.documents.files import Files
from kpframe.documents.jsonl import Jsonl
from kpframe.documents.table import TableReader
from kpframe.errors import DataError
from kpframe.stages import Reader


@pytest.mark.parametrize("header", ["id,text", "ID,Text", "Id,TEXT", " ID , Text "])
def test_the_id_is_found_as_the_text_is(tmp_path: Path, header: str) -> None:
    """Ids were numbers without a word, which no gold has."""
    path = tmp_path / "t.csv"
    path.write_text(f"{header}\nx7,red kites\n")
    readers: list[Reader] = [TableReader(path=str(path)), Files(path=(str(path),)), Csv(path=str(path))]
    for reader in readers:
        (document,), skipped = parted(reader)
        assert (document.id, document.text, skipped) == ("x7", "red kites", [])


@pytest.mark.parametrize("columns", [{}, {"keep": ["Year"]}])
def test_keys_of_json_lines_are_found_alike(tmp_path: Path, columns: dict[str, object]) -> None:
    """Each line was skipped; with options and without, and gold and language too."""
    path = tmp_path / "t.jsonl"
    line = {"ID": "x7", "Text": "red kites", "Language": "EN", "Keywords": ["kites"], "Year": 1}
    path.write_text(json.dumps(line) + "\n")
    (document,), skipped = parted(Files.model_validate({"path": str(path), **columns}))
    assert (document.id, document.text, skipped) == ("x7", "red kites", [])
    (document,), _ = parted(Jsonl(path=str(path)))
    assert (document.language, phrases(document)) == ("en", ["kites"])


def test_what_is_called_exactly_so_goes_before(tmp_path: Path) -> None:
    """And of two that differ in nothing else neither is taken."""
    path = tmp_path / "t.csv"
    for header, expected in (("ID,id", "2"), ("id,Id", "1"), ("ID,Id", "t-2")):
        path.write_text(f"{header},text\n1,2,red kites\n")
        for reader in (TableReader(path=str(path)), Csv(path=str(path))):
            assert parted(reader)[0][0].id == expected
    lines = tmp_path / "t.jsonl"
    lines.write_text('{"Text": "a", "text": "b"}\n{"Text": "a", "TEXT": "b"}\n')
    (document,), (skipped,) = parted(Jsonl(path=str(lines)))
    assert (document.text, skipped.place) == ("b", f"{lines}:2")


def test_a_column_that_was_named_is_that_one(tmp_path: Path) -> None:
    """What a user writes is not read as something else."""
    path = tmp_path / "t.csv"
    path.write_text("ID,Body\n1,red kites\n")
    with pytest.raises(DataError, match="did you mean 'Body'"):
        parted(Csv(path=str(path), text="body"))
    with pytest.raises(DataError, match="did you mean 'ID'"):
        parted(TableReader(path=str(path), id="id"))
