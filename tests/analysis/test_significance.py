"""Paired tests, corrections, effect sizes and power against references, by hand and by brute force."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from families import every
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kpframe.errors import SpecError
from kpframe.statistics.significance import (
    Aggregate,
    Effect,
    bootstrap,
    correct,
    documents_needed,
    effect,
    minimum_detectable_difference,
    power_of_t_test,
    randomisation,
    t_interval,
    t_test,
    wilcoxon,
)

Array = NDArray[np.float64]

F1 = Aggregate(lambda c: 2 * c[0] / (c[1] + c[2]) if c[1] + c[2] else 0.0, "sums")
"""The micro average of F1: counts are hits, predictions, gold."""

HARMONIC = Aggregate(lambda p: 2 * p[0] * p[1] / (p[0] + p[1]) if p[0] + p[1] else 0.0, "means")
"""The harmonic mean of mean precision and mean recall."""


def p_of(test: str, first: Array, second: Array) -> float:
    """The p of one of the four tests."""
    if test == "t":
        return t_test(first, second).p
    if test == "wilcoxon":
        return wilcoxon(first, second).p
    both = np.column_stack((first, second))
    if test == "randomisation":
        return randomisation(both, [(0, 1)], permutations=500)[0].p
    found = bootstrap(both, [(0, 1)], resamples=500)[0]
    assert found is not None
    return found.p


def shares(seed: int, documents: int, systems: int = 2) -> Array:
    """R-precisions of documents: shares of few keyphrases, so that ties abound."""
    chance = np.random.default_rng(seed)
    gold = chance.integers(2, 12, size=(documents, 1))
    rounded: Array = chance.binomial(gold, 0.3, size=(documents, systems)) / gold
    return rounded


TESTS = ("randomisation", "t", "wilcoxon", "bootstrap")


@every("test", TESTS)
@every("documents", [1, 2, 40])
def test_equal_systems_have_p_1(test: str, documents: int) -> None:
    """Never NaN, however few documents there are."""
    values = shares(1, documents)[:, 0]
    assert p_of(test, values, values) == 1.0


@pytest.mark.parametrize("test", TESTS)
def test_one_document_shows_nothing(test: str) -> None:
    """However large its difference is."""
    assert p_of(test, np.array([1.0]), np.array([0.0])) == 1.0


@pytest.mark.parametrize("test", TESTS)
def test_swapping_the_systems_changes_no_p(test: str) -> None:
    """The tests are two-sided, and draws treat both sides alike."""
    for seed in range(20):
        first, second = shares(seed, 30).T
        assert p_of(test, first, second) == pytest.approx(p_of(test, second, first), abs=1e-12)


@pytest.mark.parametrize("test", TESTS)
def test_a_document_that_does_not_count_is_as_if_it_were_not_there(test: str) -> None:
    """NaN on either side takes the document out of the pair."""
    first, second = shares(3, 30).T
    with_gaps = np.insert(first, [4, 9], [np.nan, 0.5]), np.insert(second, [4, 9], [0.5, np.nan])
    assert p_of(test, *with_gaps) == p_of(test, first, second)


def test_a_gap_in_one_system_leaves_the_other_pairs_alone() -> None:
    """Documents are removed from pairs, never from columns."""
    values = shares(4, 50, systems=3)
    holed = values.copy()
    holed[:10, 2] = np.nan
    whole = randomisation(values, [(0, 1)], permutations=300)
    assert randomisation(holed, [(0, 1), (0, 2)], permutations=300)[0] == whole[0]
    assert [o.documents for o in randomisation(holed, [(0, 1), (0, 2)], permutations=300)] == [50, 40]


def test_no_document_in_common_is_no_error() -> None:
    """There is nothing to find, and that is what p says."""
    values = np.array([[0.5, np.nan], [np.nan, 0.5]])
    assert randomisation(values, [(0, 1)])[0].documents == 0
    assert randomisation(values, [(0, 1)])[0].p == 1.0
    assert bootstrap(values, [(0, 1)]) == [None]
    assert t_test(values[:, 0], values[:, 1]).p == 1.0
    assert wilcoxon(values[:, 0], values[:, 1]).p == 1.0
    assert t_interval(values[:, 0], values[:, 1]) is None
    assert effect(values[:, 0], values[:, 1]) is None


@pytest.mark.parametrize("documents", [2, 7, 36, 500])
def test_the_t_test_is_that_of_scipy(documents: int) -> None:
    """And so is its interval."""
    from scipy.stats import ttest_rel

    first, second = shares(documents, documents).T + np.arange(2)[:, None] / 1000
    expected = ttest_rel(first, second)
    assert t_test(first, second).p == pytest.approx(expected.pvalue, rel=1e-8)
    interval = t_interval(first, second, level=0.9)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(tuple(expected.confidence_interval(0.9)), abs=1e-9)


def test_a_constant_difference_is_the_limit_of_the_t_test() -> None:
    """No deviation, so that any chance is ruled out; and no Cohen's d."""
    first, second = np.full(5, 0.3), np.full(5, 0.2)
    assert t_test(first, second).p == 0.0
    found = effect(first, second)
    assert found is not None
    assert found.d_z is None


