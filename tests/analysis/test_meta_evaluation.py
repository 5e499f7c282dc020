"""Measures against people."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

import kpframe.analysis.meta_evaluation as meta_evaluation
from kpframe.analysis.meta_evaluation import (
    Correlation,
    MetaEvaluation,
    combined,
    evaluate_measures,
    similarity_scores,
)
from kpframe.errors import DataError
from kpframe.stages import Similarity
from kpframe.statistics.correlation import METHODS, coefficient
from kpframe.statistics.rank_correlation import rank_correlation

IQ = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
TELEVISION = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
"""IQ and hours of television: the worked example of Wikipedia, "Spearman's rank correlation coefficient"."""

numbers = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=20)


def one(made: MetaEvaluation, name: str = "m", combination: str = "average") -> Correlation:
    """The correlation of a measure."""
    (found,) = [c for c in made.correlations if (c.name, c.combination) == (name, combination)]
    return found


def test_spearman_of_the_textbook_example() -> None:
    """1 - 6 · 194 / (10 · 99) = -29/165."""
    value, reason = coefficient(IQ, TELEVISION, "spearman")
    assert (value, reason) == (pytest.approx(-29 / 165), "")


def test_coefficients_by_hand() -> None:
    """Ties: tau-b = 4 / √(5 · 5); mid-ranks 1.5 1.5 3 4 and 1 2.5 2.5 4 give rho 4 / 4.5 …; r below."""
    xs, ys = [1.0, 1.0, 2.0, 3.0], [1.0, 2.0, 2.0, 3.0]
    assert coefficient(xs, ys, "kendall")[0] == pytest.approx(0.8)
    # Deviations of the ranks: (-1, -1, .5, 1.5) and (-1.5, 0, 0, 1.5): 3.75 / √(4.5 · 4.5).
    assert coefficient(xs, ys, "spearman")[0] == pytest.approx(3.75 / 4.5)
    # Deviations: (-.75, -.75, .25, 1.25) and (-1, 0, 0, 1): 2 / √(2.75 · 2).
    assert coefficient(xs, ys, "pearson")[0] == pytest.approx(2 / math.sqrt(5.5))


@settings(deadline=None)
@given(numbers, st.sampled_from(METHODS), st.randoms())
@pytest.mark.slow
def test_coefficients_are_those_of_scipy_in_any_order(
    pairs: list[tuple[int, int]], method: Any, chance: random.Random
) -> None:
    """Bit for bit the same for the same pairs."""
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    value, reason = coefficient(xs, ys, method)
    moved = chance.sample(pairs, len(pairs))
    assert coefficient([x for x, _ in moved], [y for _, y in moved], method) == (value, reason)
    if value is None:
        assert reason in ("all scores are the same", "all judgements are the same")
        return
    function = {
        "spearman": scipy.stats.spearmanr,
        "pearson": scipy.stats.pearsonr,
        "kendall": scipy.stats.kendalltau,
    }[method]
    assert value == pytest.approx(function(xs, ys).statistic, abs=1e-9)
    assert -1 <= value <= 1


@given(numbers)
@pytest.mark.slow
def test_the_correlation_in_tables_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    """With ties; none where a side says nothing."""
    value = rank_correlation(pairs)
    if any(len(set(side)) == 1 for side in zip(*pairs, strict=True)):
        assert value is None
    else:
        assert value == pytest.approx(scipy.stats.spearmanr(*zip(*pairs, strict=True)).statistic, abs=1e-9)


def test_what_is_undefined_has_a_reason() -> None:
    """Never not-a-number."""
    for method in METHODS:
        assert coefficient([], [], method) == (None, "there are fewer than two items")
        assert coefficient([1], [2], method) == (None, "there are fewer than two items")
        assert coefficient([1, 1, 1], [1, 2, 3], method) == (None, "all scores are the same")
        assert coefficient([1, 2, 3], [0, 0, 0], method) == (None, "all judgements are the same")
    value, reason = coefficient([1e300, -1e300, 1e308], [1, 2, 3], "pearson")
    assert value is None or abs(value) <= 1
    assert (value is None) == bool(reason)


@pytest.mark.parametrize(
    ("judgements", "average", "majority"),
    [
        ([1, 2, 2, 4], 2.25, 2),
        ([0, 0, 4, 4, 3], 2.2, 4),  # a tie of 0 and 4; the median is 3
        ([1, 1, 3, 3], 2, 1),  # both as near to 2: the lower
        ([0, 1, 2, 4], 1.75, 1),  # all once; the median 1.5 is as near to 1 as to 2
        ([None, 3, None], 3, 3),
        ([None, None], None, None),
    ],
)
def test_judgements_are_combined(judgements: list[Any], average: float, majority: float) -> None:
    """The majority breaks ties by the median, as in Kim et al. (2010), and then downwards."""
    assert (combined(judgements, "average"), combined(judgements, "majority")) == (average, majority)
    assert combined(judgements[::-1], "majority") == majority


def test_each_judge_is_put_beside_the_others() -> None:
    """Kim et al. (2010), section 5.1: leave one out, then the mean over the judges."""
    judges = {"a": [0, 1, 2, 3, 4], "b": [0, 2, 1, 3, 4], "c": [4, 0, 1, 2, 3]}
    (bound, _) = evaluate_measures({}, judges).humans
    expected = [
        scipy.stats.spearmanr(judges["a"], np.add(judges["b"], judges["c"])).statistic,
        scipy.stats.spearmanr(judges["b"], np.add(judges["a"], judges["c"])).statistic,
        scipy.stats.spearmanr(judges["c"], np.add(judges["a"], judges["b"])).statistic,
    ]
    assert [found.value for found in bound.judges] == pytest.approx(expected)
    assert [found.name for found in bound.judges] == ["a", "b", "c"]
    assert bound.value == pytest.approx(sum(expected) / 3)
    assert bound.combination == "average"


def test_a_judge_who_always_says_the_same_is_in_no_mean() -> None:
    """And shown with the reason."""
    judges = {"a": [0, 1, 2, 3], "b": [0, 1, 2, 3], "c": [1, 1, 1, 1]}
    (bound, _) = evaluate_measures({}, judges).humans
    assert bound.value == 1
    assert [found.reason for found in bound.judges] == ["", "", "all scores are the same"]


def test_a_single_judge_is_the_average_and_has_no_others() -> None:
    """As in Kundu et al. (2023), table 5."""
    made = evaluate_measures({"m": [0.1, 0.2, 0.4]}, {"a": [1, 2, 3]}, ["pearson"])
    assert [(c.combination, c.items) for c in made.correlations] == [("average", 3)]
    assert [(bound.value, bound.judges) for bound in made.humans] == [(None, ())]
    assert made.alpha.value is None


def test_what_is_missing_is_left_out_and_counted() -> None:
    """An item needs a score and one judgement."""
    scores = {"m": [0.1, None, 0.3, 0.4, 0.5]}
    judges = {"a": [1, 2, None, 4, 2], "b": [1, 2, None, None, 3]}
    made = evaluate_measures(scores, judges)
    found = one(made)
    assert (found.items, found.missing) == (3, 2)
    assert found.value == coefficient([0.1, 0.4, 0.5], [1, 4, 2.5], "spearman")[0]
    assert made.judged == {"a": 4, "b": 3}
    assert [(c.items, c.missing) for c in made.humans[0].judges] == [(3, 2), (3, 2)]


def test_a_constant_measure_has_no_correlation() -> None:
    """None and the reason, no interval."""
    found = one(evaluate_measures({"m": [1.0] * 6}, {"a": [1, 2, 3, 4, 5, 6]}))
    assert (found.value, found.low, found.high) == (None, None, None)
    assert found.reason == "all scores are the same"


def test_fisher_intervals() -> None:
    """Pearson as scipy has it; Spearman and Kendall by their formulas, worked here."""
    made = evaluate_measures({"m": IQ}, {"a": TELEVISION}, METHODS)
    pearson, rho, tau = sorted(
        made.correlations, key=lambda c: ("pearson", "spearman", "kendall").index(c.method)
    )
    theirs = scipy.stats.pearsonr(IQ, TELEVISION).confidence_interval()
    assert (pearson.low, pearson.high) == pytest.approx((theirs.low, theirs.high))
    assert rho.value is not None and tau.value is not None
    reach = 1.959964 * math.sqrt((1 + rho.value**2 / 2) / 7)
    assert rho.low == pytest.approx(math.tanh(math.atanh(rho.value) - reach), abs=1e-6)
    reach = 1.959964 * math.sqrt(0.437 / 6)
    assert tau.high == pytest.approx(math.tanh(math.atanh(tau.value) + reach), abs=1e-6)


def test_few_items_or_a_perfect_correlation_have_no_fisher_interval() -> None:
    """They would claim to be certain, or divide by 0."""
    for scores, judges in (([1, 2, 4, 3], [1, 2, 3, 4]), ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6])):
        for found in evaluate_measures({"m": scores}, {"a": judges}, METHODS).correlations:
            assert found.value is not None
            assert (found.low, found.high) == (None, None)


@pytest.mark.slow
def test_bootstrap_intervals_depend_on_the_seed_alone() -> None:
    """Not on the order of the items; they hold the value, and are near Fisher's."""
    xs = [float(x) for x in range(30)]
    ys = [float(x + 7 * (x % 4)) for x in range(30)]

    def found(order: list[int], seed: int = 1) -> Correlation:
        scores, judges = {"m": [xs[i] for i in order]}, {"a": [ys[i] for i in order]}
        return one(evaluate_measures(scores, judges, ["pearson"], interval="bootstrap", seed=seed))

    first = found(list(range(30)))
    assert found(list(reversed(range(30)))) == first != found(list(range(30)), seed=2)
    assert first.low is not None and first.value is not None and first.high is not None
    assert first.low < first.value < first.high
    fisher = one(evaluate_measures({"m": xs}, {"a": ys}, ["pearson"]))
    assert (first.low, first.high) == pytest.approx((fisher.low, fisher.high), abs=0.1)


