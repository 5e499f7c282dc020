"""Predictions and gold in tables, in the layouts that `extract` writes and people make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kpframe as kp
from kpframe.cli import main
from kpframe.errors import DataError
from kpframe.evaluation.predictions import Prediction, read_gold, read_predictions
from kpframe.files.tables.writing import writing_table

ENDINGS = (".csv", ".tsv", ".parquet", ".xlsx")


def table(path: Path, types: dict[str, Any] | None = None, **columns: list[Any]) -> Path:
    """A table with some columns."""
    with writing_table(str(path), list(columns), types) as writer:
        writer.write(columns)
    return path


def predicted(path: Path) -> list[Prediction]:
    """What a file predicts."""
    return list(read_predictions(path))


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_row_a_keyphrase(ending: str, tmp_path: Path) -> None:
    """In the order of the ranks, with their scores; the id of a number is that of its digits."""
    types = {"id": "int", "rank": "int", "score": "float"} if ending == ".parquet" else None
    path = table(
        tmp_path / f"p{ending}",
        types,
        id=[7, 7, 8],
        rank=[2, 1, 1],
        text=["cat", "dog; wolf", "cow"],
        score=[0.25, 0.5, 1.0],
    )
    one, other = predicted(path)
    assert (one.id, one.phrases, one.scores) == ("7", ("dog; wolf", "cat"), (0.5, 0.25))
    assert (other.id, other.phrases) == ("8", ("cow",))


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["keyphrase", "Phrase", "keyword"])
def test_rows_without_ranks_are_in_their_order(
    name: str, ending: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Which is told; a document with one row may have all its phrases there, another none."""
    caplog.set_level("INFO")
    ids, phrases = ["a", "a", "b", "c"], ["dog; wolf", "cat", "cow; ox", None]
    path = table(tmp_path / f"p{ending}", id=ids, **{name: phrases})
    assert [(one.id, one.phrases, one.scores) for one in predicted(path)] == [
        ("a", ("dog; wolf", "cat"), None),
        ("b", ("cow", "ox"), None),
        ("c", (), None),
    ]
    assert "no column with a rank or score: the rows of a document are in its order" in caplog.text
    assert [[one.text for one in gold] for _, gold, *_ in read_gold(path)][1] == ["cow", "ox"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.slow
def test_a_row_a_document(ending: str, tmp_path: Path) -> None:
    """Lists, which text holds as JSON; or one string, parted by semicolons; an empty cell is no phrase."""
    lists = {"keyphrases": "list string", "gold": "list string"} if ending == ".parquet" else None
    cells = [["dog", "cat"], [], ["cow"]]
    path = table(tmp_path / f"p{ending}", lists, id=["a", "b", "c"], keyphrases=cells, gold=cells)
    assert [found.phrases for found in predicted(path)] == [("dog", "cat"), (), ("cow",)]
    assert [len(gold) for _, gold, *_ in read_gold(path)] == [2, 0, 1]
    if ending != ".parquet":
        path = table(tmp_path / f"s{ending}", id=["a", "b"], keyphrases=["dog; cat", None], text=["x", "y"])
        assert [found.phrases for found in predicted(path)] == [("dog", "cat"), ()]


def test_a_column_a_keyphrase(tmp_path: Path) -> None:
    """As `extract --wide` writes csv: ten columns or more in the order of their numbers."""
    columns = {f"keyphrase_{i}": [f"phrase {i}"] for i in (1, 10, 2)}
    path = table(tmp_path / "p.csv", None, id=["a"], **columns)
    assert predicted(path)[0].phrases == ("phrase 1", "phrase 2", "phrase 10")


@pytest.mark.parametrize("words", [["--long"], ["--wide"]])
@pytest.mark.parametrize("ending", [".csv", ".parquet", ".xlsx"])
def test_what_extract_writes_is_scored(words: list[str], ending: str, tmp_path: Path) -> None:
    """The same list as from its lines of JSON."""
    (tmp_path / "t.csv").write_text("id,text\na,Graph ranking. Graph kernels.\nb,Heat pumps.\n")
    command = ["extract", "--input", str(tmp_path / "t.csv"), "--pipeline", "any-language", "--quiet"]
    made = tmp_path / f"k{ending}"
    assert main([*command, "--out", str(made), *words]) == 0
    assert main([*command, "--out", str(tmp_path / "k.jsonl")]) == 0
    found = {one.id: one.phrases for one in predicted(made)}
    assert found == {one.id: one.phrases for one in predicted(tmp_path / "k.jsonl")}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("text,rank\ncat,1\n", "neither JSON nor an id"),
        (
            "id,body,stars\n1,x,5\n",
            r"has no column with keyphrases, but 'id', 'body', 'stars'; name them id and",
        ),
        ("id,rank,text\n1,first,cat\n", r"p\.csv:2: 'first' is no number; correct the cell"),
        (
            "id,rank,text\n1,1,cat\n2,1,dog\n1,2,cow\n",
            r"p\.csv:4: id '1' comes twice; see line 2; sort the rows by id",
        ),
        ("id,keyphrase\n1,cat\n2,dog\n1,cow\n", r"p\.csv:4: id '1' comes twice; see line 2; sort the rows"),
        ("id,keyphrases\n1,cat\n2,dog\n1,cow\n", r"p\.csv:4: id '1' comes twice; see line 2$"),
        ("id,rank,text\n1,1,cat\n1,2\n", r"p\.csv:3: has 2 fields, the header 3; repair the row"),
    ],
)
def test_tables_that_cannot_be_understood(content: str, told: str, tmp_path: Path) -> None:
    """Refused with the row; nothing is left out."""
    (tmp_path / "p.csv").write_text(content)
    with pytest.raises(DataError, match=told):
        predicted(tmp_path / "p.csv")


