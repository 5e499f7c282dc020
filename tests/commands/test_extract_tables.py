"""`kpframe extract` from tables into tables, and `kpframe terms` of what it wrote."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from command_line import FAST, Outcome, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpframe.engine.pipeline import Pipeline
from kpframe.files.tables.opening import open_table
from kpframe.files.tables.writing import writing_table

REVIEWS = (
    "review_id;title;body;product;stars\n"
    "r1;Quiet pump;The heat pump is quiet.;pump;5\n"
    "r2;=Bad;Short battery life.;phone;1\n"
    "r3;;;phone;3\n"
)
ROWS = ("--column", "title", "--column", "body", "--id", "review_id", "--keep", "product,stars")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a quick pipeline and reviews in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    Path("fast.yaml").write_text(FAST)
    Path("reviews.csv").write_text(REVIEWS)


def extract(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    """With the quick pipeline."""
    return run(capsys, "extract", "--pipeline", "fast.yaml", *arguments)


def rows_of(path: str) -> list[dict[str, Any]]:
    """The rows of a table."""
    with open_table(path) as table:
        return [
            dict(zip(rows.columns, row, strict=True))
            for rows in table.batches(table.columns)
            for row in zip(*rows.columns.values(), strict=True)
        ]


@pytest.mark.parametrize("out", ["k.csv", "k.parquet", "k.xlsx", "k.tsv.gz", "k.jsonl", "k.json.zst"])
def test_a_table_becomes_a_table(out: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The case extract-csv: separator seen, columns joined, ids and kept columns carried along."""
    result = extract(capsys, "--input", "reviews.csv", *ROWS, "--top", "2", "--long", "--out", out)
    assert result == (0, "", f"wrote {out}: 3 documents, 4 keyphrases, 1 empty (1 without text)\n")
    rows = rows_of(out)
    assert list(rows[0]) == ["id", "product", "stars", "rank", "text", "score", "key", "spans"]
    assert [(r["id"], r["product"], str(r["stars"]), int(r["rank"])) for r in rows] == [
        ("r1", "pump", "5", 1), ("r1", "pump", "5", 2), ("r2", "phone", "1", 1), ("r2", "phone", "1", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(("out", "lists"), [("w.parquet", True), ("w.jsonl", True), ("w.csv", False)])
def test_wide_is_a_row_a_document(out: str, lists: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """With lists, or with --top columns where the format has none; also for an empty text."""
    extract(capsys, "--input", "reviews.csv", *ROWS, "--top", "3", "--wide", "--out", out)
    rows = rows_of(out)
    assert [row["id"] for row in rows] == ["r1", "r2", "r3"]
    if lists:
        assert [len(row["keyphrases"]) for row in rows] == [3, 3, 0]
        assert list(rows[0]) == ["id", "product", "stars", "keyphrases", "scores"]
    else:
        assert list(rows[0])[3:] == ["keyphrase_1", "keyphrase_2", "keyphrase_3"]
        assert rows[2]["keyphrase_1"] == ""


def test_json_documents_have_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """A kept column of a name that is taken gets another; `text` is none that an object has."""
    Path("t.jsonl").write_text('{"id": "a", "text": "red", "keyphrases": 7, "n": [1]}\n')
    out = extract(capsys, "--input", "t.jsonl", "--keep", "n", "--keep", "text", "--format", "jsonl").out
    record = json.loads(out)
    assert (record["id"], record["n"], record["text"]) == ("a", [1], "red")
    assert record["keyphrases"][0]["text"] == "red"


@pytest.mark.parametrize("shape", [[], ["--long"], ["--wide"]])
@pytest.mark.parametrize("out", ["k.csv", "k.jsonl", "k.parquet"])
def test_kept_columns_get_names_that_are_free(
    out: str, shape: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where kpframe's own output is read again: nothing is written over, and nothing else renamed."""
    Path("t.csv").write_text("id,text,kept_id,keyphrases,characters,n\n1,red kite,d,mine,77,8\n")
    keep = ["--keep", "id,kept_id,keyphrases,characters,n"]
    assert extract(capsys, "--input", "t.csv", *keep, *shape, "--out", out).status == 0
    row = rows_of(out)[0]
    assert [str(row[name]) for name in ("kept_kept_id", "kept_id", "n")] == ["1", "d", "8"]
    is_object = out == "k.jsonl" and not shape
    renamed = {"keyphrases": is_object or shape == ["--wide"], "characters": is_object}
    names = [f"kept_{name}" if other else name for name, other in renamed.items()]
    assert [str(row[name]) for name in names] == ["mine", "77"]


@pytest.mark.parametrize("form", [["--out", "k.jsonl"], ["--format", "jsonl"], ["--format", "json"]])
def test_kept_infinite_numbers_are_strings_of_json(
    form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """As JSON has no such numbers, and strict readers refuse the file."""
    Path("t.jsonl").write_text('{"id": "a", "text": "red", "f": 1e999, "n": [-1e999]}\n')
    out = extract(capsys, "--input", "t.jsonl", "--keep", "f,n", *form).out or Path("k.jsonl").read_text()
    found = json.loads(out)
    record = found[0] if isinstance(found, list) else found
    assert (record["f"], record["n"]) == ("inf", ["-inf"])


@pytest.mark.parametrize("option", ["--column", "--id", "--keep"])
def test_a_name_that_is_empty_names_no_column(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It was taken for none, or ended in a traceback."""
    done = extract(capsys, "--input", "reviews.csv", option, "", "--out", "k.csv")
    assert done.status == 2 and f"{option}: names no column" in done.err


@pytest.mark.parametrize("header", ["id,text,text", "id,id,text", "text,id,text"])
def test_columns_that_are_taken_by_themselves_are_there_once(
    header: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second would be lost without a word."""
    Path("t.csv").write_text(f"{header}\na,b,c\n")
    done = extract(capsys, "--input", "t.csv", "--out", "k.csv")
    assert done.status == 2 and "t.csv: has more than one column " in done.err


@pytest.mark.parametrize("name", ["k", "k.foo", "k.v2"])
def test_a_format_that_is_said_needs_no_ending(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """And `-` is standard output."""
    Path("t.jsonl").write_text('{"id": "a", "text": "Graph kernels."}\n')
    written = []
    for out in ("k.csv", name):
        assert extract(capsys, "--input", "t.jsonl", "--format", "csv", "--out", out).status == 0
        written.append(Path(out).read_text())
    shown = extract(capsys, "--input", "t.jsonl", "--format", "csv", "--out", "-").out
    assert written[0] == written[1] == shown and not Path("-").exists()


def test_names_that_begin_with_a_dash(capsys: pytest.CaptureFixture[str]) -> None:
    """After `--` they are names; without it the way to say them is told."""
    Path("-t.csv").write_text("id,text\na,Graph kernels.\n")
    words = ("extract", "--pipeline", "any-language", "--format", "jsonl")
    shown = run(capsys, *words, "--", "-t.csv")
    assert shown.status == 0 and shown.out == run(capsys, *words, "./-t.csv").out and '"a"' in shown.out
    assert "the file of this name is ./-t.csv" in run(capsys, *words, "--input", "-t.csv").err


def test_a_column_that_is_named_twice_is_taken_once(capsys: pytest.CaptureFixture[str]) -> None:
    """As a text, and as one that is kept."""
    Path("t.jsonl").write_text('{"text": "Graph kernels.", "n": 1}\n')
    words = ("--column", "text", "--column", "text", "--keep", "n,n", "--keep", "n")
    out = extract(capsys, "--input", "t.jsonl", *words, "--format", "jsonl").out
    record = json.loads(out)
    assert record["n"] == 1 and all(len(one["spans"]) == 1 for one in record["keyphrases"])


def test_kept_columns_of_parquet_keep_their_types(capsys: pytest.CaptureFixture[str]) -> None:
    """Dates and whole numbers are what they were."""
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow (pip install 'kpframe[tables]')")
    parquet = pytest.importorskip("pyarrow.parquet")
    import datetime

    day = [datetime.date(2026, 1, 2)]
    table = pyarrow.table({"id": [7], "text": ["red kites"], "day": day, "n": pyarrow.array([3], "int8")})
    parquet.write_table(table, "in.parquet")
    assert extract(capsys, "--input", "in.parquet", "--keep", "day,n", "--out", "k.parquet").status == 0
    written = parquet.read_table("k.parquet")
    assert [str(written.schema.field(name).type) for name in ("id", "day", "n")] == [
        "string",
        "date32[day]",
        "int8",
    ]
    assert extract(capsys, "--input", "in.parquet", "--keep", "day,n", "--out", "k.jsonl").status == 0
    assert json.loads(Path("k.jsonl").read_text())["day"] == "2026-01-02"


def test_what_is_skipped_is_told_with_its_row(capsys: pytest.CaptureFixture[str]) -> None:
    """In the last line, and in the exit status; --quiet leaves one line."""
    Path("t.jsonl").write_text('{"id": 1, "body": "red"}\n{"id": 2, "body": 5}\n')
    arguments = ("--input", "t.jsonl", "--column", "body", "--out", "k.csv")
    assert extract(capsys, *arguments) == (
        1,
        "",
        "skipped: t.jsonl:2: not text but int\n"
        "wrote k.csv: 1 document, 1 keyphrase, 0 empty, 1 skipped (row 2: not text but int)\n",
    )
    assert extract(capsys, *arguments, "--quiet") == (
        1,
        "",
        "error: skipped: t.jsonl:2: not text but int\n",
    )


def test_only_malformed_lines_are_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    """The case skips-quiet; many are counted, not listed."""
    Path("x.jsonl").write_text("no\n" * 50)
    quiet = extract(capsys, "--input", "x.jsonl", "--quiet")
    assert (quiet.status, quiet.out) == (1, "")
    assert quiet.err.startswith("error: skipped: 50 things, the first: x.jsonl:1: is not JSON")
    told = extract(capsys, "--input", "x.jsonl").err.splitlines()
    assert told[-2:] == ["the input holds no document", "skipped: 30 things more"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--input", "reviews.csv", "--out", "k.docx"), ".docx is no format that can be written"),
        (("--input", "reviews.csv", "--out", "k.parquet.gz"), ".gz is no format that can be written"),
        (
            ("--input", "reviews.csv", "--format", "parquet"),
            "--out: is no file for parquet; end it with .parquet",
        ),
        (("--input", "reviews.csv", "--format", "csv", "--out", "k.xlsx"), "is no file for csv"),
        (("--input", "reviews.csv", "--wide"), "--wide: has no effect on text"),
        (("--input", "reviews.csv", "--keep", "stars"), "--keep: has no effect on text"),
        (("--text", "x", "--column", "a"), "--column: has no effect on --text"),
        (("--input", "a.txt", "--id", "a"), "--id: has no effect on an input that is no table"),
        (
            ("--input", "reviews.csv", "--column", "nope"),
            "has no column 'nope'; the columns are: 'review_id'",
        ),
        (("--input", "reviews.csv", "--keep", "x", "--out", "k.csv"), "has no column 'x'"),
        (("--input", "reviews.csv", "--out", "k.csv", "--encoding", "utf-16"), "reviews.csv: is not utf-16"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_written(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, no file."""
    Path("a.txt").write_text("x")
    result = extract(capsys, *arguments)
    assert (result.status, result.out) == (2, "")
    assert message in result.err
    assert not list(Path().glob("k.*"))


def test_several_inputs_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Of several kinds."""
    Path("a.txt").write_text("red")
    Path("b.html").write_text("<p>green")
    out = extract(capsys, "--input", "a.txt", "b.html", "--format", "csv").out
    assert [row["id"] for row in csv.DictReader(io.StringIO(out))] == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "more", "ids"),
    [
        (b"red", (), ["stdin"]),
        (b'{"id": "a", "text": "red"}\n', (), ["a"]),
        (b"id,body\n7,red\n", ("--column", "body"), ["7"]),
        (b"<html><p>red", (), ["stdin"]),
    ],
)
def test_standard_input_may_be_anything(
    content: bytes, more: tuple[str, ...], ids: list[str], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """It has no name; columns say that it is a table."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    out = extract(capsys, "--input", "-", *more, "--format", "jsonl").out
    assert [json.loads(line)["id"] for line in out.splitlines()] == ids


@pytest.mark.slow
def test_workers_keep_rows_with_their_documents(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is under way at the same time."""
    lines = [json.dumps({"id": i, "text": f"red {i}", "n": i}) for i in range(200)]
    Path("t.jsonl").write_text("\n".join(lines))
    arguments = ("--input", "t.jsonl", "--keep", "n", "--top", "1", "--format", "csv")
    one, two = extract(capsys, *arguments), extract(capsys, *arguments, "--workers", "2")
    assert one == two
    assert all(row["id"] == row["n"] for row in csv.DictReader(io.StringIO(one.out)))


@given(names=st.lists(st.sampled_from(["id", "text", "rank", "n", "key", "keyphrases"]), unique=True))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.slow
def test_any_columns_can_be_kept(names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """No name is in a table twice."""
    columns = ["id", "text", "rank", "n", "key", "keyphrases"]
    with writing_table("in.csv", columns) as writer:
        writer.write({name: ["red kites"] for name in columns})
    keep = ("--keep", ",".join(names)) if names else ()
    for shape in ("--wide", "--long"):
        assert extract(capsys, "--input", "in.csv", *keep, shape, "--out", "k.csv", "--top", "1").status == 0
        (row, *_) = rows_of("k.csv")
        assert len(row) == len(set(row)) == len(names) + (2 if shape == "--wide" else 6)


@pytest.mark.parametrize("action", [("check",), ("data", "stats"), ("new",), ("run",)])
@pytest.mark.parametrize("source", ["folder", "c.zip", "a.txt", "reviews.csv", "in.parquet"])
@pytest.mark.slow
def test_all_commands_take_the_same_things(
    action: tuple[str, ...], source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The case zip-new: a folder, a zip, a file."""
    import zipfile

    text = "The heat pump in the old house is loud. We measured the heat pump and the old houses."
    Path("folder").mkdir()
    for path in ("folder/a.txt", "folder/b.txt", "a.txt"):
        Path(path).write_text(text)
    with zipfile.ZipFile("c.zip", "w") as file:
        file.writestr("a.txt", text)
    with writing_table("in.parquet", ["id", "text"]) as writer:
        writer.write({"id": ["a"], "text": [text]})
    more = ("--out", "run", "--no-page") if action == ("run",) else ()
    result = run(capsys, *action, source, *more)
    assert result.status == 0, result.err
    assert "document" in result.out + result.err


def test_what_cannot_be_read_is_in_the_exit_status_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    """And named, each with its reason."""
    Path("folder").mkdir()
    Path("folder/a.txt").write_text("The heat pump is loud.")
    Path("folder/b.txt").write_bytes(b"\x89PNG")
    for action in (("check", "folder"), ("data", "stats", "folder"), ("run", "folder", "--no-page")):
        result = run(capsys, *action)
        assert result.status == 1, action
        assert "skipped: " in result.err and "b.txt: is an image" in result.err


def test_terms_tell_the_groups_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """By the kept column, with the test; on the screen and as a table."""
    lines = [{"id": i, "text": "heat pump" if i % 2 else "battery", "kind": f"k{i % 2}"} for i in range(40)]
    Path("t.jsonl").write_text("\n".join(map(json.dumps, lines)))
    extract(capsys, "--input", "t.jsonl", "--keep", "kind", "--out", "k.csv")
    result = run(capsys, "terms", "k.csv", "--by", "kind", "--top", "1")
    assert result.out.splitlines()[0] == "kind = k0: 20 documents"
    assert result.out.splitlines()[2].split()[:4] == ["battery", "20", "100.0%", "0.0%"]
    assert run(capsys, "terms", "k.csv", "--by", "kind", "--top", "1", "--out", "t.parquet").status == 0
    assert [(r["group"], r["term"]) for r in rows_of("t.parquet")] == [("k0", "battery"), ("k1", "heat")]
    for wrong, message in (
        (("k.csv", "--by", "no"), "has no column 'no'"),
        (("t.jsonl", "--by", "kind"), "has no keyphrases"),
        (("k.csv", "--by", "rank", "--out", "t.doc"), ".doc is no format"),
        (("no.csv", "--by", "x"), "does not exist"),
    ):
        refused = run(capsys, "terms", *wrong)
        assert refused.status == 2 and message in refused.err


@pytest.mark.parametrize("wide", [[], ["--wide"]])
def test_terms_are_the_same_in_every_format(wide: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Groups that csv keeps from being run as formulas are shown as they are, and a real apostrophe stays."""
    groups = ["=a", "@x", "-1", "+b", "'tis", "plain"]
    lines = [{"id": i, "text": "heat pump", "grp": group} for i, group in enumerate(groups)]
    Path("t.jsonl").write_text("\n".join(map(json.dumps, lines)))
    shown = []
    for ending in ("csv", "tsv", "jsonl"):
        extract(capsys, "--input", "t.jsonl", "--keep", "grp", *wide, "--out", f"k.{ending}")
        shown.append(run(capsys, "terms", f"k.{ending}", "--by", "grp").out)
    assert shown[0] == shown[1] == shown[2]
    assert all(f"grp = {group}: 1 document\n" in shown[0] for group in groups)


@pytest.mark.parametrize("format", ["csv", "json", "jsonl", "xlsx"])
@pytest.mark.parametrize("shape", ["--long", "--wide", ""])
def test_bytes_that_are_kept_are_refused_by_the_name_of_their_column(
    format: str, shape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In every format but Parquet, and in every shape."""
    with writing_table("in.parquet", ["text", "n", "raw"], {"raw": pyarrow.binary()}) as writer:
        writer.write({"text": ["red", "green"], "n": ["1", "2"], "raw": [None, b"\xff"]})
    words = ("--input", "in.parquet", "--keep", "n,raw", "--out", f"k.{format}", *filter(None, [shape]))
    result = extract(capsys, *words)
    assert result.status == 2 and result.err.startswith("error: column 'raw': has bytes")


@pytest.mark.parametrize(
    ("header", "keep", "kept"),
    [
        ("text,a,b", ("a, b",), ["a", "b"]),
        ("text,a,b", (" a ,b ,",), ["a", "b"]),
        ("text,a,b", ("a", " b"), ["a", "b"]),
        ("text,a, b", ("a, b",), ["a", " b"]),
        ("text, a,a", (" a,a",), [" a", "a"]),
    ],
)
@pytest.mark.parametrize("place", ["t.csv", "parts"])
def test_blanks_around_the_names_of_kept_columns(
    header: str,
    keep: tuple[str, ...],
    kept: list[str],
    place: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """They are none of the name, unless a column is called exactly so."""
    content = f"{header}\nred,1,2\n"
    file = Path("parts/t.csv" if place == "parts" else "t.csv")
    file.parent.mkdir(exist_ok=True)
    file.write_text(content)
    out = "out/" if place == "parts" else "k.csv"
    words = [word for name in keep for word in ("--keep", name)]
    assert extract(capsys, "--input", place, *words, "--out", out).status == 0
    (row,) = rows_of(out if out == "k.csv" else "out/t.csv")
    assert [row[name] for name in kept] == ["1", "2"]


def test_blanks_are_no_part_of_a_column_of_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read once, so that nobody looks beforehand what its columns are called."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"text,a,b\nred,1,2\n")))
    assert extract(capsys, "--input", "-", "--keep", "a, b", "--out", "k.csv").status == 0
    (row,) = rows_of("k.csv")
    assert [row["a"], row["b"]] == ["1", "2"]


def test_a_word_of_blanks_and_commas_names_no_column(capsys: pytest.CaptureFixture[str]) -> None:
    """It would else be forgotten."""
    result = extract(capsys, "--input", "reviews.csv", "--keep", " , ", "--out", "k.csv")
    assert result.status == 2 and "--keep: names no column" in result.err


@pytest.mark.slow
def test_an_input_that_changes_while_it_is_read_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read is written, and the exit status is 1."""
    Path("t.csv").write_text("id,text\n" + "".join(f"{i},red\n" for i in range(3000)))
    whole = Pipeline.extract_many

    def cut(self: Pipeline, documents: object, **words: object) -> object:
        for i, result in enumerate(whole(self, documents, **words)):  # type: ignore[arg-type]
            if i == 0:
                os.truncate("t.csv", Path("t.csv").stat().st_size - 1000)
            yield result

    monkeypatch.setattr(Pipeline, "extract_many", cut)
    result = extract(capsys, "--input", "t.csv", "--out", "k.csv", "--language", "en")
    why = "changed while it was read, so that some of it may be missing; run it again"
    assert result.status == 1 and f"skipped: t.csv: {why}\n" in result.err
    assert result.err.endswith(f" 0 empty, 1 skipped ({why})\n")


@pytest.mark.parametrize("name", ["p.csv", "p.parquet", "p.xlsx", "p.jsonl", "p.tsv"])
def test_titles_and_abstracts_are_read_together(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON lines have them; it is told once, and a column that is named is alone."""
    rows = {"Title": ["Solar panels", ""], "abstract": ["Wind turbines turn.", "Tidal power plants."]}
    with writing_table(name, list(rows)) as table:
        table.write(rows)
    made = extract(capsys, "--input", name, "--format", "json")
    assert "solar panels" in made.out.casefold() and "turbines" in made.out
    assert made.err.count("'Title' and 'abstract' are read") == (0 if name == "p.jsonl" else 1)
    alone = extract(capsys, "--input", name, "--column", "abstract", "--format", "json")
    assert "solar" not in alone.out.casefold() and "are read" not in alone.err


def test_a_title_beside_a_text_is_not_read_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A text has its title in it; a title that is a number loses no row where nobody named it."""
    Path("t.csv").write_text("id,title,text\na,Solar panels,Wind turbines turn.\n")
    made = extract(capsys, "--input", "t.csv", "--format", "json")
    assert "solar" not in made.out.casefold()
    assert "column 'text' is read, and not 'title'; name all that are meant by --column" in made.err
    with writing_table("n.xlsx", ["title", "abstract"]) as table:
        table.write({"title": [1984], "abstract": ["Wind turbines turn."]})
    assert "turbines" in extract(capsys, "--input", "n.xlsx", "--format", "json").out
