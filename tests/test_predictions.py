"""Reading predictions and gold from files, pairing them, and writing prediction lines."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from kpframe.errors import DataError
from kpframe.evaluation.predictions import (
    Joined,
    Pair,
    Prediction,
    join,
    prediction_line,
    read_gold,
    read_predictions,
)
from kpframe.model import Gold, Keyphrase

DATA = Path(__file__).parents[1] / os.environ.get("KPFRAME_DATA", "../shared/datasets")
KEYPHRASES = [
    Keyphrase("Zürich", 0.1 + 0.2, 1, "zürich", ((0, 6), (10, 16))),
    Keyphrase("lake", 0.25, 2, "lake", ((20, 24),)),
]


def written(folder: Path, *lines: str, name: str = "file.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def phrases(folder: Path, line: str) -> tuple[str, ...]:
    (prediction,) = read_predictions(written(folder, line))
    return prediction.phrases


def test_a_line_that_kpframe_writes_is_read_back(tmp_path):
    """Text and order survive the way through a file."""
    path = written(tmp_path, prediction_line("d1", KEYPHRASES))
    assert list(read_predictions(path)) == [
        Prediction("d1", ("Zürich", "lake"), scores=(0.30000000000000004, 0.25))
    ]


def test_a_prediction_line_has_these_bytes():
    """Keys in a fixed order, no spaces, letters as they are, floats by their repr."""
    assert prediction_line("d", KEYPHRASES[:1], {"error": None}) == (
        '{"id":"d","keyphrases":[{"text":"Zürich","score":0.30000000000000004,"rank":1,'
        '"key":"zürich","spans":[[0,6],[10,16]]}],"error":null}'
    )


def test_a_prediction_line_refuses_to_lose_its_own_keys():
    """`extra` may add to a line but not replace id or keyphrases."""
    with pytest.raises(ValueError, match="extra must not hold 'id' or 'keyphrases'"):
        prediction_line("d", [], {"id": "e"})


def test_a_line_break_of_unicode_inside_a_phrase_breaks_no_line(tmp_path):
    """U+2028 is no end of a line of JSONL."""
    odd = Keyphrase("a\u2028b", 1.0, 1, "a b", ())
    (prediction,) = read_predictions(written(tmp_path, prediction_line("d", [odd])))
    assert prediction.phrases == ("a\u2028b",)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"id":"d","keyphrases":[{"text":"b","rank":2,"score":9},{"text":"a","rank":1,"score":1}]}', "ab"),
        ('{"id":"d","keyphrases":[{"text":"b","score":0.1},{"text":"a","score":0.9}]}', "ab"),
        ('{"id":"d","keyphrases":[{"text":"b"},{"text":"a"}]}', "ba"),
        ('{"id":"d","keyphrases":["b","a"]}', "ba"),
        ('{"id":"d","predicted":["b","a"]}', "ba"),
        ('{"id":"d","predicted":["a"],"keyphrases":["b"]}', "a"),
        ("d\tb; a", "ba"),
        ("d\tb;;a;", "ba"),
        ("d\t", ""),
        ('{"source":"t","target":"x;y","prediction":"b;a"}', "ba"),
        ('{"source":"t","target":"x;y","prediction":["b","a"]}', "ba"),
        ('{"source":"t","target":"x","prediction":""}', ""),
        ('{"d":[["b"],["a"]]}', "ba"),
    ],
)
def test_each_format_gives_phrases_best_first(tmp_path, line, expected):
    """By rank, else by score, else as listed."""
    assert phrases(tmp_path, line) == tuple(expected)


def test_equal_scores_stay_as_listed(tmp_path):
    """Sorting by score is stable."""
    line = '{"id":"d","keyphrases":[{"text":"z","score":1},{"text":"a","score":1},{"text":"m","score":2}]}'
    assert phrases(tmp_path, line) == ("m", "z", "a")


def test_formats_may_change_from_line_to_line(tmp_path):
    """Each line is understood by itself, blank ones are ignored, numbers may be ids."""
    path = written(tmp_path, '{"id":7,"predicted":["a"]}', "", "8\tb", '{"id":"9","keyphrases":[]}')
    assert [(p.id, p.phrases) for p in read_predictions(path)] == [("7", ("a",)), ("8", ("b",)), ("9", ())]


def test_kpeval_lines_bring_gold_and_text_and_are_numbered(tmp_path):
    """The number of the line is the id, also after a blank line."""
    line = '{"source":"Some text","target":"a b;c","prediction":"c"}'
    path = written(tmp_path, line, "", line)
    gold = (Gold(("a b",)), Gold(("c",)))
    assert list(read_predictions(path)) == [
        Prediction("1", ("c",), gold, "Some text"),
        Prediction("3", ("c",), gold, "Some text"),
    ]
    assert list(read_gold(path)) == [("1", gold, "Some text"), ("3", gold, "Some text")]


def test_a_semicolon_in_a_json_list_belongs_to_its_phrase(tmp_path):
    """Only strings are split."""
    line = '{"id":"d","predicted":["x; y"],"gold":["input; output",["a;b","c"]],"text":"t"}'
    path = written(tmp_path, line)
    gold = (Gold(("input; output",)), Gold(("a;b", "c")))
    assert list(read_predictions(path)) == [Prediction("d", ("x; y",), gold, "t")]
    assert list(read_gold(path)) == [("d", gold, "t")]


def test_gold_in_the_layout_of_kpframe_keeps_variants_and_sources(tmp_path):
    """What `Document.to_json` writes is read."""
    line = '{"id":"d","text":"t","gold":[{"variants":["QoS","quality of service"],"source":"author"}]}'
    path = written(tmp_path, line)
    assert list(read_gold(path)) == [("d", (Gold(("QoS", "quality of service"), "author"),), "t")]


@pytest.mark.parametrize("indent", [None, 4])
def test_gold_may_be_one_object_for_all_documents(tmp_path, indent):
    """On one line or on many."""
    references = {"1": [["a", "b"], ["c"]], "2": [], "id3": ["d"]}
    path = written(tmp_path, json.dumps(references, indent=indent))
    assert list(read_gold(path)) == [
        ("1", (Gold(("a", "b")), Gold(("c",))), None),
        ("2", (), None),
        ("id3", (Gold(("d",)),), None),
    ]


def test_a_format_that_does_not_say_what_it_holds_never_brings_its_own_gold(tmp_path):
    """Predictions without gold must not be scored against themselves."""
    for line in ("d\ta;b", '{"d":[["a"]]}'):
        (prediction,) = read_predictions(written(tmp_path, line))
        assert prediction.gold is None


def test_compressed_files_and_byte_order_marks_are_no_trouble(tmp_path):
    """`.gz` is unpacked; no BOM ends up in the first id."""
    path = tmp_path / "file.tsv.gz"
    path.write_bytes(gzip.compress("\ufeffd\ta;b\r\n".encode()))
    assert list(read_predictions(path)) == [Prediction("d", ("a", "b"))]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("just words", "neither JSON nor an id, one tab and phrases; write one of the two"),
        ("d\ta\tb", "neither JSON nor an id, one tab and phrases; write one of the two"),
        (
            '{"id":"d" "predicted":[]}',
            "not valid JSON (Expecting ',' delimiter at column 11); write one JSON object a line",
        ),
        (
            '{"id":"d","predicted":["a"]',
            "not valid JSON (Expecting ',' delimiter at column 28); write one JSON object a line",
        ),
        (
            '{"id":"d","id":"e","predicted":[]}',
            "not valid JSON (the key 'id' comes twice); write one JSON object a line",
        ),
        ('{"predicted":["a"]}', "no id; give every document an id"),
        (
            '{"id":1.5,"predicted":[]}',
            "the id 1.5 is neither a string nor an integer; give every document an id",
        ),
        ("\ta;b", "no id; give every document an id"),
        (
            '{"id":"d","phrase":["a"]}',
            "no predictions for 'd'; give them as 'keyphrases', 'predicted', 'prediction' or 'predictions'",
        ),
        ('{"id":"d","predicted":7}', "7 is not a list; give a list of phrases"),
        ('{"id":"d","predicted":[7]}', "the phrase 7 is not a string; write it as a string"),
        ('{"id":"d","predicted":["a"," "]}', "an empty phrase; leave it out"),
        (
            '{"id":"d","keyphrases":[{"score":1}]}',
            "the phrase None is not a string; write it as a string",
        ),
        (
            '{"id":"d","keyphrases":[{"text":"a","score":1},{"text":"b"}]}',
            "only some keyphrases have a score; give it to all or to none",
        ),
        (
            '{"id":"d","keyphrases":[{"text":"a","score":NaN}]}',
            "the score nan is not a finite number; correct it",
        ),
        (
            '{"id":"d","keyphrases":[{"text":"a","rank":"1"}]}',
            "the rank '1' is not a finite number; correct it",
        ),
        (
            '{"id":"d","predicted":[],"gold":[[]]}',
            "[] is not a gold keyphrase; give its variants and its source",
        ),
        ('{"id":"d","predicted":[],"text":5}', "the text is not a string but int; correct it"),
    ],
)
def test_a_line_that_cannot_be_understood_is_named(tmp_path, line, message):
    """File, line, problem and remedy; nothing is skipped."""
    path = written(tmp_path, "first\ta", "", line)
    with pytest.raises(DataError) as raised:
        list(read_predictions(path))
    assert str(raised.value) == f"{path}:3: {message}"


def test_a_mistake_in_an_object_of_many_lines_is_found_in_its_line(tmp_path):
    """Lines count from the beginning of the file."""
    path = written(tmp_path, "", "{", '"1": [["a"]],', '"2": [["b"]', "}")
    with pytest.raises(DataError) as raised:
        list(read_gold(path))
    assert str(raised.value) == (
        f"{path}:5: not valid JSON (Expecting ',' delimiter at column 1); write one JSON object a line"
    )


def test_an_id_that_comes_twice_is_refused(tmp_path):
    """With the line of the first."""
    path = written(tmp_path, "d\ta", "e\tb", '{"id":"d","predicted":[]}')
    with pytest.raises(DataError) as raised:
        list(read_predictions(path))
    assert str(raised.value) == f"{path}:3: id 'd' comes twice; see line 1"


def test_a_gold_file_without_gold_says_what_it_needs(tmp_path):
    """Predictions alone are no gold."""
    path = written(tmp_path, '{"id":"d","predicted":["a"]}')
    with pytest.raises(DataError) as raised:
        list(read_gold(path))
    assert str(raised.value) == f"{path}:1: no gold keyphrases for 'd'; give them as 'gold' or 'target'"


def test_wrong_bytes_are_found_by_line_and_offset(tmp_path):
    """A cp1252 file is not guessed at."""
    path = tmp_path / "old.tsv"
    path.write_bytes("d\ta\ne\tcafé\n".encode("cp1252"))
    with pytest.raises(DataError) as raised:
        list(read_predictions(path))
    assert str(raised.value) == f"{path}:2: not UTF-8 at byte 9 of the file; save it as UTF-8"


def test_missing_and_damaged_files_are_data_errors(tmp_path):
    """No traceback of the standard library."""
    absent = tmp_path / "absent.jsonl"
    with pytest.raises(DataError) as raised:
        list(read_predictions(absent))
    assert str(raised.value) == (
        f"{absent}: cannot be read (No such file or directory); check the path and the file"
    )
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"d\ta;b\ne\tc\n")[:-9])
    with pytest.raises(DataError, match="cannot be read"):
        list(read_gold(cut))
    false = tmp_path / "false.gz"
    false.write_bytes(b"d\ta;b\n")
    with pytest.raises(DataError, match="cannot be read"):
        list(read_gold(false))


A, B = (Gold(("a",)),), (Gold(("b",)),)
GOLD = [("1", A, "text"), ("2", B, None)]


def test_files_in_another_order_are_joined_by_id():
    """The order is that of the gold; a text may come from either side."""
    predictions = [Prediction("2", ("x",), None, "from the predictions"), Prediction("1", ("y",), B, "no")]
    assert join(GOLD, predictions) == Joined(
        (Pair("1", A, ("y",), "text"), Pair("2", B, ("x",), "from the predictions")), (), ()
    )


def test_ids_of_one_side_are_listed_and_scored_by_policy():
    """`empty` keeps a document with no phrase, `skip` leaves it out; what has no gold is never scored."""
    predictions = [Prediction("3", ("z",)), Prediction("2", ("x",))]
    zero = join(GOLD, predictions)
    assert zero.pairs == (Pair("1", A, (), "text"), Pair("2", B, ("x",), None))
    skip = join(GOLD, predictions, missing="skip")
    assert skip.pairs == (Pair("2", B, ("x",), None),)
    assert zero.only_in_gold == skip.only_in_gold == ("1",)
    assert zero.only_in_predictions == skip.only_in_predictions == ("3",)


def test_ids_of_one_side_can_be_an_error():
    """The strict policy names both sides."""
    with pytest.raises(DataError) as raised:
        join(GOLD, [Prediction("3", ()), Prediction("2", ())], missing="refuse")
    assert str(raised.value) == (
        "ids: only in gold: '1'; only in predictions: '3'; "
        "complete the files, or use `missing`: empty or skip"
    )


@pytest.mark.parametrize("missing", ["empty", "skip", "refuse"])
def test_nothing_in_common_is_always_an_error(missing):
    """Scores of 0 for all documents would look like a bad system."""
    predictions = [Prediction(name, ()) for name in "vwxyz"]
    with pytest.raises(DataError) as raised:
        join(GOLD, predictions, missing=missing)
    assert str(raised.value) == (
        "ids: no document is in both (gold: '1', '2'; predictions: 'v', 'w', 'x' and 2 more); "
        "give both files the same ids"
    )


def test_no_documents_at_all_is_an_error():
    """An empty corpus is never a score."""
    with pytest.raises(DataError, match="no document is in both"):
        join([], [])


def test_predictions_may_be_scored_against_the_gold_they_carry():
    """As KPEval's files do; without any gold that is an error."""
    own = Prediction("1", ("a",), A, "text")
    assert join(None, [own]).pairs == (Pair("1", A, ("a",), "text"),)
    with pytest.raises(DataError) as raised:
        join(None, [own, Prediction("2", ("a",))])
    assert str(raised.value) == ("prediction for '2': brings no gold keyphrases; give a file with the gold")