@pytest.mark.parametrize("ending", [".jsonl", ".json", ".jsonl.gz"])
def test_rows_of_keyphrases_are_read_from_json_too(ending: str, tmp_path: Path) -> None:
    """As the same table in csv, in the order of ranks; whose documents do not stand together is told."""
    columns = {
        "id": ["a", "a", "b"],
        "rank": [2, 1, 1],
        "text": ["cat; ox", "dog", "=cow"],
        "score": [0.1, 0.4, 0.2],
        "spans": ["0-3", "4-7", "0-4"],
    }
    found = predicted(table(tmp_path / f"p{ending}", **columns))
    assert [(one.id, one.phrases, one.scores) for one in found] == [
        ("a", ("dog", "cat; ox"), (0.4, 0.1)),
        ("b", ("=cow",), (0.2,)),
    ]
    assert found == predicted(table(tmp_path / "p.csv", **columns))
    apart = table(tmp_path / f"q{ending}", id=["a", "b", "a"], keyphrase=["x", "y", "z"], rank=[1, 1, 2])
    with pytest.raises(DataError, match=r":3: id 'a' comes twice; see line 1; sort the rows by id"):
        predicted(apart)


def test_lines_with_a_document_each_stay_documents(tmp_path: Path) -> None:
    """Also if they have a text and a rank or score beside their keyphrases."""
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "a", "text": "t", "score": 1.0, "rank": 1, "predicted": ["cat", "dog"]}\n')
    assert predicted(path)[0].phrases == ("cat", "dog")


def test_the_old_columns_are_read_as_before(tmp_path: Path) -> None:
    """An id, a tab and phrases are no table, whatever the first line says."""
    (tmp_path / "p.tsv").write_text("id\tkeyphrases\nd1\tcat; dog\n")
    assert predicted(tmp_path / "p.tsv")[0].phrases == ("cat", "dog")


def test_gold_and_predictions_may_be_tables(tmp_path: Path) -> None:
    """From Python too."""
    gold = table(tmp_path / "g.parquet", {"gold": "list string"}, id=["a"], gold=[["cat", "dog"]])
    made = table(tmp_path / "p.csv", None, id=["a", "a"], rank=[1, 2], text=["cat", "cow"])
    assert kp.score(str(gold), str(made), metrics=["precision@2"], matching="exact")[0].value == 0.5