@pytest.mark.parametrize("zeros", ["pratt", "drop"])
@pytest.mark.parametrize("documents", [5, 8, 200])
@pytest.mark.slow
def test_the_signed_rank_test_is_that_of_scipy(zeros: str, documents: int) -> None:
    """Exact for few documents, also with ties, and normal for many."""
    from scipy.stats import PermutationMethod
    from scipy.stats import wilcoxon as reference

    for seed in range(3):
        values = np.round(shares(seed, documents) * 5)
        first, second = values.T
        if not (first != second).any():
            continue
        method = PermutationMethod(n_resamples=np.inf) if documents < 20 else "approx"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = reference(
                first - second, zero_method={"pratt": "pratt", "drop": "wilcox"}[zeros], method=method
            )
        found = wilcoxon(first, second, zeros=zeros)  # type: ignore[arg-type]
        assert found.p == pytest.approx(expected.pvalue, rel=1e-9)
        assert found.documents == documents


def test_the_signed_rank_test_by_hand() -> None:
    """Differences 1, 2, 3: the rank sum 6 is the largest of 8 patterns, and so is 0: p = 2/8."""
    assert wilcoxon(np.array([1.0, 2, 3]), np.zeros(3)).p == 0.25
    # Differences 0, 1, -2, 3: with Pratt the ranks are (1), 2, 3, 4; |6 - 3| = 3 of at most 9 from the middle
    # 4.5: the sums 0, 2, 3, 4, 5, 6, 7, 9 lie 4.5, 2.5, 1.5, .5, .5, 1.5, 2.5, 4.5 away; six are >= 1.5.
    assert wilcoxon(np.array([0.0, 1, 0, 3]), np.array([0.0, 0, 2, 0])).p == 0.75
    # Dropped, the ranks are 1, 2, 3 and the positive ones sum to 4: of 0 1 2 3 3 4 5 6 six are as far from 3.
    assert wilcoxon(np.array([0.0, 1, 0, 3]), np.array([0.0, 0, 2, 0]), zeros="drop").p == 0.75


def test_rounding_does_not_break_ties_of_ranks() -> None:
    """0.3 - 0.1 is 0.19999999999999998 to a computer and must tie with 0.2 - 0."""
    assert wilcoxon(np.array([0.3, 0.0]), np.array([0.1, 0.2])).p == 1.0


def brute_force(values: Array, aggregate: Callable[[Array], float]) -> float:
    """The exact p of the randomisation test, swap by swap."""
    observed = abs(aggregate(values[:, 0]) - aggregate(values[:, 1]))
    count = total = 0
    for swaps in itertools.product((False, True), repeat=len(values)):
        swapped = values.copy()
        swapped[list(swaps)] = swapped[list(swaps)][:, ::-1]
        total += 1
        count += abs(aggregate(swapped[:, 0]) - aggregate(swapped[:, 1])) >= observed - 1e-12
    return count / total


@pytest.mark.parametrize("documents", [1, 3, 8])
def test_few_documents_are_enumerated(documents: int) -> None:
    """The exact test is brute force over all swaps, ties included."""
    for seed in range(5):
        values = shares(seed, documents)
        (found,) = randomisation(values, [(0, 1)])
        assert found.exact
        assert found.p == pytest.approx(brute_force(values, lambda column: float(column.mean())), abs=1e-15)


