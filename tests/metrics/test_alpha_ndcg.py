"""Gains that fade with what was already told."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest
from hit_lists import measured, worded
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.errors import SpecError
from kpframe.metrics._novelty import greedy_gains, list_gains
from kpframe.metrics.alpha_ndcg import AlphaNdcg
from kpframe.metrics.ndcg import Ndcg

D2, D3 = 1 / log2(3), 1 / 2
"""Discounts of the second and the third rank."""

GOLD = ["neural network", "city"]


def alpha(predicted: list[str], gold: list[Any] = GOLD, **parameters: Any) -> float:
    """The value for one document."""
    return measured(AlphaNdcg(**parameters), worded(predicted, gold))


def test_a_further_phrase_for_a_known_keyphrase_gains_half() -> None:
    """Against the ideal order: both keyphrases first, then the variant."""
    found = alpha(["neural network", "deep neural network", "city"])
    assert found == pytest.approx((1 + D2 / 2 + D3) / (1 + D2 + D3 / 2))
    assert found < alpha(["neural network", "city", "deep neural network"]) == 1.0


@pytest.mark.parametrize("said", [1, 2, 3])
def test_a_list_that_says_less_is_worth_less(said: int) -> None:
    """Without a cut-off too: one of three keyphrases is not the ideal, and what is at M is at 3 here."""
    gold = ["neural network", "city", "graph"]
    found = alpha(gold[:said], gold)
    assert found == pytest.approx(alpha(gold[:said], gold, k=3)) and (found == 1) is (said == 3)
    assert found == pytest.approx(measured(Ndcg(), worded(gold[:said], gold)))
    assert alpha([*gold[:said], "tower"], gold) == pytest.approx(found)


def test_alpha_says_how_much_a_repetition_loses() -> None:
    """All of it at 1, nothing at 0."""
    predicted = ["neural network", "deep neural network", "city"]
    assert alpha(predicted, alpha=1.0) == pytest.approx((1 + D3) / (1 + D2))
    assert alpha(predicted, alpha=0.0) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("phrase", "exact", "token_subset", "substring"),
    [
        ("neural network", 1, 1, 1),
        ("network neural", 0, 1, 0),
        ("neural", 0, 1, 1),
        ("deep neural network", 0, 1, 0),
        ("deep network", 0, 0, 0),
        ("eural net", 0, 0, 1),
        ("tower", 0, 0, 0),
    ],
)
def test_relevance(phrase: str, exact: int, token_subset: int, substring: int) -> None:
    """Equal; nested sets of words either way; characters inside the keyphrase, one way."""
    for relevance, expected in (("exact", exact), ("token_subset", token_subset), ("substring", substring)):
        assert alpha([phrase], ["neural network"], relevance=relevance, ideal="own") == expected


def test_a_phrase_for_several_keyphrases_gains_for_each_or_once() -> None:
    """ "neural city" is nested with both; the least told-of counts for `one` only if none was told."""
    both, gold = ["city", "neural city"], ["neural", "city"]
    assert AlphaNdcg().count(worded(both, gold))[0] == pytest.approx(1 + D2 * 1.5)
    assert AlphaNdcg(gain="one").count(worded(both, gold))[0] == pytest.approx(1 + D2 * 0.5)


def test_the_three_ideal_lists() -> None:
    """One of two keyphrases is found, behind a miss."""
    predicted = ["tower", "city"]
    assert alpha(predicted) == pytest.approx(D2 / (1 + D2))
    assert alpha(predicted, ideal="own") == pytest.approx(D2)
    assert alpha(predicted, ideal="gold", gain="one") == pytest.approx(D2 / (1 + D2))


def test_full_gains_for_all_gold_are_never_cut() -> None:
    """At k = 1 the best list of two keyphrases has 1 / (1 + 1/log2 3); no rank behind the second counts."""
    kpg = {"ideal": "gold", "gain": "one"}
    assert alpha(["city"], k=1, **kpg) == pytest.approx(1 / (1 + D2))
    assert alpha(["tower", "bridge", "city"], **kpg) == 0.0


def test_full_gains_need_one_gain_per_phrase() -> None:
    """Else values above 1 would come out."""
    with pytest.raises(SpecError) as caught:
        AlphaNdcg(ideal="gold")
    message = "AlphaNdcg: ideal: gold needs gain: one, or values above 1 would come out; "
    assert str(caught.value).startswith(message)


def test_a_keyphrase_stands_once_in_the_pool_whatever_its_variants() -> None:
    """Its predicted variant, if there is one: a perfect list stays perfect."""
    gold = [["service quality", "quality of service"], ["city"]]
    for predicted in (["quality of service", "city"], ["service quality", "city"]):
        assert alpha(predicted, gold, relevance="exact") == 1.0
    assert alpha(["quality of service", "service quality"], gold, relevance="exact", k=2) == pytest.approx(
        (1 + D2 / 2) / (1 + D2)
    )


def test_greedy_gains_take_the_best_next_and_at_ties_the_first() -> None:
    """Items 0 and 2 tie; after 0, item 2 has lost one half of each of its gains, item 1 nothing."""
    items = [(0, 1), (2,), (0, 1), ()]
    assert greedy_gains(items, 3, "each", 0.5, 9) == [2.0, 1.0, 1.0]
    assert greedy_gains(items, 3, "each", 0.5, 1) == [2.0]
    assert list_gains(items, 3, "each", 0.5) == [2.0, 1.0, 1.0, 0.0]
    assert list_gains([(0,), (0, 1)], 2, "one", 0.5) == [1.0, 0.5]


def test_nothing_told_or_nothing_wanted_is_zero() -> None:
    """Never an error."""
    for parameters in ({}, {"ideal": "own"}, {"ideal": "gold", "gain": "one"}):
        assert (
            alpha([], **parameters) == alpha(["city"], [], **parameters) == alpha([], [], **parameters) == 0
        )


WORDS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=3).map(" ".join), max_size=6
)


@given(
    predicted=WORDS,
    gold=WORDS,
    k=st.sampled_from([1, 3, "M", "O"]),
    gain=st.sampled_from(["each", "one"]),
    ideal=st.sampled_from(["pool", "own"]),
    share=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    relevance=st.sampled_from(["exact", "token_subset", "substring"]),
)
@pytest.mark.slow
def test_it_lies_between_zero_and_one(
    predicted: list[str], gold: list[str], k: Any, gain: Any, ideal: Any, share: float, relevance: Any
) -> None:
    """Property, although the ideal is found greedily."""
    metric = AlphaNdcg(k=k, gain=gain, ideal=ideal, alpha=share, relevance=relevance)
    assert 0.0 <= measured(metric, worded(predicted, gold)) <= 1.0


@given(predicted=WORDS, gold=WORDS, k=st.sampled_from([1, 2, 3, 9]))
@pytest.mark.slow
def test_with_exact_relevance_it_is_ndcg(predicted: list[str], gold: list[str], k: int) -> None:
    """Property, at a number: no repetition can be exact, so alpha plays no part."""
    found = worded(predicted, gold)
    expected = measured(Ndcg(k=k), found)
    assert measured(AlphaNdcg(k=k, relevance="exact"), found) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(predicted=WORDS.filter(bool), gold=WORDS.filter(bool))
@pytest.mark.slow
def test_it_is_what_ndeval_says(predicted: list[str], gold: list[str]) -> None:
    """Property, where ndeval finds the greedy ideal too: equal words, or nested ones, as subtopics."""
    pyndeval = pytest.importorskip("pyndeval", reason="ndeval's Python package is not installed")
    found = worded(predicted, gold)
    wanted = [group[0].tokens for group in found.keyphrases]
    told = [phrase.tokens for phrase in found.phrases]
    run = [pyndeval.ScoredDoc("q", " ".join(phrase), -float(i)) for i, phrase in enumerate(told)]
    for relevance, judge in (("exact", _equal), ("token_subset", _nested)):
        qrels = [
            pyndeval.SubtopicQrel("q", str(number), " ".join(phrase), 1)
            for phrase in dict.fromkeys([*wanted, *told])
            for number, keyphrase in enumerate(wanted)
            if judge(phrase, keyphrase)
        ]
        expected = pyndeval.ndeval(qrels, run, measures=["alpha-nDCG@5"])["q"]["alpha-nDCG@5"]
        ours = measured(AlphaNdcg(k=5, relevance=relevance), found)
        # Ties of the greedy choice are broken by other orders, so that the ideal may differ a little.
        assert ours == pytest.approx(expected, abs=1e-5 if relevance == "exact" else 0.02)


def _equal(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return one == other


def _nested(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return set(one) <= set(other) or set(other) <= set(one)
