"""Discounted gain."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest
from families import every
from hit_lists import hit_list, measured, related, value
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.metrics._ranked import discounts, ideal_sums
from kpframe.metrics.ndcg import Ndcg

THIRD, FOURTH = 1 / 2, 1 / log2(5)
TWO, THREE = 1 + 1 / log2(3), 1 + 1 / log2(3) + 1 / 2
"""Gains at ranks 3 and 4; ideal gains of two and of three hits."""


@every(
    ("hits", "gold", "k", "of_gold", "of_own"),
    [
        ("--+", 3, "M", THIRD / THREE, THIRD),
        ("--++", 3, "M", (THIRD + FOURTH) / THREE, (THIRD + FOURTH) / TWO),
        ("--++", 3, 3, THIRD / THREE, THIRD / TWO),
        ("--++", 3, 2, 0.0, 0.0),
        ("+-++", 5, 2, 1 / TWO, 1 / TWO),
        ("--++", 3, "O", THIRD / THREE, THIRD / TWO),
        ("+----", 3, "M", 1 / THREE, 1.0),
        ("+++", 3, "M", 1.0, 1.0),
        ("+++", 9, 2, 1.0, 1.0),
        ("---", 3, "M", 0.0, 0.0),
        ("", 3, "M", 0.0, 0.0),
        ("--", 0, "M", 0.0, 0.0),
    ],
)
def test_the_ideal_list_has_all_gold_or_the_own_hits(
    hits: str, gold: int, k: Any, of_gold: float, of_own: float
) -> None:
    """Worked by hand; at M the ideal list holds all gold, also where the list is shorter or longer."""
    assert value(Ndcg(k=k), hits, gold) == pytest.approx(of_gold)
    assert value(Ndcg(k=k, ideal="own"), hits, gold) == pytest.approx(of_own)


def test_a_short_list_is_measured_against_all_gold() -> None:
    """One right phrase of one, three gold keyphrases: not 1."""
    assert value(Ndcg(), "+", 3) == pytest.approx(1 / THREE)


def test_hits_of_one_keyphrase_gain_once() -> None:
    """Many to many: never above 1."""
    assert measured(Ndcg(), related([0], [0], [0], gold=1)) == 1.0
    assert measured(Ndcg(ideal="own"), related([], [0], [0], gold=2)) == pytest.approx(1 / log2(3))


def test_the_tables_of_discounts_grow_as_needed() -> None:
    """Beyond the table that is made in advance too."""
    for ranks in (1, 1024, 1025, 5000):
        assert discounts(ranks)[ranks] == 1 / log2(ranks + 1)
    assert ideal_sums(2000)[2000] == pytest.approx(sum(1 / log2(rank + 1) for rank in range(1, 2001)))
    assert value(Ndcg(), "-" * 1999 + "+", 1) == 1 / log2(2001)
    assert Ndcg().count(hit_list("", 0)) == (0.0, 0.0)


@settings(deadline=None)  # the reference is imported in the first example
@given(hits=st.text("+-", min_size=2, max_size=12).filter(lambda hits: "+" in hits), k=st.integers(1, 14))
@pytest.mark.slow
def test_with_all_gold_in_the_list_it_is_ndcg_of_scikit_learn(hits: str, k: int) -> None:
    """Property, for both ideals, which are one then."""
    from sklearn.metrics import ndcg_score

    order = [[float(-i) for i in range(len(hits))]]
    expected = ndcg_score([[float(mark == "+") for mark in hits]], order, k=k)
    for ideal in ("gold", "own"):
        assert value(Ndcg(k=k, ideal=ideal), hits, hits.count("+")) == pytest.approx(expected, abs=1e-12)