@pytest.mark.parametrize("aggregate", [F1, HARMONIC])
def test_measures_that_are_no_mean_are_enumerated_as_well(aggregate: Aggregate) -> None:
    """The counts of a document are swapped together."""
    chance = np.random.default_rng(5)
    values = np.stack(
        [chance.integers(0, 4, (7, 2)), chance.integers(4, 9, (7, 2)), np.full((7, 2), 5)], axis=2
    ).astype(float)

    def score(column: Array) -> float:
        whole = column.sum(axis=0) if aggregate.over == "sums" else column.mean(axis=0)
        assert aggregate.value is not None
        return aggregate.value(tuple(whole))

    (found,) = randomisation(values, [(0, 1)], aggregate=aggregate)
    assert found.p == pytest.approx(brute_force(values, score), abs=1e-15)


def test_an_exact_p_by_hand() -> None:
    """Differences 1, 1, 1: two of eight swaps are as extreme. Differences 1, 1, -1: all of them are."""
    assert randomisation(np.array([[1.0, 0]] * 3), [(0, 1)])[0].p == 0.25
    assert randomisation(np.array([[1.0, 0], [1, 0], [0, 1]]), [(0, 1)])[0].p == 1.0


def test_sampled_swaps_agree_with_all_swaps() -> None:
    """p of 12 documents by 4,000 draws lies within four standard errors of the exact one."""
    values = shares(11, 12)
    exact = randomisation(values, [(0, 1)])[0]
    drawn = randomisation(values, [(0, 1)], permutations=4000)[0]
    assert exact.exact and not drawn.exact
    assert abs(exact.p - drawn.p) < 4 * math.sqrt(exact.p * (1 - exact.p) / 4000)


@pytest.mark.parametrize("seed", range(4))
def test_the_randomisation_test_is_that_of_scipy(seed: int) -> None:
    """Both draw, so that their p agree to four standard errors of the difference."""
    from scipy.stats import permutation_test

    first, second = shares(seed, 60).T
    expected = permutation_test(
        (first, second),
        lambda a, b, axis: (a - b).mean(axis=axis),
        permutation_type="samples",
        n_resamples=20_000,
        vectorized=True,
        rng=np.random.default_rng(1),
    ).pvalue
    found = randomisation(np.column_stack((first, second)), [(0, 1)], permutations=20_000)[0].p
    assert abs(found - expected) < 4 * math.sqrt(2 * expected * (1 - expected) / 20_000)


def test_a_sampled_p_counts_the_observed_assignment() -> None:
    """(hits + 1) / (draws + 1): never 0."""
    values = np.column_stack((np.ones(200), np.zeros(200)))
    assert randomisation(values, [(0, 1)], permutations=999)[0].p == 0.001


def test_the_draws_do_not_depend_on_which_pairs_are_tested() -> None:
    """One pair alone, or among all pairs: the same p; and the same whether a pair is turned around."""
    values = shares(8, 100, systems=5)
    pairs = list(itertools.permutations(range(5), 2))
    together = randomisation(values, pairs, permutations=700)
    assert together == [randomisation(values, [pair], permutations=700)[0] for pair in pairs]
    assert [together[pairs.index((b, a))] for a, b in pairs] == together


def test_batches_do_not_show() -> None:
    """A test in several batches of draws gives what a test in one gives."""
    from kpframe.statistics import _significance_draws as draws

    values = shares(9, 90, systems=3)
    whole = randomisation(values, [(0, 1), (1, 2)], permutations=1000)
    resampled = bootstrap(values, [(0, 1), (1, 2)], resamples=1000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draws, "_CELLS", 90 * 64)
        assert randomisation(values, [(0, 1), (1, 2)], permutations=1000) == whole
        again = bootstrap(values, [(0, 1), (1, 2)], resamples=1000)
    assert [(r.p, r.documents) for r in again if r] == [(r.p, r.documents) for r in resampled if r]


