"""Tables of all formats: the same rows in as out, and nothing hostile gets through."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpframe.cli import main
from kpframe.errors import DataError, KpframeError, SpecError
from kpframe.files.tables.delimited import separator_of
from kpframe.files.tables.opening import open_table
from kpframe.files.tables.rows import Rows
from kpframe.files.tables.writing import format_of_name, writing_table
from kpframe.spec.stages import make_stage
from kpframe.stages import Reader

ENDINGS = (".csv", ".tsv", ".jsonl", ".json", ".parquet", ".xlsx", ".csv.gz", ".jsonl.zst", ".json.gz")


def table_of(source: str | bytes, name: str = "", **how: Any) -> tuple[list[str], Rows]:
    """Columns and all rows of a table."""
    with open_table(source, name=name, **how) as table:
        whole = Rows.of(table.columns)
        for rows in table.batches(table.columns):
            for column, values in rows.columns.items():
                whole.columns[column] += values
            whole.numbers += rows.numbers
            whole.refused += rows.refused
        return table.columns, whole


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_written_is_read_again(ending: str, tmp_path: Path) -> None:
    """Quotes, line breaks, separators, emoji; a missing value stays none or is empty."""
    texts = ['a "quoted" one', "two\nlines", "x,y;z\t|", "😀 ñ", None, " spaces "]
    path = str(tmp_path / f"t{ending}")
    with writing_table(path, ["id", "n"], {"n": "int"}) as writer:
        writer.write({"id": texts, "n": list(range(6))})
    columns, rows = table_of(path)
    assert columns == ["id", "n"]
    assert [text or None for text in rows.columns["id"]] == texts
    assert [int(value) for value in rows.columns["n"]] == list(range(6))


@given(rows=st.lists(st.tuples(st.text(st.characters(codec="utf-8", exclude_characters="\0")), st.text(st.characters(codec="utf-8", exclude_characters="\0"))), max_size=8))  # fmt: skip # noqa: E501
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
@pytest.mark.slow
def test_any_text_survives(rows: list[tuple[str, str]], ending: str, tmp_path: Path) -> None:
    """But for the apostrophe before what a spreadsheet would compute."""
    path = str(tmp_path / f"t{ending}")
    with writing_table(path, ["a", "b"]) as writer:
        writer.write({"a": [a for a, _ in rows], "b": [b for _, b in rows]})
    if not rows and ending == ".jsonl":
        return
    _, found = table_of(path, separator="," if ending == ".csv" else None)
    read = list(zip(found.columns["a"], found.columns["b"], strict=True))
    assert [tuple(text.removeprefix("'") for text in row) for row in read] == [
        tuple(text.removeprefix("'") for text in row) for row in rows
    ]


@pytest.mark.parametrize("formula", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "＝1"])
def test_no_spreadsheet_runs_what_a_text_says(formula: str, tmp_path: Path) -> None:
    """In CSV an apostrophe stands before it; in a workbook the cell is text. Numbers stay numbers."""
    path = tmp_path / "t.csv"
    with writing_table(str(path), [formula, "n"], {"n": "float"}) as writer:
        writer.write({formula: [formula], "n": [-2.5]})
    header, row = csv.reader(io.StringIO(path.read_text()))
    assert (header[0], row) == (f"'{formula}", [f"'{formula}", "-2.5"])
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl (pip install 'kpframe[tables]')")
    with writing_table(str(tmp_path / "t.xlsx"), ["a"]) as writer:
        writer.write({"a": [formula]})
    cell = openpyxl.load_workbook(tmp_path / "t.xlsx").active["A2"]
    assert (cell.data_type, cell.value) == ("s", formula)


def test_a_sheet_holds_long_numbers_and_infinite_ones_as_text(tmp_path: Path) -> None:
    """Excel keeps 15 digits: two ids would become one, and infinite numbers an empty cell."""
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl (pip install 'kpframe[tables]')")
    values = [1234567890123456789, 1234567890123456788, -(10**15), 10**15 - 1, float("inf"), float("-inf")]
    with writing_table(str(tmp_path / "t.xlsx"), ["a"]) as writer:
        writer.write({"a": [*values, 2.5, True]})
    cells = [row[0].value for row in openpyxl.load_workbook(tmp_path / "t.xlsx").active.iter_rows(min_row=2)]
    texts = ["1234567890123456789", "1234567890123456788", "-1000000000000000"]
    assert cells == [*texts, 999999999999999, "inf", "-inf", 2.5, True]


def test_a_sheet_holds_what_it_gives_back_and_the_rest_as_text(tmp_path: Path) -> None:
    """Days and times to the second, and decimals of 15 digits; Excel's own days begin on 1 March 1900."""
    openpyxl = pytest.importorskip("openpyxl")
    day, moment = dt.date(2020, 2, 29), dt.datetime(2020, 2, 29, 23, 59, 58)
    held = [moment, dt.time(1, 2, 3), Decimal("12.50"), True]
    texts = {
        dt.date(1900, 2, 28): "1900-02-28",
        moment.replace(microsecond=1): "2020-02-29 23:59:58.000001",
        moment.replace(tzinfo=dt.UTC): "2020-02-29 23:59:58+00:00",
        dt.timedelta(1): "1 day, 0:00:00",
        Decimal("0.1234567890123456"): "0.1234567890123456",
    }
    with writing_table(str(tmp_path / "t.xlsx"), ["a"]) as writer:
        writer.write({"a": [day, *held, *texts]})
    rows = openpyxl.load_workbook(tmp_path / "t.xlsx").active.iter_rows(min_row=2, values_only=True)
    assert [value for (value,) in rows] == [dt.datetime(2020, 2, 29), *held, *texts.values()]


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".json", ".xlsx"])
def test_bytes_are_refused_where_a_format_has_none(ending: str, tmp_path: Path) -> None:
    """Inside lists too; nothing is written."""
    for value in (b"\xff", [b"\xff"]):
        refused = pytest.raises(
            DataError, match=r"^column 'b': has bytes, for which only Parquet has a form; "
        )
        with refused, writing_table(str(tmp_path / f"t{ending}"), ["a", "b"]) as writer:
            writer.write({"a": ["x", "y"], "b": [None, value]})
    assert not list(tmp_path.iterdir())


