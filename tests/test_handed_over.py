"""What Python callers and files hand over for scoring: taken as it is meant, or refused by name."""

from __future__ import annotations

import csv
import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kpframe as kp
from kpframe.cli import main
from kpframe.evaluation.predictions import join, read_gold, read_predictions

GOLD = {"1": ["graph", ["quality of service", "service quality"]]}
FOUND = {"1": ["graph"]}
WRONG_LISTS = ["graph", b"graph", {"graph"}, frozenset(["graph"]), {"graph": 1}, None, float("nan"), 3, 1.5]
WRONG_PHRASES = [None, float("nan"), 3, b"graph", np.nan, "", "  "]


@pytest.mark.parametrize("wrong", WRONG_LISTS, ids=repr)
def test_what_is_no_list_is_refused_on_either_side(wrong: Any) -> None:
    """A string would be taken letter by letter, a set in the order of the hash seed."""
    with pytest.raises(kp.DataError, match=r"gold of '1': .* is not a list; give a list of phrases"):
        kp.score({"1": wrong}, FOUND)
    with pytest.raises(kp.DataError, match=r"predictions for '1': .* is not a list; give a list of phrases"):
        kp.score(GOLD, {"1": wrong})


@pytest.mark.parametrize("wrong", WRONG_PHRASES, ids=repr)
def test_what_is_no_phrase_is_refused_with_its_document(wrong: Any) -> None:
    """As columns of pandas have it where a value is missing; also among variants."""
    with pytest.raises(kp.DataError, match="gold of '1': "):
        kp.score({"1": ["graph", wrong]}, FOUND)
    with pytest.raises(kp.DataError, match="gold of '1': "):
        kp.score({"1": [["graph", wrong]]}, FOUND)
    with pytest.raises(kp.DataError, match="predictions for '1': "):
        kp.score(GOLD, {"1": ["graph", wrong]})


def test_variants_without_order_and_none_at_all_are_refused() -> None:
    """A set of variants, and an empty list of them."""
    for wrong in ({"graph", "graphs"}, [], ()):
        with pytest.raises(kp.DataError, match="is not a gold keyphrase"):
            kp.score({"1": [wrong]}, FOUND)


def test_ids_that_are_equal_as_strings_are_refused() -> None:
    """1 and "1" would be counted twice, or one would hide the other."""
    twice: Any = {1: ["graph"], "1": ["net"]}
    for gold, found in ((twice, FOUND), (GOLD, twice)):
        with pytest.raises(kp.DataError, match="id '1' comes twice; keep one of the two"):
            kp.score(gold, found)
    documents = [kp.Document("1", "a graph", gold=[kp.Gold(("graph",))])] * 2
    with pytest.raises(kp.DataError, match="gold: id '1' comes twice"):
        kp.score(documents, FOUND)
    with pytest.raises(kp.DataError, match="gold: id '1' comes twice"):
        join([("1", (), None), ("1", (), None)], [])


@pytest.mark.parametrize("wrong", [None, float("nan"), 1.0, True, "", ("1",)], ids=repr)
def test_ids_are_strings_or_integers(wrong: Any) -> None:
    """Those of numpy too."""
    with pytest.raises(kp.DataError, match="is neither a string nor an integer"):
        kp.score({wrong: ["graph"]}, FOUND)
    with pytest.raises(kp.DataError, match="is neither a string nor an integer"):
        kp.score(GOLD, {wrong: ["graph"]})
    assert kp.score({np.int64(1): ["graph"]}, {1: ["graph"]})[0].value == 1.0


@pytest.mark.parametrize("wrong", [None, 3, "x" * 9, ["graph"], [["graph"]], kp.Document("1", "a")], ids=repr)
def test_what_is_no_collection_of_documents_is_refused(wrong: Any) -> None:
    """Also a document alone; a string is a path."""
    with pytest.raises(kp.DataError):
        kp.score(wrong, FOUND)
    with pytest.raises(kp.DataError):
        kp.score(GOLD, wrong)


def test_series_are_mappings_and_frames_are_refused() -> None:
    """The index has the ids; one that has an id twice is no mapping."""
    gold = pd.Series([["graph"], ["net"]], index=["1", "2"])
    found = pd.Series([np.array(["graph"]), pd.Series(["owl"])], index=["1", "2"])
    assert kp.score(gold, found)[0].value == 0.5
    with pytest.raises(kp.DataError, match="gold of '2': nan is not a list"):
        kp.score(pd.Series([["graph"], np.nan], index=["1", "2"]), FOUND)
    with pytest.raises(kp.DataError, match="id '1' comes twice"):
        kp.score(pd.Series([["graph"], ["net"]], index=["1", "1"]), FOUND)
    frame = pd.DataFrame({"id": ["1"], "keyphrases": [["graph"]]})
    for given in ((frame, FOUND), (GOLD, frame)):
        with pytest.raises(kp.DataError, match="a DataFrame does not say what its columns are"):
            kp.score(*given)
    with pytest.raises(kp.DataError, match="is not a list"):
        kp.score(GOLD, {"1": frame})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "zeros"}, "missing: is unknown: 'zeros'; use one of: empty, skip, refuse"),
        ({"missing": None}, "missing: is unknown: None; use one of: empty, skip, refuse"),
        ({"subset": "presnt"}, "did you mean 'present'"),
        ({"subset": 3}, "subset: 3 is no name"),
        ({"preset": "kpevel"}, "did you mean 'kpeval'"),
        ({"preset": {"kpeval"}}, "preset: .* is no name"),
        ({"metrics": []}, r"metrics: \[\] names none"),
        ({"metrics": ["f1", None]}, "metrics: null names none"),
        ({"matching": []}, r"matching: \[\] names none"),
        ({"metrics": "f2"}, "unknown kind 'f2'"),
        ({"metrics": {"kind": "f1", "k": True}}, "k: must not be true or false"),
    ],
    ids=repr,
)
def test_unknown_words_for_options_are_refused(options: Any, message: str) -> None:
    """With those there are, instead of being one of them in silence."""
    with pytest.raises(kp.SpecError, match=message):
        kp.score(GOLD, FOUND, **options)


