"""The area under precision and recall."""

from __future__ import annotations

from typing import Any

import pytest
from hit_lists import hit_list, measured, related, value
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.metrics.pr_auc import PrAuc


@pytest.mark.parametrize(
    ("hits", "gold", "k", "expected"),
    [
        ("+-", 1, "M", 1.0),
        ("-+", 1, "M", (0 + 1 / 2) / 2),
        ("+-+", 2, "M", ((1 + 1) / 2 + (1 / 2 + 2 / 3) / 2) / 2),
        ("+-+", 2, 2, 0.5),
        ("+-+", 4, "M", ((1 + 1) / 2 + (1 / 2 + 2 / 3) / 2) / 4),
        ("++", 2, "M", 1.0),
        ("---", 2, "M", 0.0),
        ("", 2, "M", 0.0),
        ("--", 0, "M", 0.0),
    ],
)
def test_trapezoids_between_the_points_of_the_curve(hits: str, gold: int, k: Any, expected: float) -> None:
    """Worked by hand: the first hit at rank 2 rises from precision 0 to 1/2."""
    assert value(PrAuc(k=k), hits, gold) == pytest.approx(expected)


def test_the_counts_are_the_area_by_gold_keyphrases_and_their_number() -> None:
    """Two hits in front of three gold keyphrases."""
    assert PrAuc().count(hit_list("++-", 3)) == (2.0, 3)


def test_a_keyphrase_widens_the_area_once() -> None:
    """Many to many."""
    assert measured(PrAuc(), related([0], [0], [0], gold=1)) == 1.0


@settings(deadline=None)  # the reference is imported in the first example
@given(hits=st.text("+-", max_size=12), more=st.integers(0, 4))
@pytest.mark.slow
def test_it_is_the_area_that_scikit_learn_finds_under_the_same_points(hits: str, more: int) -> None:
    """Property: a point after each phrase, (0, 1) before and (last recall, 0) behind them."""
    from sklearn.metrics import auc

    gold = hits.count("+") + more
    if gold == 0 or not hits:
        return
    counts = [hits[:rank].count("+") for rank in range(1, len(hits) + 1)]
    recalls = [0.0, *(found / gold for found in counts), counts[-1] / gold]
    precisions = [1.0, *(found / rank for rank, found in enumerate(counts, start=1)), 0.0]
    assert value(PrAuc(), hits, gold) == pytest.approx(auc(recalls, precisions), abs=1e-12)
