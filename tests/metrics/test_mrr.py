"""Reciprocal ranks."""

from __future__ import annotations

from typing import Any

import pytest
from hit_lists import hit_list, measured, related, value

from kpframe.metrics.mrr import MeanReciprocalRank


@pytest.mark.parametrize(
    ("hits", "k", "first", "every"),
    [
        ("+--", "M", 1.0, 1.0),
        ("-+-+", "M", 0.5, (1 / 2 + 1 / 4) / 2),
        ("-+-+", 3, 0.5, 0.5),
        ("---+", 3, 0.0, 0.0),
        ("---+", "O", 0.25, 0.25),
        ("++++", "M", 1.0, (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4),
        ("", "M", 0.0, 0.0),
    ],
)
def test_the_first_hit_or_all_of_them(hits: str, k: Any, first: float, every: float) -> None:
    """Worked by hand, against four gold keyphrases."""
    assert value(MeanReciprocalRank(k=k), hits, 4) == first
    assert value(MeanReciprocalRank(k=k, of="all"), hits, 4) == pytest.approx(every)


def test_over_all_hits_one_more_hit_can_cost() -> None:
    """What the docstring warns of: "+-" is better than "++"."""
    assert value(MeanReciprocalRank(of="all"), "++", 2) < value(MeanReciprocalRank(of="all"), "+-", 2)
    assert value(MeanReciprocalRank(), "++", 2) == value(MeanReciprocalRank(), "+-", 2)


def test_the_counts_are_a_sum_and_how_many_are_in_it() -> None:
    """One for the first hit."""
    assert MeanReciprocalRank().count(hit_list("-+-+", 4)) == (0.5, 1)
    assert MeanReciprocalRank(of="all").count(hit_list("-+-+", 4)) == (0.75, 2)
    assert MeanReciprocalRank(of="all").count(hit_list("--", 4)) == (0.0, 0)


def test_a_keyphrase_that_is_hit_again_is_no_further_hit() -> None:
    """Many to many."""
    found = related([], [0], [0], gold=2)
    assert measured(MeanReciprocalRank(), found) == 0.5
    assert measured(MeanReciprocalRank(of="all"), found) == 0.5
