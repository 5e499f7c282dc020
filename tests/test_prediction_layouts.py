"""Files of predictions as other programs write them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from kpframe.errors import DataError
from kpframe.evaluation._table_files import table_rows
from kpframe.evaluation.predictions import Prediction, read_gold, read_predictions


def read(path: Path, text: str, **options: str) -> list[Prediction]:
    """The predictions of a file with this text."""
    path.write_text(text, encoding="utf-8")
    return list(read_predictions(path, **options))  # type: ignore[arg-type]


def test_lines_of_sequence_models_are_numbered_and_a_blank_line_is_a_document(tmp_path: Path) -> None:
    """`<peos>` parts present from absent phrases, signs of the end are no phrase."""
    text = "dock workers <sep> labour law <eos>\n\nferry <peos> inquiry <sep> <sep>\n"
    found = read(tmp_path / "test.pred", text)
    assert [(p.id, p.phrases) for p in found] == [
        ("1", ("dock workers", "labour law")),
        ("2", ()),
        ("3", ("ferry", "inquiry")),
    ]


def test_a_separator_is_enough_and_gold_may_have_it_too(tmp_path: Path) -> None:
    """The name of the file need not say it; a compressed one may."""
    assert [p.phrases for p in read(tmp_path / "out.txt", "a b <sep> c\nd\n")] == [("a b", "c"), ("d",)]
    packed = tmp_path / "one.pred.gz"
    packed.write_bytes(gzip.compress(b"single phrase\n"))
    assert next(read_predictions(packed)).phrases == ("single phrase",)
    (tmp_path / "test.tgt").write_text("a b <sep> c\n", encoding="utf-8")
    assert [[g.text for g in gold] for _, gold, _ in read_gold(tmp_path / "test.tgt")] == [["a b", "c"]]


def test_runs_of_trec_eval_are_ordered_by_score_as_it_does(tmp_path: Path) -> None:
    """Whatever the ranks and the order of the lines; equal scores by rank; blanks and variants come back."""
    text = "q1 Q0 labour_law 1 0.5 t\nq1 Q0 dock%5Fworkers 2 0.9 t\nq2 Q0 a|b 1 3 t\nq1 Q0 c 3 0.5 t\n"
    found = read(tmp_path / "run.txt", text)
    assert [(p.id, p.phrases) for p in found] == [("q1", ("dock_workers", "labour law", "c")), ("q2", ("a",))]


def test_a_broken_line_of_a_run_is_told_by_its_place(tmp_path: Path) -> None:
    """It is not skipped."""
    with pytest.raises(DataError, match=r"run.txt:2: is no line of a trec_eval run"):
        read(tmp_path / "run.txt", "q1 Q0 a 1 0.5 t\nq1 Q0 b 2 high t\n")


PAIRS = json.dumps({"d1": [["dock workers", 0.02], ["wages", 0.3]], "d2": [["ferry", 0.1]]})


def test_pairs_with_rising_scores_are_refused_until_it_is_said_what_is_better(tmp_path: Path) -> None:
    """YAKE's best score is the lowest: read as pke's, its lists would be upside down without a word."""
    with pytest.raises(DataError, match="rising scores"):
        read(tmp_path / "yake.json", PAIRS)
    lower = read(tmp_path / "yake.json", PAIRS, better="lower")
    assert lower[0].phrases == ("dock workers", "wages") and lower[0].scores == (-0.02, -0.3)
    higher = read(tmp_path / "yake.json", PAIRS, better="higher")
    assert higher[0].phrases == ("wages", "dock workers") and higher[0].scores == (0.3, 0.02)


def test_pairs_with_falling_scores_need_no_word(tmp_path: Path) -> None:
    """As pke returns them, in one object for all documents or in a line for each."""
    text = json.dumps({"id": "d1", "keyphrases": [["dock workers", 0.9], ["wages", 0.3]]})
    (found,) = read(tmp_path / "pke.jsonl", text)
    assert found.phrases == ("dock workers", "wages") and found.scores == (0.9, 0.3)


def test_lists_and_mappings_of_json_are_read_too(tmp_path: Path) -> None:
    """A file that is one list of rows; a list a line, numbered; scores by phrase."""
    rows = json.dumps([{"id": "d1", "predicted": ["a b"]}, {"id": "d2", "predicted": []}], indent=1)
    assert [(p.id, p.phrases) for p in read(tmp_path / "rows.json", rows)] == [("d1", ("a b",)), ("d2", ())]
    lines = '[["a b", 0.9], ["c", 0.1]]\n["d"]\n[]\n'
    assert [(p.id, p.phrases) for p in read(tmp_path / "lines.json", lines)] == [
        ("1", ("a b", "c")),
        ("2", ("d",)),
        ("3", ()),
    ]
    (objects,) = read(tmp_path / "objects.json", '[{"text": "a", "score": 0.1}, {"text": "b", "score": 0.9}]')
    assert (objects.id, objects.phrases) == ("1", ("b", "a"))
    scores = '{"id": "d1", "keyphrases": {"low": 0.1, "high": 0.8}}'
    with pytest.raises(DataError, match="rising scores"):
        read(tmp_path / "scores.jsonl", scores)
    assert read(tmp_path / "scores.jsonl", scores, better="higher")[0].phrases == ("high", "low")


def test_a_header_of_columns_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """And is no document."""
    (found,) = read(tmp_path / "a.tsv", "id\tkeyphrases\nd1\tdock workers;wages\n")
    assert found.id == "d1" and "taken as a header" in caplog.text


def test_ids_that_begin_as_formulas_come_back_out_of_csv(tmp_path: Path) -> None:
    """`extract` puts an apostrophe in front of them for spreadsheets; one of the text's own stays."""
    path = tmp_path / "k.csv"
    path.write_text("id,rank,text,score\n'+49 30,1,heat pump,2\n't Hooft,1,'=x,1\n", encoding="utf-8")
    rows = [row for _, row in table_rows(str(path))]
    assert [(row["id"], row["predicted"][0]["text"]) for row in rows] == [
        ("+49 30", "heat pump"),
        ("'t Hooft", "=x"),
    ]