@pytest.mark.slow
def test_a_bootstrap_that_mostly_fails_gives_no_interval() -> None:
    """Both columns vary in one item only, so that most resamples have a constant; or there are four items."""
    for scores, judge in (([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]), ([1, 2, 3, 4], [1, 2, 4, 3])):
        found = one(evaluate_measures({"m": scores}, {"a": judge}, interval="bootstrap"))
        assert found.value is not None
        assert (found.low, found.high) == (None, None)


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.none() | st.integers(0, 4)] * 4), min_size=1, max_size=15), st.randoms())
@pytest.mark.slow
def test_the_order_of_items_and_judges_changes_nothing(rows: list[Any], chance: random.Random) -> None:
    """All figures, to the last digit."""

    def figures(rows: list[Any], names: str) -> Any:
        columns = dict(zip("mabc", map(list, zip(*rows, strict=True)), strict=True))
        made = evaluate_measures({"m": columns["m"]}, {name: columns[name] for name in names}, METHODS)
        judges = [sorted(map(repr, bound.judges)) for bound in made.humans]
        return made.correlations, [bound.value for bound in made.humans], judges, made.alpha

    assert figures(chance.sample(rows, len(rows)), "cab") == figures(rows, "abc")


def test_perfect_agreement_is_one() -> None:
    """Of a measure with the judges and of the judges with each other."""
    column = [0, 1, 2, 3, 4, 2]
    made = evaluate_measures({"m": [x / 4 for x in column]}, {"a": column, "b": column, "c": column}, METHODS)
    assert {found.value for found in made.correlations} == {1}
    assert {bound.value for bound in made.humans} == {1}
    assert made.alpha.value == 1


