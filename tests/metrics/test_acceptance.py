"""The presets against the programs whose names they have."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from acceptance import NOT_HERE, ORACLES, computable, figures, meets, value

import kpframe
from kpframe.evaluation.predictions import join, read_predictions
from kpframe.evaluation.scoring import chosen_measures, score_measures
from kpframe.evaluation.tallies import parse_signature
from kpframe.spec.measures import load_preset, preset_names

pytestmark = [
    pytest.mark.skipif(
        not (ORACLES / "acceptance.json").is_file(), reason=f"the peers' figures are not in {ORACLES}"
    ),
    pytest.mark.slow,
]

FAMILIES = ("kpeval", "kpg", "trec_eval", "ndeval", "dkpro", "kundu", "pke", "semeval-perl", "paper", "ece")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_preset_gives_its_familys_figures(family: str) -> None:
    """Every figure that was made with a program of the family, at its tolerance."""
    mine = [figure for figure in computable() if figure["name"].startswith(f"{family}/")]
    assert mine
    failed = {f["name"]: (value(f), f["expected"]) for f in mine if not meets(f)}
    assert not failed


def test_what_is_not_computed_is_named() -> None:
    """283 of 288; the families are all there are."""
    assert len(figures()) - len(NOT_HERE) == 283
    assert {name.split("/")[0] for name in figures()} == set(FAMILIES)


def test_one_list_has_six_values_of_f1_at_5() -> None:
    """The table of METRICS, section 2: convention by convention, from one file of predictions."""
    file = ORACLES / "inspec60.freq.jsonl"
    joined = join(None, read_predictions(file, under="tok"))
    found = score_measures(joined.pairs, chosen_measures(None, None, "conventions", texts=True))
    values = [round(score.value or 0, 4) for score in found]
    assert values == [0.1778, 0.1685, 0.1548, 0.1449, 0.1057, 0.1811]


def test_missing_predictions_are_counted_or_not() -> None:
    """MAP of present phrases in edge.jsonl: .5833 over 16 as ir_measures, .6667 over 14 as trec_eval."""
    joined = join(None, read_predictions(ORACLES / "edge.jsonl", under="tok"))
    measure = next(m for m in load_preset("trec_eval").measures if m.column == "map/present")
    (as_zero,) = score_measures(joined.pairs, [measure])
    assert (round(as_zero.value or 0, 4), as_zero.documents) == (0.5833, 16)
    either = replace(measure, metric=measure.metric.model_copy(update={"empty": "either"}))
    (left_out,) = score_measures(joined.pairs, [either])
    assert (round(left_out.value or 0, 4), left_out.documents) == (0.6667, 14)


@pytest.mark.parametrize("name", preset_names())
def test_every_measure_survives_odd_documents_and_its_signature(name: str) -> None:
    """On the hand-made documents no value is NaN; each signature parses back into the measure.

    English, which most presets ask for, is what a signature without a language means.
    """
    joined = join(None, read_predictions(ORACLES / "edge.jsonl", under="tok"))
    measures = load_preset(name).measures
    for measure, score in zip(measures, score_measures(joined.pairs, measures), strict=True):
        assert score.value is None or score.value >= 0
        metric, matching = parse_signature(score.signature)
        english = {"language": "en"}
        assert metric == measure.metric
        assert matching.model_copy(update=english) == measure.matching.model_copy(update=english)


def test_a_preset_is_one_word_for_score() -> None:
    """The same figures through the public function, chosen by subset."""
    gold, predicted = {}, {}
    for line in (ORACLES / "inspec60.freq.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        gold[row["id"]], predicted[row["id"]] = row["tok"]["gold"], row["tok"]["predicted"]
    scores = {s.metric: s.value for s in kpframe.score(gold, predicted, preset="trec_eval", subset="all")}
    for measure, found in scores.items():
        assert found == pytest.approx(figures()[f"trec_eval/inspec60.freq/all/{measure}"]["expected"])
