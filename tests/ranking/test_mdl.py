"""Discretisation by minimum description length."""

from __future__ import annotations

import numpy as np
import pytest

from kpframe.ranking._mdl import bins, cut_points


def cuts(values: list[float], labels: list[int]) -> list[float]:
    """The cut points of small lists."""
    return cut_points(np.array(values, dtype=np.float64), np.array(labels, dtype=np.int8))


def test_a_clean_step_is_cut_in_its_middle() -> None:
    """n = 4: gain 1 > [log2 3 + log2 7 - (2·1 - 0 - 0)] / 4 = .598; cut between 2 and 3."""
    assert cuts([1, 2, 3, 4], [0, 0, 1, 1]) == [2.5]


def test_two_examples_of_two_classes_are_cut() -> None:
    """n = 2: gain 1 > [log2 1 + log2 7 - 2] / 2 = .404."""
    assert cuts([1, 2], [0, 1]) == [1.5]


def test_a_gain_that_does_not_pay_is_not_cut() -> None:
    """n = 4: gain .311 < [log2 3 + log2 7 - (2·1 - 1·0 - 2·.918)] / 4 = 1.057."""
    assert cuts([1, 2, 3, 4], [0, 1, 0, 1]) == []


def test_a_cut_range_is_cut_again() -> None:
    """Twenty times 0, 1 and 0 again: gain .252 > [log2 59 + log2 7 - (2·.918 - 0 - 2·1)] / 60 = .148."""
    values = [float(v) for v in range(60)]
    assert cuts(values, [0] * 20 + [1] * 20 + [0] * 20) == [19.5, 39.5]


def test_the_same_shape_with_fewer_examples_is_not_cut() -> None:
    """Eight of each: gain .252 < [log2 23 + log2 7 - (2·.918 - 0 - 2·1)] / 24 = .312."""
    assert cuts([float(v) for v in range(24)], [0] * 8 + [1] * 8 + [0] * 8) == []


@pytest.mark.parametrize("labels", [[0, 0, 0], [1, 1, 1]])
def test_a_single_class_has_nothing_to_tell_apart(labels: list[int]) -> None:
    """One bin."""
    assert cuts([1, 2, 3], labels) == []


def test_equal_values_cannot_be_cut() -> None:
    """Whatever their labels."""
    assert cuts([2, 2, 2, 2], [0, 0, 1, 1]) == []


@pytest.mark.parametrize("size", [0, 1])
def test_too_few_values_have_no_cut(size: int) -> None:
    """None and one."""
    assert cuts([1.0] * size, [1] * size) == []


def test_the_order_of_the_examples_does_not_matter() -> None:
    """A permutation has the same cuts."""
    draw = np.random.default_rng(0)
    values = np.round(draw.normal(size=300), 1)
    labels = (values + draw.normal(size=300) > 0.5).astype(np.int8)
    order = draw.permutation(300)
    assert cut_points(values, labels) == cut_points(values[order], labels[order])
    assert len(cut_points(values, labels)) >= 1


def test_neighbouring_floats_can_be_parted() -> None:
    """Where no number lies between two values, the lower one is the cut."""
    low = 1.0
    high = float(np.nextafter(low, 2))
    found = cuts([low] * 4 + [high] * 4, [0] * 4 + [1] * 4)
    assert found == [low]
    assert bins(np.array([low, high]), found).tolist() == [0, 1]


def test_a_value_equal_to_a_cut_lies_below_it() -> None:
    """Bins are open at their lower end."""
    assert bins(np.array([0.0, 2.5, 2.6, 9.0]), [2.5, 7.0]).tolist() == [0, 0, 1, 2]


def _entropy(labels: np.ndarray) -> float:
    shares = np.bincount(labels) / len(labels)
    return float(-sum(p * np.log2(p) for p in shares if p))


def _reference(values: np.ndarray, labels: np.ndarray) -> list[float]:
    """Fayyad & Irani written down as a recursion over all midpoints."""
    distinct = np.unique(values)
    if len(distinct) < 2:
        return []
    size, whole = len(labels), _entropy(labels)
    options = []
    for cut in (distinct[1:] + distinct[:-1]) / 2:
        low, high = labels[values <= cut], labels[values > cut]
        gain = whole - (len(low) * _entropy(low) + len(high) * _entropy(high)) / size
        options.append((gain, -cut, low, high))
    gain, negative_cut, low, high = max(options, key=lambda option: (round(option[0], 12), option[1]))
    spared = sum(
        sign * len(set(part)) * _entropy(part) for sign, part in ((1, labels), (-1, low), (-1, high))
    )
    if gain <= (np.log2(size - 1) + np.log2(3 ** len(set(labels)) - 2) - spared) / size:
        return []
    below = values <= -negative_cut
    left, right = _reference(values[below], labels[below]), _reference(values[~below], labels[~below])
    return sorted([*left, -negative_cut, *right])


@pytest.mark.parametrize("seed", range(8))
def test_it_agrees_with_the_definition(seed: int) -> None:
    """Against the recursion spelled out, on data with several steps."""
    draw = np.random.default_rng(seed)
    values = np.round(draw.random(120), 2)
    labels = ((np.sin(values * 9) + draw.normal(0, 0.4, 120)) > 0.2).astype(np.int8)
    assert cut_points(values, labels) == pytest.approx(_reference(values, labels))