def test_another_seed_draws_otherwise_and_the_same_seed_alike() -> None:
    """Draws come from the seed alone."""
    values = shares(8, 100)
    first, same, other = (randomisation(values, [(0, 1)], seed=seed)[0].p for seed in (1, 1, 2))
    assert first == same != other


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=9))
def test_scaling_by_a_fraction_breaks_no_tie(pairs: list[tuple[int, int]]) -> None:
    """Sevenths of whole numbers are rounded; exact p must be those of the whole numbers."""
    whole = np.array(pairs, dtype=float)
    assert randomisation(whole / 7, [(0, 1)]) == randomisation(whole, [(0, 1)])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 60))
def test_every_p_is_a_probability(seed: int, documents: int) -> None:
    """Above 0 where chance plays a part, and at most 1."""
    first, second = shares(seed, documents).T
    assert all(0 <= p_of(test, first, second) <= 1 for test in TESTS)


@pytest.mark.slow
def test_the_bootstrap_covers_the_truth() -> None:
    """The 95 % interval holds the true difference in 93 to 97 of 100 simulated corpora of 100 documents."""
    chance = np.random.default_rng(7)
    covered = 0
    for number in range(400):
        second = chance.random(100)
        values = np.column_stack((second + chance.normal(0.05, 0.2, 100), second))
        found = bootstrap(values, [(0, 1)], resamples=800, seed=number)[0]
        assert found is not None
        covered += found.low <= 0.05 <= found.high
    assert 0.92 <= covered / 400 <= 0.975


def test_the_bootstrap_of_a_mean_has_its_standard_error() -> None:
    """Which is sqrt((n - 1) / n) of s / sqrt(n), because resamples are drawn from the sample itself."""
    values = shares(2, 200)
    differences = values[:, 0] - values[:, 1]
    found = bootstrap(values, [(0, 1)], resamples=8000)[0]
    assert found is not None
    assert found.error == pytest.approx(differences.std(ddof=0) / math.sqrt(200), rel=0.04)
    assert found.p == pytest.approx(t_test(values[:, 0], values[:, 1]).p, abs=0.02)


def test_the_bootstrap_of_a_micro_average_resamples_documents() -> None:
    """Its interval holds the difference of the whole; equal systems have p = 1 and an interval of 0."""
    chance = np.random.default_rng(1)
    hits = chance.binomial(10, [[0.3, 0.25, 0.3]] * 80)
    hits[:, 2] = hits[:, 0]
    values = np.stack([hits, np.full((80, 3), 10), np.full((80, 3), 8)], axis=2).astype(float)
    ours, equal = bootstrap(values, [(0, 1), (0, 2)], aggregate=F1, resamples=2000)
    assert ours is not None and equal is not None
    difference = 2 * (hits[:, 0].sum() - hits[:, 1].sum()) / (80 * 18)
    assert ours.low < difference < ours.high
    assert (equal.p, equal.low, equal.high) == (1.0, 0.0, 0.0)


def test_corrections_by_hand() -> None:
    """p of .01, .04, .03 and .005, in this order."""
    p = [0.01, 0.04, 0.03, 0.005]
    assert correct(p, "none") == p
    assert correct(p, "bonferroni") == pytest.approx([0.04, 0.16, 0.12, 0.02])
    assert correct(p, "holm") == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert correct(p, "bh") == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert correct([0.6, 0.7], "bonferroni") == [1.0, 1.0]
    assert correct([], "holm") == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrections_keep_the_order_and_never_help(p: list[float]) -> None:
    """Smaller p stay smaller, no correction lowers p, and Holm lies between none and Bonferroni."""
    none, bonferroni, holm, bh = (correct(p, m) for m in ("none", "bonferroni", "holm", "bh"))  # type: ignore[arg-type]
    for corrected in (bonferroni, holm, bh):
        order = np.argsort(p, kind="stable")
        assert (np.diff(np.array(corrected)[order]) >= 0).all()
        assert all(raw <= c + 1e-15 and c <= 1 for raw, c in zip(none, corrected, strict=True))
    assert all(b <= h + 1e-15 <= f + 2e-15 for b, h, f in zip(bh, holm, bonferroni, strict=True))


