"""`kpframe analyse`: what lies behind the scores of a run or of a file of predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Outcome, run

SPEC = """\
name: birds
documents: {kind: jsonl, path: birds.jsonl}
preprocessing: [simple]
systems:
  frequency: {candidates: {kind: ngrams, max: 1, stopwords: [en]}, ranking: frequency}
  position: {candidates: {kind: ngrams, max: 1, stopwords: [en]}, ranking: position}
matching: [exact, {kind: exact, normalize: porter, absent: keep}]
"""
DOCUMENTS: list[dict[str, Any]] = [
    {"id": "a", "text": "Kites fly over herons and storks.", "gold": ["kites", "stork", "tern"]},
    {"id": "b", "text": "An owl sleeps.", "gold": ["owl"]},
]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small corpus."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KPFRAME_CACHE", str(tmp_path / ".cache"))
    monkeypatch.delenv("KPFRAME_DATA", raising=False)
    lines("birds.jsonl", *DOCUMENTS)
    Path("birds.yaml").write_text(SPEC)


def lines(name: str, *records: dict[str, Any]) -> None:
    """A file of JSON lines."""
    Path(name).write_text("".join(json.dumps(record) + "\n" for record in records))


def analysed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The analyses as JSON."""
    outcome = run(capsys, "analyse", *arguments, "--format", "json", "--quiet")
    assert (outcome.status, outcome.err) == (0, "")
    found: dict[str, Any] = json.loads(outcome.out)
    return found