def gold_in(path: Path, text: str) -> list[tuple[str, list[str], str | None]]:
    """Id, gold keyphrases and text of each document of a file that is given as gold."""
    path.write_text(text, encoding="utf-8")
    return [(id, [one.text for one in gold], text) for id, gold, text, *_ in read_gold(path)]


@pytest.mark.parametrize("name", ["keyphrases", "keywords", "keyword"])
def test_a_corpus_is_gold_as_it_is(name: str, tmp_path: Path) -> None:
    """Under the names that readers of documents know, with title and abstract as its text."""
    row = {"id": "a", "title": "Dock", "abstract": "Workers strike.", name: ["dock", "strike"]}
    known = [("a", ["dock", "strike"], "Dock\n\nWorkers strike.")]
    assert gold_in(tmp_path / "a.jsonl", json.dumps(row)) == known
    assert gold_in(tmp_path / "b.jsonl", json.dumps({**row, name: "dock;strike"})) == known
    if name != "keyword":  # a row a keyphrase, in a table
        table = f"id,title,abstract,{name}\na,Dock,Workers strike.,dock;strike\n"
        assert gold_in(tmp_path / "c.csv", table) == known
    assert gold_in(tmp_path / "d.jsonl", json.dumps({**row, "gold": ["x"], "text": "T"})) == [
        ("a", ["x"], "T")
    ]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"keyphrases": [{"text": "dock", "score": 1.0}]}, "scores or ranks"),
        ({"keyphrases": ["dock"], "keywords": ["strike"]}, "has both 'keyphrases' and 'keywords'"),
        ({"predicted": ["dock"]}, "no gold keyphrases"),
    ],
)
def test_predictions_are_not_taken_for_gold(row: dict[str, object], problem: str, tmp_path: Path) -> None:
    """Where a file that was given as gold cannot be it."""
    with pytest.raises(DataError, match=problem):
        gold_in(tmp_path / "a.jsonl", json.dumps({"id": "a", **row}))


def test_predictions_may_be_called_keywords_in_lines_as_in_tables(tmp_path: Path) -> None:
    """Where a line has both, `keyphrases` are what a program found: `keywords` may be kept of its input."""
    lines = '{"id": "a", "keywords": ["x"]}\n{"id": "b", "keywords": ["x"], "keyphrases": ["y"]}\n'
    assert [one.phrases for one in read(tmp_path / "a.jsonl", lines)] == [("x",), ("y",)]
