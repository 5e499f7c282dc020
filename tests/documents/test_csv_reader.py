"""Texts in a column."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from corpus_files import parted, phrases, written
from pydantic import ValidationError

from kpframe.documents.csv import Csv
from kpframe.errors import DataError


def test_columns_are_found_by_their_names(tmp_path: Path) -> None:
    """Quoted line breaks and quotes are part of a field; ids come from their column or the line."""
    content = '\ufeffid,keys,body\r\nx,"a; b ;",One\r\n,,"Two\r\nlines, ""quoted"""\r\n\r\nz,c,Three\r\n'
    path = written(tmp_path / "table.csv", content)
    documents, skipped = parted(Csv(path=path, text="body", gold="keys", id="id", language="de"))
    assert [(d.id, d.text, phrases(d)) for d in documents] == [
        ("x", "One", ["a", "b"]),
        ("table-3", 'Two\nlines, "quoted"', []),
        ("z", "Three", ["c"]),
    ]
    assert {d.language for d in documents} == {"de"} and skipped == []


def test_titles_are_sentences_of_their_own(tmp_path: Path) -> None:
    """A blank line joins them to their texts; documents know how long they are; either may be empty."""
    content = "title,text\n Kites ,Red kites hunt.\nOwls,\n,An owl.\n"
    documents, skipped = parted(Csv(path=written(tmp_path / "t.csv", content), title="title"))
    assert [(d.text, d.metadata) for d in documents] == [
        ("Kites\n\nRed kites hunt.", {"title_length": 5}),
        ("Owls", {"title_length": 4}),
        ("An owl.", {}),
    ]
    assert skipped == []


def test_a_table_of_texts_alone_is_enough(tmp_path: Path) -> None:
    """Gold and ids are optional; an empty text is kept."""
    documents, _ = parted(Csv(path=written(tmp_path / "t.csv", 'text\nOne\n""\n')))
    assert [(d.id, d.text) for d in documents] == [("t-2", "One"), ("t-3", "")]


@pytest.mark.parametrize(
    ("parameters", "line"),
    [
        ({"delimiter": "\t"}, "One, two\ta;b"),
        ({"delimiter": ";", "gold_separator": "|"}, "One, two;a|b"),
    ],
)
def test_delimiter_and_separator_can_be_set(tmp_path: Path, parameters: dict[str, str], line: str) -> None:
    """Between fields, and between phrases."""
    path = written(tmp_path / "t.csv", f"text{parameters['delimiter']}gold\n{line}\n")
    (document,), _ = parted(Csv.model_validate({"path": path, "gold": "gold", **parameters}))
    assert (document.text, phrases(document)) == ("One, two", ["a", "b"])


def test_a_field_of_a_megabyte_is_read_whole(tmp_path: Path) -> None:
    """Beyond the 128 KB where Python's reader stops by default; compressed, for good measure."""
    content = gzip.compress(f'text\n"{"word " * 200_000}"\n'.encode())
    (document,), _ = parted(Csv(path=written(tmp_path / "t.csv.gz", content)))
    assert (document.id, len(document.text)) == ("t-2", 1_000_000)


def test_malformed_rows_are_skipped_with_the_line_where_they_begin(tmp_path: Path) -> None:
    """Too few fields, too many, a stray quote; lines within quotes are counted."""
    content = 'text,gold\n"a\nb",x\nshort\nlong,x,y\n"c" d,x\nlast,x\n'
    path = written(tmp_path / "t.csv", content)
    documents, skipped = parted(Csv(path=path, gold="gold"))
    assert [(d.id, d.text) for d in documents] == [("t-2", "a\nb"), ("t-7", "last")]
    assert [(s.place, s.reason) for s in skipped] == [
        (f"{path}:4", "has 1 fields, the header 2"),
        (f"{path}:5", "has 3 fields, the header 2"),
        (f"{path}:6", "is no row of CSV (',' expected after '\"'; read to line 6)"),
    ]


def test_a_quote_that_is_never_closed_tells_how_much_it_swallowed(tmp_path: Path) -> None:
    """The row from line 3 to the end is one skipped row, not silence."""
    path = written(tmp_path / "t.csv", 'text\na\n"b\nc\nd\n')
    documents, (skipped,) = parted(Csv(path=path))
    assert [d.text for d in documents] == ["a"]
    assert (skipped.place, skipped.reason) == (
        f"{path}:3",
        "is no row of CSV (unexpected end of data; read to line 5): "
        "a quote is not closed, or not doubled within a text, and takes lines 3 to 5",
    )


def test_the_same_id_twice_is_read_once(tmp_path: Path) -> None:
    """Both places are told."""
    path = written(tmp_path / "t.csv", "id,text\nx,a\nx,b\n")
    documents, (skipped,) = parted(Csv(path=path, id="id"))
    assert [d.text for d in documents] == ["a"]
    assert (skipped.place, skipped.reason) == (f"{path}:3", f"the id 'x' is already that of {path}:2")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ": is empty; give a file with a header"),
        ("a,b\nx,y\n", ":1: no column 'text'; the columns are: 'a', 'b'"),
        ("text,text\nx,y\n", ":1: more than one column 'text'; the columns are: 'text', 'text'"),
        ('"a" b\n', ":1: the header: is no row of CSV (',' expected after '\"'; read to line 1); "
         "set delimiter, or repair the header"),
    ],
)  # fmt: skip
def test_a_header_that_does_not_fit_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    """Told with the columns that there are."""
    path = written(tmp_path / "t.csv", content)
    with pytest.raises(DataError) as caught:
        list(Csv(path=path).read())
    assert str(caught.value) == path + message


def test_cp1252_is_told_and_can_be_set(tmp_path: Path) -> None:
    """With the offset of the first byte that does not fit."""
    path = written(tmp_path / "t.csv", "text\n“a”\n".encode("cp1252"))
    with pytest.raises(DataError, match="byte 5 is not utf-8; set `encoding`"):
        list(Csv(path=path).read())
    assert [d.text for d in parted(Csv(path=path, encoding="cp1252"))[0]] == ["“a”"]


@pytest.mark.parametrize(
    "wrong",
    [{"delimiter": ""}, {"delimiter": "ab"}, {"delimiter": '"'}, {"encoding": "utf-9"}, {"encoding": "hex"}],
)
def test_parameters_that_cannot_work_are_refused(wrong: dict[str, Any]) -> None:
    """Before any text is read."""
    with pytest.raises(ValidationError):
        Csv.model_validate({"path": "t.csv", **wrong})