@pytest.mark.slow
def test_corrections_are_those_of_statsmodels() -> None:
    """Holm, Bonferroni and Benjamini-Hochberg."""
    multitest = pytest.importorskip("statsmodels.stats.multitest", reason="statsmodels is not installed")
    p = np.random.default_rng(3).random(30) ** 3
    for ours, theirs in (("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")):
        expected = multitest.multipletests(p, method=theirs)[1]
        assert correct(list(p), ours) == pytest.approx(list(expected), abs=1e-12)  # type: ignore[arg-type]


def test_an_unknown_correction_is_refused() -> None:
    """With the names that there are."""
    with pytest.raises(SpecError) as error:
        correct([0.5], "sidak")  # type: ignore[arg-type]
    assert str(error.value) == "correction: is unknown: 'sidak'; use none, bonferroni, holm or bh"


def test_draws_must_be_drawn() -> None:
    """No permutations, no test."""
    with pytest.raises(SpecError) as error:
        randomisation(shares(1, 3), [(0, 1)], permutations=0)
    assert str(error.value) == "permutations: must be at least 1, not 0; 10000 is usual"


def test_effect_sizes_by_hand() -> None:
    """Differences .2, 0, .4, -.2: mean .1, deviation sqrt(.2 / 3); two wins, a tie, a loss."""
    found = effect(np.array([0.4, 0.5, 0.8, 0.1]), np.array([0.2, 0.5, 0.4, 0.3]))
    assert isinstance(found, Effect)
    assert found.difference == pytest.approx(0.1)
    assert found.relative == pytest.approx(0.1 / 0.35)
    assert found.deviation == pytest.approx(math.sqrt(0.2 / 3))
    assert found.d_z == pytest.approx(0.1 / math.sqrt(0.2 / 3))
    assert (found.wins, found.ties, found.losses, found.superiority) == (2, 1, 1, 0.625)


def test_undefined_effect_sizes_are_none() -> None:
    """No base, no deviation."""
    found = effect(np.array([0.5]), np.array([0.0]))
    assert found is not None
    assert (found.relative, found.deviation, found.d_z) == (None, None, None)
    equal = effect(np.zeros(3), np.zeros(3))
    assert equal is not None
    assert (equal.d_z, equal.superiority) == (0.0, 0.5)


@pytest.mark.parametrize("documents", [3, 5, 30, 500, 5000])
def test_power_is_that_of_statsmodels(documents: int) -> None:
    """The minimum detectable difference, its power, and the documents that it needs."""
    power = pytest.importorskip("statsmodels.stats.power", reason="statsmodels is not installed").TTestPower()
    found = minimum_detectable_difference(documents, 0.2)
    assert found is not None
    assert found == pytest.approx(0.2 * power.solve_power(nobs=documents, alpha=0.05, power=0.8), rel=1e-4)
    assert power_of_t_test(0.1, documents) == pytest.approx(power.power(0.1, documents, 0.05), abs=1e-9)
    assert documents_needed(found * 1.0000001, 0.2) == documents


@pytest.mark.slow
def test_documents_needed_for_a_known_case() -> None:
    """d = .5, level .05 and power .8 need 34 pairs (G*Power, difference between two dependent means)."""
    assert documents_needed(0.5, 1.0) == 34
    assert documents_needed(-0.5, 1.0) == 34
    assert documents_needed(0.5, 0.0) == 2
    assert documents_needed(0.0, 1.0) is None
    assert documents_needed(1e-9, 1.0) is None


def test_a_single_document_detects_nothing() -> None:
    """There is no deviation to measure a difference by."""
    assert minimum_detectable_difference(1, 0.2) is None
    assert power_of_t_test(3.0, 1) == 0.0
    found = minimum_detectable_difference(2, 1.0)
    assert found is not None
    assert power_of_t_test(found, 2) == pytest.approx(0.8)


@pytest.mark.slow
def test_the_tests_keep_their_level() -> None:
    """Of 300 corpora in which two systems are alike, about 5 % are found to differ at .05."""
    wrong = dict.fromkeys(TESTS, 0)
    for seed in range(300):
        first, second = shares(seed, 60).T
        for test in TESTS:
            wrong[test] += p_of(test, first, second) <= 0.05
    assert all(0.02 <= count / 300 <= 0.085 for count in wrong.values())