def test_scores_of_keyphrases_count_as_those_of_files_do() -> None:
    """Calibration needs them; where a phrase has none there are none."""
    found = [kp.Keyphrase("red kite", 0.9, 1, "red kite", ()), kp.Keyphrase("moon", 0.6, 2, "moon", ())]
    (score,) = kp.score({"a": ["red kite"]}, {"a": found}, metrics="ece", matching="exact")
    assert score.value == pytest.approx((abs(1 - 0.9) + abs(0 - 0.6)) / 2)
    (none,) = kp.score({"a": ["red kite"]}, {"a": [found[0], "moon"]}, metrics="ece", matching="exact")
    assert none.value is None


def test_measures_of_a_preset_that_need_texts_are_told(caplog: pytest.LogCaptureFixture) -> None:
    """Six values of F1@5 are announced; without texts one of them can be had."""
    scores = kp.score({"a": ["red kite"]}, {"a": ["red kite"]}, preset="conventions")
    assert len(scores) == 1
    assert caplog.messages == ["preset conventions: without texts, 5 measures left out"]


def test_missing_is_checked_wherever_lists_are_joined() -> None:
    """The function below too."""
    with pytest.raises(kp.SpecError, match="missing: is unknown"):
        join([("1", (), None)], [], missing="none")  # type: ignore[arg-type]


HEADERS = ["id\tkeyphrases", "ID\tKeyphrases", "#id\tphrases", "doc_id\tgold", '"document id"\t"predictions"']


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_is_seen_told_and_skipped(
    header: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Else it would be a hit for a document called id."""
    file = tmp_path / "a.tsv"
    file.write_text(f"\n{header}\nd1\tgraph;net\n")
    with caplog.at_level(logging.WARNING, "kpframe.evaluation"):
        logging.getLogger("kpframe").propagate = True
        assert [prediction.id for prediction in read_predictions(file)] == ["d1"]
    assert f"{file}:2: taken as a header and skipped" in caplog.text
    assert [name for name, _, _ in read_gold(file)] == ["d1"]


def test_only_the_first_line_can_be_a_header(tmp_path: Path) -> None:
    """And only one whose two columns are names of columns."""
    file = tmp_path / "a.tsv"
    file.write_text("id\tgraph\nid2\tkeyphrases\nid\tgold\n")
    with pytest.raises(kp.DataError, match="id 'id' comes twice"):
        list(read_predictions(file))


@pytest.mark.parametrize("key", ["prediction", "predictions"])
def test_both_keys_of_kpevals_files_are_read(key: str, tmp_path: Path) -> None:
    """Lists, or strings parted by semicolons; the line number is the id."""
    file = tmp_path / "a.jsonl"
    row = {"source": "a graph", "target": "graph;net", key: ["graph", "owl"]}
    file.write_text("".join(json.dumps(one) + "\n" for one in (row, {**row, key: "net;owl"})))
    found = list(read_predictions(file))
    assert [(one.id, one.phrases) for one in found] == [("1", ("graph", "owl")), ("2", ("net", "owl"))]
    assert found[0].text == "a graph" and found[0].gold == (kp.Gold(("graph",)), kp.Gold(("net",)))


def test_a_line_with_both_keys_is_refused(tmp_path: Path) -> None:
    """Nobody can tell which is meant."""
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"prediction": ["a"], "predictions": ["b"], "target": ["a"]}))
    with pytest.raises(kp.DataError, match="has both 'prediction' and 'predictions'"):
        list(read_predictions(file))


def test_rows_of_hugging_face_are_gold(tmp_path: Path) -> None:
    """As a run reads them: tokens are joined, the kind of a keyphrase is its source."""
    file = tmp_path / "a.jsonl"
    row = {
        "id": 7,
        "document": ["A", "fast", "graph"],
        "extractive_keyphrases": ["graph", ["fast", "graph"]],
        "abstractive_keyphrases": ["net"],
    }
    file.write_text(json.dumps(row) + "\n")
    ((name, gold, text),) = read_gold(file)
    assert (name, text) == ("7", "A fast graph")
    kinds = ("extractive", "extractive", "abstractive")
    assert gold == tuple(kp.Gold((p,), s) for p, s in zip(("graph", "fast graph", "net"), kinds, strict=True))
    assert kp.score(file, {"7": ["graph", "fast graph"]})[0].value == 1.0
    with pytest.raises(kp.DataError, match="no predictions for '7'"):
        list(read_predictions(file))


@pytest.mark.parametrize("id", ["=cmd|' /C calc'!A0", "+1+1", "-A1", "@x", "＝1"])
def test_ids_that_a_spreadsheet_would_run_are_guarded_in_csv(
    id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With an apostrophe in front; in JSON they stay as they are."""
    file, values = tmp_path / "a.jsonl", tmp_path / "values.csv"
    file.write_text(json.dumps({"id": id, "gold": ["a"], "predicted": ["a"]}))
    assert main(["score", "--predictions", str(file), "--per-document", str(values)]) == 0
    rows = list(csv.reader(values.read_text(encoding="utf-8").splitlines()))
    assert [row[0] for row in rows] == ["id", f"'{id}"]
