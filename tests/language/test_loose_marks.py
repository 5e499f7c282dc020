"""Gold and predictions that end as sentences do: told, and not changed."""

from __future__ import annotations

import logging

import pytest
from families import every

import kpframe as kp
from kpframe.language.loose_marks import LooseMarks, has_loose_mark

LOOSE = [
    "neural networks.",
    "neural networks,",
    "networks ;",
    "networks:",
    "networks .",
    ", networks",
    ". networks",
    ":networks",
    "réseaux de neurones.",
    "нейронные сети.",
    "神经网络。",
    "神经网络，",
    "شبكات عصبية،",
    "मशीन लर्निंग।",
    "CO2.",
    "covid-19.",
    "et cetera...",
]
NONE = [
    "neural networks",
    "U.S.",
    "washington d.c.",
    "Smith et al.",
    "vitamin C.",
    "Apple Inc.",
    "American Diabetes Assn.",
    "Bacillus spp.",
    "Ph.D.",
    "z.B.",
    ".NET framework",
    "S.A.",
    "и т.д.",
    "node.js",
    "3:1",
    "C++",
    "(networks)",
]


@every("phrase", LOOSE)
def test_a_mark_of_a_sentence_at_an_end_is_seen(phrase: str) -> None:
    """In every script."""
    assert has_loose_mark(phrase)


@every("phrase", NONE)
def test_marks_of_names_and_abbreviations_are_none(phrase: str) -> None:
    """They belong to the phrase."""
    assert not has_loose_mark(phrase)


def test_one_form_without_a_mark_is_enough() -> None:
    """It can be met."""
    marks = LooseMarks()
    marks.look_at_forms([("nets.", "networks"), ("a net.", "the net,")])
    assert (marks.phrases, marks.loose, marks.example) == (2, 1, "a net.")
    assert "gold: 1 of 2 phrases begins or ends with a mark of a sentence, as 'a net.'" in marks.told("gold")


def test_scoring_tells_once_of_each_side_and_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """With how many and an example; the values are those of the phrases as they are."""
    gold = {"a": ["neural networks.", "U.S."], "b": ["graphs"]}
    with caplog.at_level(logging.WARNING, "kpframe"):
        (score,) = kp.score(
            gold,
            {"a": ["neural networks"], "b": ["graphs", "trees,"]},
            metrics="max_recall",
            matching="exact",
        )
    told = [record.getMessage() for record in caplog.records if "mark of a sentence" in record.getMessage()]
    assert [line.partition(",")[0] for line in told] == [
        "gold: 1 of 3 phrases begins or ends with a mark of a sentence",
        "predictions: 1 of 3 phrases begins or ends with a mark of a sentence",
    ]
    assert score.value == 0.5