def test_what_does_not_fit_is_told_with_its_column(tmp_path: Path) -> None:
    """A value of another type than Parquet was told, and a text that no cell of a sheet holds."""
    with (
        pytest.raises(DataError, match=r"^column 'b': a value does not fit the type int64"),
        writing_table(str(tmp_path / "t.parquet"), ["a", "b"], {"b": "int"}) as writer,
    ):
        writer.write({"a": ["x"], "b": ["y"]})
    with (
        pytest.raises(DataError, match="row 2 has a cell of 40,000 characters in column 'b'"),
        writing_table(str(tmp_path / "t.xlsx"), ["a", "b"]) as writer,
    ):
        writer.write({"a": ["x"], "b": ["y" * 40_000]})


@pytest.mark.parametrize("values", [[1, 2], [0.5, None], [True], [b"a"], [[1]], [{"a": "b"}]])
def test_a_column_without_texts_is_refused_as_a_whole(values: list[Any], tmp_path: Path) -> None:
    """Where the file says what a column holds; an empty one may have been meant for texts."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"text": values}), tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"column 'text' has no text but .*; name a column of texts"):
        list(
            make_stage("documents", {"kind": "table", "path": str(tmp_path / "t.parquet")}, "", Reader).read()
        )
    pq.write_table(pa.table({"text": [None, None]}), tmp_path / "t.parquet")
    found = make_stage("documents", {"kind": "table", "path": str(tmp_path / "t.parquet")}, "", Reader).read()
    assert [document.text for document in found] == ["", ""]


def test_columns_that_are_kept_have_a_type_for_all_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whole numbers and fractions are fractions; numbers and texts are told, and nothing is written."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)
    for name, prices in {"a": [1, 2], "b": [0.5, None], "c": ["1", "2"]}.items():
        texts = [f"Graph kernels {name}.", f"Random walks {name}."]
        table = pa.table({"id": [f"{name}1", f"{name}2"], "text": texts, "price": prices})
        Path(name).mkdir()
        pq.write_table(table, f"{name}/{name}.parquet")
    common = ["--id", "id", "--pipeline", "any-language", "--keep", "price", "--out", "k.parquet", "--wide"]
    assert main(["extract", "a", "b/b.parquet", *common]) == 0
    assert pq.read_table("k.parquet")["price"].to_pylist() == [1.0, 2.0, 0.5, None]
    Path("k.parquet").unlink()
    assert main(["extract", "a", "b", "c", *common]) == 2
    assert "columns differ between the files (" in capsys.readouterr().err and not Path("k.parquet").exists()


def test_a_formula_that_nobody_has_computed_is_refused(tmp_path: Path) -> None:
    """It is no empty cell; those that are asked for count alone, and blank rows are none."""
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl (pip install 'kpframe[tables]')")
    book = openpyxl.Workbook()
    for row in (["a", "b"], ["x", "=1+1"], ["=A2", None], [None, None], ["y", None], [None, "=2"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    with open_table(str(tmp_path / "t.xlsx")) as table:
        (rows,) = table.batches(["a"])
        assert (rows.numbers, rows.columns["a"]) == ([2, 5, 6], ["x", "y", None])
        assert rows.refused == [(3, "a: a formula without a saved value")]
    with open_table(str(tmp_path / "t.xlsx")) as table:
        (rows,) = table.batches(["a", "b"])
        assert rows.numbers == [5]
        assert [number for number, _ in rows.refused] == [2, 3, 6]


def test_an_empty_text_that_a_formula_gave_is_empty(tmp_path: Path) -> None:
    """As `=IF(A1="","",A1)` has it: the sheet says that it is text, what nobody computed has no type."""
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl (pip install 'kpframe[tables]')")
    book = openpyxl.Workbook()
    for row in (["a", "n"], ['=IF(1,"","")', 1], ['="x"', 2]):
        book.active.append(row)
    book.save(tmp_path / "made.xlsx")
    with zipfile.ZipFile(tmp_path / "made.xlsx") as made, zipfile.ZipFile(tmp_path / "t.xlsx", "w") as saved:
        for name in made.namelist():
            saved.writestr(name, made.read(name).replace(b'<c r="A2"><f>', b'<c r="A2" t="str"><f>'))
    with open_table(str(tmp_path / "t.xlsx")) as table:
        (rows,) = table.batches(["a"])
    assert (rows.numbers, rows.columns["a"]) == ([2], [None])
    assert [number for number, _ in rows.refused] == [3]


def test_sheets_that_are_not_read_are_named_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that have something in them, however often the file is opened."""
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl (pip install 'kpframe[tables]')")
    monkeypatch.chdir(tmp_path)
    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("More")):
        sheet.append(["id", "text"])
        sheet.append(["1", "Graph kernels compare graphs."])
    book.create_sheet("Empty")
    book.save("t.xlsx")
    assert main(["extract", "t.xlsx", "--id", "id", "--column", "text", "--out", "k.csv"]) == 0
    told = capsys.readouterr().err
    assert told.count("t.xlsx: sheet 'Sheet' is read, not 'More'\n") == 1 and "Empty" not in told