def test_a_prediction_given_twice_is_refused():
    """Also when it does not come from a file."""
    with pytest.raises(DataError, match="id '1' comes twice"):
        join(GOLD, [Prediction("1", ()), Prediction("1", ("a",))])


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no corpora in {DATA}")
def test_published_references_are_read_whole():
    """SemEval-2010, combined test gold: 100 papers, 1,466 keyphrases with 1,513 forms (METRICS, 3.1)."""
    records = list(read_gold(DATA / "semeval-2010-references" / "test.combined.stem.json"))
    keyphrases = [keyphrase for _, gold, _ in records for keyphrase in gold]
    forms = sum(len(keyphrase.variants) for keyphrase in keyphrases)
    assert (len(records), len(keyphrases), forms) == (100, 1466, 1513)


def test_a_document_that_failed_has_no_prediction(tmp_path: Path) -> None:
    """A line with an error is no empty prediction; joining lists the document."""
    path = tmp_path / "p.jsonl"
    path.write_text(
        '{"id":"1","keyphrases":[],"error":"ranking kea: broken"}\n{"id":"2","predicted":["a"]}\n',
        encoding="utf-8",
    )
    gold = [("1", (Gold(("a",)),), None), ("2", (Gold(("a",)),), None)]
    joined = join(gold, read_predictions(path), missing="skip")
    assert [pair.id for pair in joined.pairs] == ["2"]
    assert joined.only_in_gold == ("1",)