def problem(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one problem that a command tells of."""
    outcome: Outcome = run(capsys, "analyse", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    return outcome.err.strip().removeprefix("error: ")


def made_run(capsys: pytest.CaptureFixture[str]) -> None:
    """A finished run in the folder `out`."""
    assert run(capsys, "run", "birds.yaml", "--out", "out", "--quiet").status == 0


def test_every_cell_of_a_run_is_analysed(capsys: pytest.CaptureFixture[str]) -> None:
    """Exact, case-folded: "kites" and "owl" are in the texts and found, "stork" and "tern" left out."""
    made_run(capsys)
    found = analysed(capsys, "out")
    assert list(found) == ["frequency", "position"]
    one = found["frequency"]
    assert one["matching"].startswith("match:exact|norm:casefold|")
    assert (one["phrases"]["documents"], one["phrases"]["gold"], one["phrases"]["left_out"]) == (2, 2, 2)
    assert one["positions"]["proper"]["gold"] == [1, 1, 0, 0, 0]
    assert one["positions"]["proper"]["found"] == [1, 1, 0, 0, 0]
    assert one["reliability"] is None
    assert one["notes"] == [
        "no reliability: the ranking is not trained on gold keyphrases, so its scores are no probabilities"
    ]


def test_a_cell_and_a_matching_are_chosen_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    """By stems "stork" is in the last fifth, "tern" nowhere; all four are kept."""
    made_run(capsys)
    label = "exact(normalize=porter,absent=keep)"
    found = analysed(capsys, "out", "--cell", "position", "--matching", label)
    assert list(found) == ["position"]
    assert found["position"]["positions"]["proper"] == {
        "variant": "proper",
        "gold": [1, 1, 0, 1, 0],
        "found": [1, 1, 0, 1, 0],
        "missed": [0, 0, 0, 0, 0],
        "missed_shares": [0.0, 0.0, None, 0.0, None],
        "absent": 1,
    }
    top = analysed(capsys, "out", "--cell", "position", "--matching", label, "--top", "1")
    assert top["position"]["positions"]["proper"]["found"] == [1, 1, 0, 0, 0]
    assert top["position"]["phrases"]["given"] == 2


def test_gold_of_a_run_may_come_from_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    """With its texts; the corpus is not read."""
    made_run(capsys)
    lines("other.jsonl", *({**document, "gold": ["sleeps"]} for document in DOCUMENTS))
    Path("birds.jsonl").rename("gone.jsonl")
    Path("birds.jsonl").write_text("")
    found = analysed(capsys, "out", "--gold", "other.jsonl")
    assert found["frequency"]["phrases"]["gold"] == 1


def test_token_probabilities_make_confidences(capsys: pytest.CaptureFixture[str]) -> None:
    """ "kites": (.9 · .4)^(1/2) = .6, a hit; "gulls": .2, a miss; (.4 + .2) / 2 = .3."""
    keyphrases = [{"text": "kites", "probabilities": [0.9, 0.4]}, {"text": "gulls", "probabilities": [0.2]}]
    lines("predicted.jsonl", {**DOCUMENTS[0], "keyphrases": keyphrases})
    found = analysed(capsys, "--predictions", "predicted.jsonl")["predicted.jsonl"]
    assert found["matching"].startswith("match:exact|norm:porter|tok:words|fold:full|absent:keep|")
    assert found["reliability"]["ece"] == pytest.approx(0.3)
    assert found["reliability"]["mce"] == pytest.approx(0.4)
    assert [place["n"] for place in found["token_probabilities"]["present"]] == [1, 1, 0, 0, 0]
    assert found["token_probabilities"]["absent"][0]["mean"] == 0.2
    assert found["positions"]["proper"]["missed"] == [0, 0, 0, 1, 0]
    assert found["notes"] == []


def test_scores_are_confidences_where_they_can_be(capsys: pytest.CaptureFixture[str]) -> None:
    """By rank, with their phrases; one score outside 0 … 1 shows that they are none."""
    keyphrases: list[dict[str, Any]] = [
        {"text": "gulls", "score": 0.9, "rank": 2},
        {"text": "kites", "score": 1.0, "rank": 1},
    ]
    lines("predicted.jsonl", {**DOCUMENTS[0], "keyphrases": keyphrases})
    found = analysed(capsys, "--predictions", "predicted.jsonl")["predicted.jsonl"]
    assert found["reliability"]["ece"] == pytest.approx(0.45)
    best = analysed(capsys, "--predictions", "predicted.jsonl", "--top", "1")["predicted.jsonl"]
    assert best["reliability"]["ece"] == pytest.approx(0.0)
    keyphrases[1]["score"] = 7.5
    lines("predicted.jsonl", {**DOCUMENTS[0], "keyphrases": keyphrases})
    found = analysed(capsys, "--predictions", "predicted.jsonl")["predicted.jsonl"]
    assert found["reliability"] is None
    assert found["notes"] == [
        "no reliability: 1 of 2 scores are outside 0 … 1, as 7.5; they are no probabilities"
    ]


def test_documents_are_joined_with_the_gold_by_id(capsys: pytest.CaptureFixture[str]) -> None:
    """b has no predictions and counts, c has no gold, d failed."""
    lines(
        "predicted.jsonl",
        {"id": "c", "predicted": ["x"]},
        {"id": "a", "predicted": ["kite", "Kites", " - "]},
        {"id": "d", "keyphrases": [], "error": "no"},
    )
    lines("gold.jsonl", *DOCUMENTS, {"id": "d", "text": "d", "gold": ["d"]})
    arguments = ("--predictions", "predicted.jsonl", "--gold", "gold.jsonl")
    outcome = run(capsys, "analyse", *arguments)
    assert outcome.status == 1
    assert outcome.err.splitlines() == [
        "1 document left out: failed when the predictions were made",
        "1 document left out: not in the gold",
        "1 document of the gold without predictions",
    ]
    assert outcome.out.splitlines()[:3] == [
        "predicted.jsonl  (match:exact|norm:porter|tok:words|fold:full|absent:keep|present:tokens|dup:unite)",
        "  2 documents, 1 without predictions; "
        "3 phrases: 2 compared, 1 repeated or of the other subset, 0 empty",
        "  4 gold keyphrases kept, 0 left out by the matching; 1 phrase hit",
    ]
    assert "    1           1       1       0          0.0 %" in outcome.out
    assert "    not in the text: 1" in outcome.out
    assert "  note: no reliability: the predictions have neither scores nor probabilities" in outcome.out


def test_without_texts_there_are_no_places(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the matching: absent gold cannot be told."""
    lines("predicted.jsonl", {"id": "a", "predicted": ["kites"], "gold": ["kites", "tern"]})
    found = analysed(capsys, "--predictions", "predicted.jsonl", "--matching", "approximate")[
        "predicted.jsonl"
    ]
    assert found["positions"] is None
    assert found["notes"][0] == "no places of gold keyphrases: 1 document without a text"
    assert found["phrases"]["hits"] == 1
    assert "absent:keep" in found["matching"]


def test_near_misses_are_counted_by_class(capsys: pytest.CaptureFixture[str]) -> None:
    """ "red kites" shares its head with "kites"; neither phrase has a word of "stork" or "tern"."""
    lines("predicted.jsonl", {**DOCUMENTS[0], "predicted": ["red kites", "gulls"]})
    found = analysed(capsys, "--predictions", "predicted.jsonl")["predicted.jsonl"]
    assert found["near_misses"] == {
        "pairs": {"all": 6, "near": 1},
        "places": {"first": 0, "head": 1, "middle": 0},
        "forms": {"cc": 0, "pp": 0, "simple": 1},
        "longer": {"predicted": 1},
    }
    assert "    pairs   all 6, near 1\n" in run(capsys, "analyse", "--predictions", "predicted.jsonl").out


def test_documents_stand_under_any_key(capsys: pytest.CaptureFixture[str]) -> None:
    """As where one file has several versions: all but the id is taken from there, as `score` does."""
    versions = {key: {**DOCUMENTS[0], "predicted": [key]} for key in ("kites", "gulls")}
    lines("predicted.jsonl", {"id": "a", **versions})
    for key, hits in (("kites", 1), ("gulls", 0)):
        found = analysed(capsys, "--predictions", "predicted.jsonl", "--under", key)["predicted.jsonl"]
        assert found["phrases"]["hits"] == hits
    assert problem(capsys, "--predictions", "predicted.jsonl", "--under", "x") == (
        "predicted.jsonl:1: has no object under 'x'; name another by --under, or leave it out"
    )


def test_analyses_can_be_written_to_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    """The same as would be printed."""
    made_run(capsys)
    printed = run(capsys, "analyse", "out").out
    outcome = run(capsys, "analyse", "out", "--out", "analysis.txt")
    assert (outcome.out, outcome.err) == ("", "2 systems: analysis.txt\n")
    assert Path("analysis.txt").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize(
    ("keyphrases", "message"),
    [
        (
            [{"text": "a", "probabilities": [1.5]}],
            "predicted.jsonl:1: token probabilities: 1.5 is not a number above 0 and at most 1; "
            "give probabilities, not logarithms",
        ),
        (
            [{"text": "a", "probabilities": []}],
            "predicted.jsonl:1: token probabilities: there are none; give one for each model token",
        ),
        (
            [{"text": "a", "probabilities": 0.5}],
            "predicted.jsonl:1: the probabilities 0.5 are no list; one for each model token",
        ),
        (
            [{"text": "a", "probabilities": [0.5]}, {"text": "b"}],
            "predicted.jsonl:1: only some keyphrases have probabilities; give them to all or to none",
        ),
        (
            None,
            "predicted.jsonl:1: no predictions for 'a'; "
            "give them as 'keyphrases', 'predicted' or 'prediction'",
        ),
    ],
)
def test_unusable_predictions_are_told(
    keyphrases: Any, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, line, problem and remedy."""
    lines("predicted.jsonl", {**DOCUMENTS[0], "keyphrases": keyphrases})
    assert problem(capsys, "--predictions", "predicted.jsonl") == message


def test_wrong_arguments_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is computed."""
    made_run(capsys)
    lines("predicted.jsonl", {"id": "a", "predicted": ["kites"]})
    lines("empty.jsonl")
    file = ("--predictions", "predicted.jsonl")
    assert problem(capsys) == "analyse: needs a RUN or --predictions FILE; give one of the two"
    assert problem(capsys, "out", *file) == "analyse: needs a RUN or --predictions FILE; give one of the two"
    assert problem(capsys, "out", "--under", "x") == "--under: has no effect on a run; leave it out"
    assert problem(capsys, *file, "--cell", "x") == (
        "--cell: has no effect on a file of predictions; leave it out"
    )
    assert problem(capsys, "out", "--matching", "exakt") == (
        "--matching exakt: is no matching of the run; did you mean 'exact'?"
    )
    assert problem(capsys, "out", "--cell", "positon").startswith("out: has no cell 'positon'; did you mean")
    assert problem(capsys, "nowhere").startswith("nowhere: there is no such folder; ")
    assert problem(capsys, *file) == (
        "predicted.jsonl:1: 'a' brings no gold keyphrases; give a file with them by --gold"
    )
    assert problem(capsys, *file, "--gold", "birds.jsonl", "--matching", "exakt") == (
        "--matching exakt: unknown kind 'exakt'; did you mean 'exact'?"
    )
    assert problem(capsys, "--predictions", "empty.jsonl") == (
        "empty.jsonl: there is no document to analyse; check the file"
    )
    lines("other.jsonl", {"id": "z", "gold": ["z"]})
    assert problem(capsys, *file, "--gold", "other.jsonl").endswith(
        "ids: no document is in both files; give both files the same ids"
    )