@pytest.mark.parametrize("ending", [".jsonl", ".json"])
def test_json_has_no_infinite_numbers(ending: str, tmp_path: Path) -> None:
    """At any depth: they are strings, NaN is null, and what is finite stays a number."""
    inf = float("inf")
    path = tmp_path / f"t{ending}"
    with writing_table(str(path), ["a", "b", "c"]) as writer:
        writer.write({"a": [inf], "b": [[-inf, {"x": (inf, 1.5), inf: 1}]], "c": [float("nan")]})

    def refused(constant: str) -> None:
        raise AssertionError(constant)

    found = json.loads(path.read_text(), parse_constant=refused)
    row = found if ending == ".jsonl" else found[0]
    assert row == {"a": "inf", "b": ["-inf", {"x": ["inf", 1.5], "inf": 1}], "c": None}


@pytest.mark.parametrize("name", ["k.docx", "k", "k.parquet.gz", "k.zip", "k.gz"])
def test_an_unknown_ending_is_refused(name: str) -> None:
    """With those that there are."""
    with pytest.raises(SpecError, match=r"end it with \.csv"):
        format_of_name(name)


def test_a_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    """After an error there is none, and no leftover."""
    with pytest.raises(KeyError), writing_table(str(tmp_path / "k.parquet"), ["a"]) as writer:
        writer.write({"b": ["x"]})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_seen_from_the_rows(separator: str) -> None:
    """Also where other separators stand in the texts."""
    lines = [["id", "text"], ["1", "a, b; c"], ["2", "d | e, f"]]
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=separator).writerows(lines)
    assert separator_of(buffer.getvalue()) == separator
    columns, rows = table_of(buffer.getvalue().encode(), "t.csv")
    assert (columns, rows.columns["text"]) == (["id", "text"], ["a, b; c", "d | e, f"])


