"""Naive Bayes over bins."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kpframe.ranking._naive_bayes import NaiveBayes


def fit(rows: list[list[int]], labels: list[int], sizes: list[int]) -> NaiveBayes:
    """A classifier from small lists."""
    return NaiveBayes.fit(np.array(rows), np.array(labels, dtype=np.int8), sizes)


def test_probabilities_by_hand() -> None:
    """Negatives in bins 0 0 1, a positive in 1: for bin 1, (2/6·2/3) / (2/6·2/3 + 4/6·2/5) = 5/11."""
    model = fit([[0], [0], [1], [1]], [0, 0, 0, 1], [2])
    assert model.classes == (3, 1)
    assert model.bins == (((2, 1), (0, 1)),)
    assert model.probabilities(np.array([[0], [1]])) == pytest.approx([5 / 23, 5 / 11])


def test_a_bin_never_seen_has_a_small_probability_not_none() -> None:
    """Laplace's correction: one of (3 + 3) and one of (1 + 3)."""
    model = fit([[0], [0], [1], [1]], [0, 0, 0, 1], [3])
    assert model.probabilities(np.array([[2]])) == pytest.approx([(2 / 6 / 4) / (2 / 6 / 4 + 4 / 6 / 6)])


@pytest.mark.parametrize("seed", range(5))
def test_it_agrees_with_scikit_learn(seed: int) -> None:
    """CategoricalNB with alpha = 1 and our smoothed prior."""
    from sklearn.naive_bayes import CategoricalNB

    draw = np.random.default_rng(seed)
    sizes = [4, 1, 7]
    rows = np.column_stack([draw.integers(0, size, 200) for size in sizes])
    labels = (draw.random(200) < 0.1 + 0.1 * rows[:, 0]).astype(np.int8)
    negatives, positives = np.bincount(labels, minlength=2)
    prior = [(negatives + 1) / 202, (positives + 1) / 202]
    other = CategoricalNB(alpha=1.0, min_categories=sizes, class_prior=prior).fit(rows, labels)
    ours = NaiveBayes.fit(rows, labels, sizes).probabilities(rows)
    assert ours == pytest.approx(other.predict_proba(rows)[:, 1].tolist(), abs=1e-12)


@pytest.mark.parametrize(("label", "expected"), [(0, 1 / 5), (1, 4 / 5)])
def test_a_single_class_is_no_certainty(label: int, expected: float) -> None:
    """Three examples of one class: its prior is 4/5 and, with one bin, nothing else counts."""
    assert fit([[0]] * 3, [label] * 3, [1]).probabilities(np.array([[0]])) == pytest.approx([expected])


def test_extreme_odds_do_not_overflow() -> None:
    """Two hundred features that all say no, and all say yes."""
    rows = [[0] * 200] * 50 + [[1] * 200] * 50
    model = fit(rows, [0] * 50 + [1] * 50, [2] * 200)
    no, yes = model.probabilities(np.array([rows[0], rows[-1]]))
    assert 0.0 <= no < 1e-9
    assert yes == pytest.approx(1.0)


def test_equal_rows_have_equal_probabilities() -> None:
    """To the last bit, so that they are ordered by what comes next."""
    model = fit([[0, 1], [1, 0], [1, 1], [0, 0]], [0, 1, 1, 0], [2, 2])
    assert len(set(model.probabilities(np.array([[1, 0]] * 9)))) == 1


def test_the_state_is_json() -> None:
    """Written and read, the classifier is the same."""
    model = fit([[0, 2], [1, 0], [1, 1]], [0, 1, 0], [2, 3])
    again = NaiveBayes.from_state(json.loads(json.dumps(model.to_state())))
    assert (again.classes, again.bins) == (model.classes, model.bins)
