"""Keyphrase perplexity, reliability bins and calibration errors."""

from __future__ import annotations

import json
import math
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.errors import DataError
from kpframe.statistics.calibration import (
    Closed,
    Distribution,
    Reliability,
    bin_edges,
    confidence,
    keyphrase_perplexity,
    token_positions,
)

ROOT = Path(__file__).resolve().parents[2]
ORACLES = ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets") / "../reference/oracles"
needs_oracles = pytest.mark.skipif(
    not (ORACLES / "ece.json").is_file(), reason=f"the figures of other libraries are not in {ORACLES}"
)
SETS = ("synthetic600", "bin_edges", "all_in_one_bin", "perfect")
CLOSURES: tuple[Closed, ...] = ("left", "right")

items = st.lists(
    st.tuples(st.one_of(st.floats(0, 1), st.integers(0, 20).map(lambda i: i / 20)), st.booleans()),
    max_size=40,
)


@cache
def oracle(name: str) -> dict[str, Any]:
    """A set of confidences with what other libraries make of it."""
    found: dict[str, Any] = json.loads((ORACLES / "ece.json").read_text(encoding="utf-8"))["sets"][name]
    return found


def reliability(name: str, **options: Any) -> Reliability:
    """The reliability of a set."""
    given_set = oracle(name)
    return Reliability.of(zip(given_set["confidence"], given_set["correct"], strict=True), **options)


def test_the_perplexity_of_a_keyphrase_is_the_inverse_geometric_mean() -> None:
    """(1/2 · 1/8)^(-1/2) = 4; the confidence is 1/4."""
    assert keyphrase_perplexity([0.5, 0.125]) == pytest.approx(4, rel=1e-15)
    assert confidence([0.5, 0.125]) == pytest.approx(0.25, rel=1e-15)
    assert keyphrase_perplexity([1.0, 1]) == confidence([1.0]) == 1.0


@needs_oracles
def test_perplexities_are_those_of_the_reference() -> None:
    """600 keyphrases of one to several tokens; the confidences of the set are their inverses."""
    known = oracle("synthetic600")
    for probabilities, kpp, sure in zip(
        known["token_probabilities"], known["kpp"], known["confidence"], strict=True
    ):
        assert keyphrase_perplexity(probabilities) == pytest.approx(kpp, rel=1e-12)
        assert confidence(probabilities) == pytest.approx(sure, rel=1e-12)


def test_a_long_keyphrase_does_not_vanish() -> None:
    """The product of a thousand probabilities of 0.01 is no number above 0, its root is."""
    assert math.prod([0.01] * 1000) == 0.0
    assert keyphrase_perplexity([0.01] * 1000) == pytest.approx(100, rel=1e-12)


@pytest.mark.parametrize("wrong", [0.0, -0.7, 1.5, math.nan, "a", True])
def test_what_is_no_probability_is_refused(wrong: Any) -> None:
    """Logarithms given by mistake are the usual case."""
    for function in (keyphrase_perplexity, confidence):
        with pytest.raises(DataError) as caught:
            function([0.5, wrong])
        assert str(caught.value) == (
            f"token probabilities: {wrong!r} is not a number above 0 and at most 1; "
            "give probabilities, not logarithms"
        )


def test_a_keyphrase_without_tokens_has_no_perplexity() -> None:
    """Nor has one whose perplexity no number can hold."""
    with pytest.raises(DataError) as caught:
        keyphrase_perplexity([])
    assert str(caught.value) == "token probabilities: there are none; give one for each model token"
    with pytest.raises(DataError) as caught:
        keyphrase_perplexity([5e-324])
    assert str(caught.value) == (
        "token probabilities: the perplexity is too large for a number; check the probabilities"
    )


@needs_oracles
@pytest.mark.parametrize("name", SETS)
def test_the_errors_are_those_of_netcal_and_scikit_learn(name: str) -> None:
    """Closed at the left: netcal, scipy; at the right: scikit-learn, uncertainty-calibration."""
    known = oracle(name)
    left, right = (reliability(name, closed=closed) for closed in CLOSURES)
    assert left.ece == pytest.approx(known["netcal_ECE_10_detection"], abs=1e-12)
    assert left.ece == pytest.approx(known["scipy_binned_statistic_ece_10"], abs=1e-12)
    assert left.mce == pytest.approx(known["netcal_MCE_10_detection"], abs=1e-12)
    assert right.ece == pytest.approx(known["sklearn_calibration_curve_ece_10"], abs=1e-12)
    assert right.ece == pytest.approx(known["uncertainty_calibration_plugin_ce_p1_10"], abs=1e-12)
    for bins in (5, 15, 20):
        theirs = known[f"netcal_ECE_{bins}_detection"]
        assert reliability(name, bins=bins).ece == pytest.approx(theirs, abs=1e-12)


@needs_oracles
@pytest.mark.parametrize("name", SETS)
def test_the_bins_are_those_of_scipy(name: str) -> None:
    """Numbers, accuracy and mean confidence of each bin; nothing in an empty one."""
    known, found = oracle(name), reliability(name)
    assert list(found.numbers) == known["scipy_bin_counts"]
    for ours, key in (("accuracy", "scipy_bin_acc"), ("confidence", "scipy_bin_conf")):
        for one, theirs in zip(found.bins, known[key], strict=True):
            value = getattr(one, ours)
            assert (value is None) if theirs is None else value == pytest.approx(theirs, abs=1e-12)