def test_columns_that_cannot_be_used() -> None:
    """Lengths, numbers, no judge; nor can a negative seed."""
    with pytest.raises(DataError) as error:
        evaluate_measures({"m": [1, 2]}, {"a": [1]})
    assert str(error.value) == (
        "scores and judgements: have between 1 and 2 items; give a number or None for every item"
    )
    with pytest.raises(DataError) as error:
        evaluate_measures({"m": [1]}, {"a": [float("nan")]})
    assert str(error.value) == "judge a: nan is not a finite number; use None for what is missing"
    with pytest.raises(DataError, match="judgements: there is no judge; name the columns of the judges"):
        evaluate_measures({"m": [1]}, {})
    with pytest.raises(DataError, match="seed: -1 is negative; give a whole number of at least 0"):
        evaluate_measures({"m": [1]}, {"a": [1]}, interval="bootstrap", seed=-1)


class Overlap(Similarity):
    """The share of common words, not-a-number for the phrase `broken`."""

    kind = "overlap"

    def compare(self, predicted: str, gold: str) -> float:
        ours, theirs = set(predicted.split()), set(gold.split())
        return float("nan") if "broken" in ours else len(ours & theirs) / len(ours | theirs)


@pytest.fixture
def overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    """`overlap` as the only similarity."""

    def part(folder: str, name: str) -> Similarity:
        if (folder, name) != ("similarity", "overlap"):
            raise ValueError("names no kind of similarity")
        return Overlap()

    monkeypatch.setattr(meta_evaluation, "part", part)


@pytest.mark.usefixtures("overlap")
def test_similarities_are_measures_of_pairs() -> None:
    """A pair that lacks a phrase has no score; not-a-number never leaves."""
    pairs = [("red kite", "kite"), ("", "kite"), ("kite", "  "), ("owl", "owl")]
    assert similarity_scores("overlap", pairs) == [0.5, None, None, 1.0]
    with pytest.raises(DataError) as error:
        similarity_scores("overlap", [("broken", "kite")])
    assert str(error.value) == (
        "measure overlap: gives nan for 'broken' and 'kite'; leave the pair or the measure out"
    )
    with pytest.raises(ValueError, match="names no kind of similarity"):
        similarity_scores("owl", [])


def test_the_similarities_of_kpframe_are_measures() -> None:
    """Keyphrase match rate of the pair that only a shift of words brings together: 1 - 2/3 edits."""
    assert similarity_scores("kmr", [("service quality", "quality of service")]) == [pytest.approx(1 / 3)]