def test_ragged_rows_are_refused_with_their_lines() -> None:
    """The others are read."""
    _, rows = table_of(b'a,b\n1,2\n3\n4,5,6\n7,"x\ny"\n8,9\n', "t.csv", separator=",")
    assert (rows.numbers, rows.columns["a"]) == ([2, 5, 7], ["1", "7", "8"])
    assert rows.refused == [(3, "has 1 fields, the header 2"), (4, "has 3 fields, the header 2")]


@pytest.mark.parametrize(
    ("value", "columns"),
    [
        ([{"a": "x", "b": 1}, {"b": 2, "c": "z"}], ["a", "b", "c"]),
        ({"data": [{"a": "x"}], "version": 1}, ["a"]),
        ({"a": {"0": "x", "1": "y"}, "b": {"0": 1, "1": 2}}, ["a", "b"]),
        ({"a": "x"}, ["a"]),
    ],
)
def test_json_of_several_shapes_is_a_table(value: object, columns: list[str]) -> None:
    """A list of objects, one inside an object, what pandas writes, one object."""
    found, rows = table_of(json.dumps(value).encode(), "t.json")
    assert found == columns
    assert rows.columns["b" if "b" in columns else "a"][0] in (1, "x")


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"", "t.csv", "is empty"),
        (b'"a', "t.csv", "header is no row of CSV"),
        (b"a,b\n\xff", "t.csv", "is not utf-8 near line"),
        (b"5", "t.json", "is JSON, but no list of objects"),
        (b"[1", "t.json", "is not valid JSON"),
        (b"[" * 100_000, "t.json", "is nested too deeply"),
        (b"PAR1 and nothing", "t.parquet", "is cut off or damaged"),
        (b"words", "t.parquet", "is not what its name says, not a table"),
        (b"%PDF-", "t.csv", "is a PDF, not a table"),
        (b"\x1f\x8b\x08\x00", "t.csv.gz", "is cut off or damaged|is empty"),
    ],
)
def test_what_is_no_table_is_told(content: bytes, name: str, message: str) -> None:
    """By its name, never by a traceback."""
    with pytest.raises(DataError, match=message) as caught:
        table_of(content, name)
    assert str(caught.value).startswith(name)


def test_a_workbook_of_another_program_is_told_if_it_is_damaged() -> None:
    """A zip that has the right names and nothing in them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name in ("[Content_Types].xml", "xl/workbook.xml"):
            file.writestr(name, "<a/>")
    with pytest.raises(DataError, match="is cut off or damaged"):
        table_of(buffer.getvalue(), "t.xlsx")


def test_lines_that_are_no_objects_are_refused() -> None:
    """With their lines; a key that comes later is a column of its own."""
    _, rows = table_of(b'{"a": 1}\n[2]\nnot json\n\n{"a": 3, "b": 4}\n', "t.jsonl")
    assert (rows.numbers, rows.columns["b"]) == ([1, 5], [None, 4])
    assert [number for number, _ in rows.refused] == [2, 3]


@given(
    st.binary(max_size=300),
    st.sampled_from(["t.csv", "t.jsonl", "t.json", "t.parquet", "t.xlsx", "t.csv.gz"]),
)
@settings(max_examples=80, deadline=None)
def test_any_bytes_are_a_table_or_an_error_of_the_project(content: bytes, name: str) -> None:
    """Whatever they are called."""
    for whole in (content, b"PAR1" + content, b"\x1f\x8b" + content):
        try:
            table_of(whole, name)
        except KpframeError:
            continue


def test_a_column_that_is_missing_or_twice_is_told() -> None:
    """With those that there are."""
    with open_table(b"a,b,b\n1,2,3\n", name="t.csv", separator=",") as table:
        for name, count in (("c", "no"), ("b", "more than one")):
            with pytest.raises(
                DataError, match=f"has {count} column '{name}'; the columns are: 'a', 'b', 'b'"
            ):
                table.need([name])


def test_parquet_is_read_batch_by_batch(tmp_path: Path) -> None:
    """Only the columns that are asked for, and no batch is larger than a thousand rows."""
    pytest.importorskip("pyarrow", reason="needs pyarrow (pip install 'kpframe[tables]')")
    path = str(tmp_path / "t.parquet")
    with writing_table(path, ["a", "b"], {"b": "list string"}) as writer:
        writer.write({"a": [str(i) for i in range(2500)], "b": [["x", "y"]] * 2500})
    with open_table(path) as table:
        batches = list(table.batches(["b"]))
    assert [len(rows.numbers) for rows in batches] == [1000, 1000, 500]
    assert batches[0].columns == {"b": [["x", "y"]] * 1000}
    assert batches[-1].numbers[-1] == 2500