@needs_oracles
def test_the_errors_are_those_of_the_paper_where_it_has_any() -> None:
    """The authors' program fails where a confidence is 1; it prints percent."""
    for name in ("synthetic600", "all_in_one_bin"):
        known, found = oracle(name)["kundu_authors_code_10"], reliability(name)
        assert [100 * float(e or 0) for e in (found.ece, found.mce)] == pytest.approx(
            [known["ece_percent"], known["mce_percent"]], abs=1e-10
        )


@needs_oracles
def test_scikit_learn_draws_the_same_diagram() -> None:
    """calibration_curve leaves empty bins out; its bins are closed at the right."""
    from sklearn.calibration import calibration_curve

    for name in SETS:
        known = oracle(name)
        accuracy, mean = calibration_curve(known["correct"], known["confidence"], n_bins=10)
        bins = [b for b in reliability(name, closed="right").bins if b.n]
        assert [b.accuracy for b in bins] == pytest.approx(list(accuracy), abs=1e-12)
        assert [b.confidence for b in bins] == pytest.approx(list(mean), abs=1e-12)


def test_an_edge_belongs_to_one_bin_by_the_stated_rule() -> None:
    """0.5 of two bins; 0 and 1 are always inside."""
    scores = [(0.0, 0), (0.5, 1), (1.0, 1)]
    assert Reliability.of(scores, bins=2).numbers == (1, 2)
    assert Reliability.of(scores, bins=2, closed="right").numbers == (2, 1)


def test_the_edges_are_those_of_numpy() -> None:
    """To the last bit, so that a decimal on an edge falls where it does elsewhere."""
    import numpy as np

    for bins in range(1, 40):
        assert list(bin_edges(bins)) == np.linspace(0, 1, bins + 1).tolist()
    assert bin_edges(10)[3] > 0.3
    assert Reliability.of([(0.3, 1), (0.5, 1)]).numbers == (0, 0, 1, 0, 0, 1, 0, 0, 0, 0)


def test_nothing_has_no_error() -> None:
    """No item: neither error nor value in a bin."""
    none = Reliability.of([])
    assert (none.n, none.ece, none.mce) == (0, None, None)
    assert none.to_json()["bins"][0] == {
        "low": 0.0,
        "high": 0.1,
        "n": 0,
        "correct": 0,
        "confidence": None,
        "accuracy": None,
    }


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan])
def test_a_confidence_outside_the_unit_interval_is_refused(value: float) -> None:
    """Never clipped."""
    with pytest.raises(DataError) as caught:
        Reliability.of([(value, True)])
    assert str(caught.value) == f"confidence: {value!r} is not in 0 … 1; give probabilities"


def test_there_must_be_a_bin() -> None:
    """None is an error."""
    with pytest.raises(DataError, match="bins: 0 is not at least 1; 10 is usual"):
        Reliability.of([], bins=0)


@settings(deadline=None)
@given(items, st.integers(1, 30), st.sampled_from(CLOSURES))
@pytest.mark.slow
def test_the_expected_error_is_at_most_the_maximum_error(
    given_items: list[tuple[float, bool]], bins: int, closed: Closed
) -> None:
    """And both lie in 0 … 1."""
    found = Reliability.of(given_items, bins=bins, closed=closed)
    if not given_items:
        assert found.ece is found.mce is None
        return
    assert found.ece is not None and found.mce is not None
    assert 0 <= found.ece <= found.mce + 1e-15
    assert found.mce <= 1
    assert found.n == len(given_items)


@settings(deadline=None)
@given(items, st.randoms(use_true_random=False), st.sampled_from(CLOSURES))
@pytest.mark.slow
def test_the_order_of_the_items_changes_nothing(
    given_items: list[tuple[float, bool]], random: Any, closed: Closed
) -> None:
    """Not in the last bit."""
    shuffled = list(given_items)
    random.shuffle(shuffled)
    assert Reliability.of(shuffled, closed=closed) == Reliability.of(given_items, closed=closed)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 8), st.integers(0, 8)), max_size=6))
@pytest.mark.slow
def test_perfect_calibration_has_no_error(groups: list[tuple[int, int]]) -> None:
    """Of n items with a confidence of k/n, k are correct."""
    scores = []
    for n, k in groups:
        right = min(n, k)
        scores += [(right / n, i < right) for i in range(n)]
    assert Reliability.of(scores).ece == (pytest.approx(0, abs=1e-12) if scores else None)


def test_the_places_of_tokens_are_told_apart() -> None:
    """Two present phrases, one absent; the third token of the longest is beyond two places."""
    found = token_positions([([0.5, 0.9], True), ([0.7], True), ([0.2, 0.4, 0.6], False)], positions=2)
    assert [d.n for d in found["present"]] == [2, 1]
    assert found["present"][0].mean == pytest.approx(0.6)
    assert found["absent"][1] == Distribution(1, 0.4, (0.4, 0.4, 0.4, 0.4, 0.4))
    assert token_positions([])["absent"] == (Distribution(0, None, None),) * 5
    assert Distribution.of([]).to_json() == {"n": 0, "mean": None, "quartiles": None}


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
@pytest.mark.slow
def test_quartiles_are_those_of_numpy(values: list[float]) -> None:
    """By linear interpolation."""
    import numpy as np

    found = Distribution.of(values)
    theirs = np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist()
    assert list(found.quartiles or ()) == pytest.approx(theirs, abs=1e-12)
    assert found.to_json()["quartiles"] == list(found.quartiles or ())
