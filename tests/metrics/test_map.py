"""Average precision."""

from __future__ import annotations

from typing import Any

import pytest
from hit_lists import hit_list, measured, related, value
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.errors import SpecError
from kpframe.metrics.map import MeanAveragePrecision


@pytest.mark.parametrize(
    ("hits", "gold", "k", "expected"),
    [
        ("+-+", 3, "M", (1 + 2 / 3) / 3),
        ("+-+", 3, 2, 1 / 3),
        ("--+", 1, "M", 1 / 3),
        ("--+", 2, "O", 0.0),
        ("-+-+", 2, "O", 0.25),
        ("++", 2, "M", 1.0),
        ("++++", 4, 2, 0.5),
        ("---", 2, "M", 0.0),
        ("", 2, "M", 0.0),
        ("--", 0, "M", 0.0),
    ],
)
def test_precisions_at_hits_over_all_gold(hits: str, gold: int, k: Any, expected: float) -> None:
    """Worked by hand; missed gold counts 0."""
    assert value(MeanAveragePrecision(k=k), hits, gold) == pytest.approx(expected)


def test_the_counts_are_the_sum_and_the_gold() -> None:
    """From which a value can be made again."""
    assert MeanAveragePrecision().count(hit_list("+-+", 3)) == (1 + 2 / 3, 3)


def test_a_keyphrase_that_is_hit_again_adds_nothing() -> None:
    """Many to many: the second phrase for keyphrase 0 takes keyphrase 1, the third has none left."""
    assert measured(MeanAveragePrecision(), related([0], [0, 1], [0, 1], gold=2)) == 1.0
    assert measured(MeanAveragePrecision(), related([0], [0], [1], gold=2)) == pytest.approx((1 + 2 / 3) / 2)


def test_there_is_no_micro_average() -> None:
    """Refused, not ignored."""
    with pytest.raises(SpecError, match="average: must be 'macro'"):
        MeanAveragePrecision(average="micro")


def test_the_label_has_kind_and_cut_off() -> None:
    """As those of other measures."""
    assert MeanAveragePrecision().label() == "map@M"
    assert MeanAveragePrecision(k=10, empty="zero").label() == "map(empty=zero)@10"


@settings(deadline=None)  # the reference is imported in the first example
@given(hits=st.text("+-", min_size=1, max_size=12).filter(lambda hits: "+" in hits))
@pytest.mark.slow
def test_without_missed_gold_it_is_average_precision_of_scikit_learn(hits: str) -> None:
    """Property: with all gold in the list, the area of steps under its curve."""
    from sklearn.metrics import average_precision_score

    expected = average_precision_score([mark == "+" for mark in hits], [-i for i in range(len(hits))])
    assert value(MeanAveragePrecision(), hits, hits.count("+")) == pytest.approx(expected, abs=1e-12)
