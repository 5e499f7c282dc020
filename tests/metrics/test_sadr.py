"""Gains that fade behind as many ranks as there is gold."""

from __future__ import annotations

from math import log2

import pytest
from hit_lists import hit_list, measured, related, value
from hypothesis import given
from hypothesis import strategies as st

from kpframe.metrics.max_recall import MaxRecall
from kpframe.metrics.r_precision import RPrecision
from kpframe.metrics.sadr import Sadr


@pytest.mark.parametrize(
    ("hits", "gold", "expected"),
    [
        ("-+", 2, 0.5),
        ("+-", 2, 0.5),
        ("--+", 2, 1 / log2(3) / 2),
        ("---+", 2, 1 / log2(4) / 2),
        ("+--+", 2, (1 + 0.5) / 2),
        ("++", 2, 1.0),
        ("+", 4, 0.25),
        ("--", 3, 0.0),
        ("", 3, 0.0),
        ("--", 0, 0.0),
    ],
)
def test_full_gain_up_to_the_number_of_gold_keyphrases(hits: str, gold: int, expected: float) -> None:
    """Worked by hand."""
    assert value(Sadr(), hits, gold) == pytest.approx(expected)


def test_a_cut_off_takes_later_hits_away() -> None:
    """Counts: gain and gold."""
    assert Sadr(k=3).count(hit_list("+--+", 2)) == (1.0, 2)
    assert Sadr(k="O").count(hit_list("+-+", 2)) == (1.0, 2)
    assert Sadr(k=3).label() == "sadr@3"


def test_a_keyphrase_gains_once() -> None:
    """Many to many: the second phrase for it is a miss."""
    assert measured(Sadr(), related([0], [0], [1], gold=2)) == pytest.approx((1 + 1 / log2(3)) / 2)


@given(hits=st.text("+-", max_size=12), more=st.integers(0, 4))
def test_it_lies_between_r_precision_and_recall(hits: str, more: int) -> None:
    """Property."""
    gold = hits.count("+") + more
    found = value(Sadr(), hits, gold)
    assert value(RPrecision(), hits, gold) <= found + 1e-12
    assert found <= value(MaxRecall(), hits, gold) + 1e-12
