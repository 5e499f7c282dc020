"""Partitions that are not what they should be: each told with its place, none stops the others."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import FAST, Outcome, run, variables

from kpframe.files.tables.opening import open_table

pa: Any = pytest.importorskip("pyarrow", reason="needs pyarrow (pip install 'kpframe[tables]')")
parquet: Any = pytest.importorskip("pyarrow.parquet")

GOOD = "Neural nets rank nodes."


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a quick pipeline and one good partition, where commands are typed."""
    (tmp_path / "fast.yaml").write_text(FAST)
    (tmp_path / "in").mkdir()
    (tmp_path / "in/good.csv").write_text(f"id,text\ng,{GOOD}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def extract(capsys: pytest.CaptureFixture[str], *more: str) -> Outcome:
    """The command; what is good is there, whatever else was."""
    done = run(capsys, "extract", "--input", "in", "--out", "out/", "--pipeline", "fast.yaml", *more)
    assert Path("out/good.csv").is_file() or "--format" in more
    return done


def table(**columns: Any) -> Any:
    """A table of Arrow."""
    return pa.table(columns)


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"id": ["a"], "x": ["x"]}, "bad.parquet: has no column 'text'; name one by --column; the columns"),
        ({}, "in/bad.parquet: has no column 'text'; name one by --column; the columns are: "),
        ({"id": ["a"], "text": [5]}, "in/bad.parquet: column 'text' has no text but int64"),
        ({"id": ["a"], "text": [b"Nets"]}, "in/bad.parquet: column 'text' has no text but binary"),
        ({"id": ["a"], "text": [{"en": "Nets"}]}, "in/bad.parquet: column 'text' has no text but struct"),
        ({"id": ["a"], "text": [[["Nets"]]]}, "in/bad.parquet: column 'text' has no text but list<"),
        ({"id": [b"\xff"], "text": ["Nets"]}, "in/bad.parquet:1: the id is neither text nor number"),
        ({"id": [["a"]], "text": ["Nets"]}, "in/bad.parquet:1: the id is neither text nor number"),
        ({"id": [{"n": 1}], "text": ["Nets"]}, "in/bad.parquet:1: the id is neither text nor number"),
    ],
)  # fmt: skip
def test_parquet_of_another_schema_is_told(
    columns: dict[str, Any], told: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a column of texts as a partition that fails, with ids that are none row by row."""
    parquet.write_table(table(**columns), "in/bad.parquet")
    done = extract(capsys)
    assert done.status == 1 and told in done.err


def test_parquet_with_two_columns_of_a_name_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which of them is meant nobody can know."""
    twice = pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    parquet.write_table(twice, "in/bad.parquet")
    done = extract(capsys, "--column", "text", "--id", "text")
    assert done.status == 1 and "in/bad.parquet: has more than one column 'text'" in done.err


def test_partitions_of_different_types_each_keep_theirs(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whole numbers as ids here and text there are the same ids; kept columns have the type of their file."""
    parquet.write_table(table(id=[1, 2], text=[GOOD] * 2, n=[1, 2]), "in/a.parquet")
    parquet.write_table(table(id=["3", "2"], text=[GOOD] * 2, n=["x", None]), "in/b.parquet")
    (place / "in/good.csv").write_text(f"id,text,n\ng,{GOOD},7\n")
    done = extract(capsys, "--keep", "n", "--wide")
    assert done.status == 1 and "in/b.parquet: the id '2' is also in in/a.parquet" in done.err
    types = [str(parquet.read_schema(f"out/{name}.parquet").field("n").type) for name in "ab"]
    assert types == ["int64", "string"]


def test_ragged_rows_are_left_out_one_by_one(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With their lines; a quotation that is never closed takes the rest with it, and is told."""
    (place / "in/ragged.csv").write_text(f'id,text\n1,{GOOD}\n2\n3,a,b\n4,{GOOD}\n5,"open\n6,{GOOD}\n')
    done = extract(capsys, "--wide")
    lines = [
        line.split(":")[2] for line in done.err.splitlines() if line.startswith("skipped: in/ragged.csv:")
    ]
    assert done.status == 1 and lines == ["3", "4", "6"] and "3 skipped" in done.err
    rows = list(csv.DictReader(Path("out/ragged.csv").read_text().splitlines()))
    assert [row["id"] for row in rows] == ["1", "4"]


def test_formulas_are_never_run_by_spreadsheets(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In ids, kept columns and keyphrases of csv; other formats have them as they are."""
    line = '{"id": "=1+1", "text": "Neural nets.", "note": "@SUM(A1)"}\n'
    (place / "in/formulas.jsonl").write_text(line)
    (place / "in/good.csv").write_text(f"id,text,note\ng,{GOOD},\n")
    assert extract(capsys, "--keep", "note", "--wide", "--format", "csv").status == 0
    row = next(csv.DictReader(Path("out/formulas.csv").read_text().splitlines()))
    assert (row["id"], row["note"]) == ("'=1+1", "'@SUM(A1)")
    assert extract(capsys, "--keep", "note", "--wide", "--format", "jsonl").status == 0
    found = json.loads(Path("out/formulas.jsonl").read_text())
    assert (found["id"], found["note"]) == ("=1+1", "@SUM(A1)")


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_nul_characters_change_nothing_else(
    form: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a text and in an id, in each format; every row comes out."""
    rows = {"id": ["a\x00", "b"], "text": ["Neural\x00 nets rank nodes.", GOOD]}
    if form == "parquet":
        parquet.write_table(table(**rows), "in/nul.parquet")
    elif form == "csv":
        lines = (f"{i},{t}" for i, t in zip(*rows.values(), strict=True))
        (place / "in/nul.csv").write_text("\n".join(["id,text", *lines]))
    else:
        lines = (json.dumps({"id": i, "text": t}) for i, t in zip(*rows.values(), strict=True))
        (place / "in/nul.jsonl").write_text("".join(f"{line}\n" for line in lines))
    assert extract(capsys, "--wide").status == 0
    with open_table(f"out/nul.{form}") as found:
        assert next(iter(found.batches(["id"]))).columns["id"] == ["a\x00", "b"]


def test_a_partition_that_vanishes_while_it_is_read_fails(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And one that changes: neither has results; the others have theirs."""
    from kpframe.engine.pipeline import Pipeline

    for name in ("changes", "vanishes"):
        (place / f"in/{name}.csv").write_text(f"id,text\n{name},{GOOD}\n")
    whole: Callable[..., Any] = Pipeline.extract_many

    def struck(self: Pipeline, documents: Any, **words: Any) -> Any:
        for result in whole(self, documents, **words):
            if result.id == "vanishes":
                (place / "in/vanishes.csv").unlink()
            if result.id == "changes":
                with (place / "in/changes.csv").open("a") as file:
                    file.write(f"more,{GOOD}\n")
            yield result

    with monkeypatch.context() as patched:
        patched.setattr(Pipeline, "extract_many", struck)
        done = extract(capsys)
    assert done.status == 1 and "1 partition made, 0 there already, 2 failed" in done.err
    assert "in/vanishes.csv: cannot be read (No such file or directory)" in done.err
    assert "in/changes.csv: changed while it was read; run it again" in done.err
    assert sorted(path.name for path in Path("out").iterdir() if path.is_file()) == ["good.csv"]
    assert "1 partition made, 1 there already" in extract(capsys).err


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30,) * 2)
from kpframe.cli import main
sys.exit(main(sys.argv[1:]))
"""


def with_a_gigabyte(path: Path) -> None:
    """Three rows, of which the second has a gigabyte in its cell."""
    block, blocks = "word " * 2**20, 205
    if path.suffix == ".parquet":
        schema = pa.schema({"id": pa.string(), "text": pa.string()})
        with parquet.ParquetWriter(str(path), schema, compression="zstd") as writer:
            for id, text in (("a", GOOD), ("b", block * blocks), ("c", GOOD)):
                writer.write_table(pa.table({"id": [id], "text": [text]}, schema=schema))
        return
    before, after = f"id,text\na,{GOOD}\nb,", f"\nc,{GOOD}\n"
    if path.suffix == ".jsonl":
        before = f'{{"id": "a", "text": "{GOOD}"}}\n{{"id": "b", "text": "'
        after = f'"}}\n{{"id": "c", "text": "{GOOD}"}}\n'
    with path.open("w") as file:
        file.write(before)
        for _ in range(blocks):
            file.write(block)
        file.write(after)


@pytest.mark.acceptance
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_gigabyte_in_one_cell_is_told(form: str, place: Path) -> None:
    """With its row, in a process that may have six gigabytes; the other partition has its results."""
    with_a_gigabyte(place / f"in/huge.{form}")
    words = ["extract", "--input", "in", "--out", "out/", "--pipeline", "fast.yaml", "--wide"]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *words],
        cwd=place,
        env=variables(place),
        capture_output=True,
        timeout=300,
        check=False,
    )
    told = done.stderr.decode()
    assert done.returncode == 1 and "Traceback" not in told, told
    row = rf"in/huge.{form}:[23]: has more than 268,435,456 (characters|bytes)"
    assert re.search(rf"{row}|in/huge.parquet: rows 1 to 1,000 need more memory than there is", told), told
    assert (place / "out/good.csv").is_file()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bad.csv", bytes(range(256)) * 12),
        ("bad.csv", b"id,text\n\x001,Nets\n"),
        ("bad.jsonl", bytes(range(256)) * 12),
        ("bad.json", bytes(range(256)) * 12),
        ("bad.xlsx", bytes(range(256)) * 12),
        ("bad.parquet", bytes(range(256)) * 12),
        ("bad.parquet", b""),
        ("bad.parquet", b"PAR1 cut off"),
    ],
)
def test_damaged_content_ends_no_other_partition(
    name: str, content: bytes, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is the failure of this file, named, with status 1; those after it in order are made too."""
    (place / "in" / name).write_bytes(content)
    done = extract(capsys)
    assert done.status == 1 and f"in/{name}" in done.err
    assert "1 partition made, 0 there already, 1 failed" in done.err or "skipped" in done.err
    again = extract(capsys)
    assert again.status == 1 and re.search("[12] there already", again.err)
