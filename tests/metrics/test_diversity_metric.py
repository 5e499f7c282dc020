"""Repetition as a metric of a run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kpframe.evaluation.tallies import aggregate, parse_signature, tally
from kpframe.matching.exact import Exact
from kpframe.metrics.diversity import DiversityMetric
from kpframe.model import Gold, Matches, Score

ROOT = Path(__file__).resolve().parents[2]
ORACLES = ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets") / "../reference/oracles"
MEASURES = ("unique_phrase_ratio", "unique_token_ratio", "dup_token_ratio", "self_bleu", "self_edit_distance")


def score(of: str, documents: list[list[str]], average: str = "macro") -> Score:
    """The measure over the lists of several documents, of which none has gold."""
    metric = DiversityMetric.model_validate({"of": of, "average": average})
    found = [Exact(absent="keep").match(predicted, (), None) for predicted in documents]
    return aggregate(metric, Exact(absent="keep"), [tally(metric, matches) for matches in found])


@pytest.mark.skipif(
    not (ORACLES / "acceptance.json").is_file(), reason=f"the peers' figures are not in {ORACLES}"
)
@pytest.mark.parametrize("of", MEASURES)
def test_the_figures_are_those_of_kpeval(of: str) -> None:
    """60 documents with and without predictions."""
    figures = json.loads((ORACLES / "acceptance.json").read_text(encoding="utf-8"))
    expected = next(f["expected"] for f in figures if f["name"] == f"kpeval/inspec60.freq/diversity/{of}")
    lines = (ORACLES / "inspec60.freq.jsonl").read_text(encoding="utf-8").splitlines()
    found = score(of, [json.loads(line)["tok"]["predicted"] for line in lines])
    assert found.value == pytest.approx(expected, abs=1e-9)
    assert (found.documents, found.skipped) == (60, 0)


def test_duplicates_count_although_matching_takes_them_off() -> None:
    """Two distinct of three; two distinct stems of three."""
    documents = [["graph", "Graphs", "tree"]]
    assert score("unique_phrase_ratio", documents).value == pytest.approx(2 / 3)
    assert score("dup_token_ratio", documents).value == pytest.approx(1 / 3)
    assert score("unique_phrases", documents).value == 2


def test_documents_without_predictions_count() -> None:
    """By 0, and by 1 where repetition is measured by tokens."""
    documents: list[list[str]] = [["a", "b"], []]
    values = {of: score(of, documents).value for of in (*MEASURES, "unique_phrases")}
    assert values == {
        "unique_phrase_ratio": 0.5,
        "unique_token_ratio": 0.5,
        "dup_token_ratio": 0.5,
        "self_bleu": 0.0,
        "self_edit_distance": 0.0,
        "unique_phrases": 1.0,
    }


def test_the_micro_average_is_one_ratio() -> None:
    """3 distinct of 4 phrases in all; the mean of the documents is (1/2 + 1) / 2."""
    documents = [["a", "a"], ["b", "c"]]
    assert score("unique_phrase_ratio", documents).value == 0.75
    assert score("unique_phrase_ratio", [*documents, ["d"] * 4], "micro").value == 0.5
    assert score("unique_phrases", documents, "micro").value == 1.5


def test_what_a_matching_does_not_tell_is_not_taken_for_an_empty_list() -> None:
    """A matching of somebody else's that gives hits alone."""
    assert DiversityMetric().count(Matches((0,), ("x",), 1)) == ()


def test_gold_plays_no_part() -> None:
    """And the recipe reads back."""
    metric = DiversityMetric(of="self_bleu")
    found = Exact(absent="keep").match(["a b c", "a b c"], [Gold(("z",))], None)
    assert aggregate(metric, Exact(), [tally(metric, found)]).value == pytest.approx(1.0)
    made = score("self_bleu", [["a"]])
    assert made.metric == "diversity@self_bleu"
    assert parse_signature(made.signature)[0] == metric
