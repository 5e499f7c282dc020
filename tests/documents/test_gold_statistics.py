"""Figures about gold keyphrases, worked by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpframe.analysis.gold_statistics import GoldStatistics, GoldTally
from kpframe.analysis.text_statistics import statistics
from kpframe.evaluation.predictions import Pair
from kpframe.evaluation.scoring import chosen_measures, score_measures
from kpframe.model import Document, Gold
from kpframe.statistics.oracle_bounds import CUTOFFS, Bound, oracle_bound

pytestmark = pytest.mark.slow

SIZES = st.dictionaries(st.integers(0, 40), st.integers(1, 9), max_size=8)


def document(text: str, *gold: str | tuple[str, ...], split: str = "") -> Document:
    """A document with gold keyphrases, some with several forms; its id is its text."""
    forms = ((g,) if isinstance(g, str) else g for g in gold)
    return Document(text, text, gold=tuple(map(Gold, forms)), metadata={"split": split} if split else {})


def of(*documents: Document) -> GoldStatistics:
    """The statistics of a few documents."""
    return statistics(documents).keyphrases


def test_means_and_variances_by_hand() -> None:
    """Gold 1, 3, 0 and present 1, 1, 0: variances (10 · 3 - 16) / 9 and (2 · 3 - 4) / 9."""
    made = of(document("red kite", "kite"), document("an owl", "owl", "heron", "stork"), document("b"))
    assert made.sizes == {(1, 1): 1, (3, 1): 1, (0, 0): 1}
    assert [made.total(s) for s in ("all", "present", "absent")] == [4, 2, 2]
    assert [made.share(s) for s in ("all", "present", "absent")] == [1.0, 0.5, 0.5]
    assert [made.documents_with(s) for s in ("all", "present", "absent")] == [2, 2, 1]
    assert [made.documents_without(s) for s in ("all", "present", "absent")] == [1, 1, 2]
    assert made.mean("all") == 4 / 3 and made.variance("all") == 14 / 9
    assert made.mean("present") == 2 / 3 and made.variance("present") == 2 / 9
    assert made.sizes_of("absent") == {0: 2, 2: 1}


def test_lengths_are_those_of_the_preferred_forms() -> None:
    """One to four tokens are usual."""
    made = of(document("t", "a", "a b c d", ("a b c d e", "f"), "a-b"))
    assert made.lengths == {1: 2, 4: 1, 5: 1}
    assert made.usual_length_share == 0.75


def test_a_duplicate_has_the_stems_of_an_earlier_keyphrase() -> None:
    """Of the same document, in any of its forms."""
    made = of(
        document("1", "neural network", "Neural Networks", "networks"),
        document("2", "network", ("net", "network"), "nets"),
        document("3", "neural network"),
    )
    assert (made.duplicates, made.documents_with_duplicates) == (3, 2)


def test_separators_are_counted_each_and_together() -> None:
    """A keyphrase with two of them has one of them; one variant is enough."""
    made = of(document("t", "TCP/IP", "a; b", "x, y and z", ("ok", "and|or"), "band", "sand  and\nsea"))
    assert made.separators == {";": 1, ",": 1, "/": 1, "|": 1, " and ": 2}
    assert (made.separated, made.with_variants) == (5, 1)


def test_the_bounds_of_one_document_by_hand() -> None:
    """Two gold keyphrases at 5: P 2/5, R 1, F1 4/7; twenty at 10: P 1, R 1/2, F1 2/3."""
    assert oracle_bound({2: 1}, 5) == Bound(2 / 5, 1.0, 4 / 7, 1)
    assert oracle_bound({20: 1}, 10) == Bound(1.0, 0.5, 2 / 3, 1)
    assert oracle_bound({2: 3, 20: 1}, "M") == oracle_bound({2: 3, 20: 1}, "O") == Bound(1.0, 1.0, 1.0, 4)


def test_the_bound_is_the_mean_of_documents_and_not_of_the_mean_document() -> None:
    """One and nine gold keyphrases: F1@5 is the mean of 2/6 and 10/14; five would have 1."""
    found = oracle_bound({1: 1, 9: 1}, 5)
    assert found is not None
    assert found.f1 == pytest.approx((1 / 3 + 5 / 7) / 2, abs=1e-15)


def test_documents_without_gold_are_in_no_bound() -> None:
    """Where there are no others there is no bound."""
    assert oracle_bound({0: 7, 5: 1}, 5) == Bound(1.0, 1.0, 1.0, 1)
    assert oracle_bound({0: 7}, 5) is None and oracle_bound({}, "M") is None


def test_what_is_absent_is_out_of_reach_of_extraction() -> None:
    """Four gold keyphrases, one in the text: P@M 1, R@M 1/4, F1@M 2/5; at O all are 1/4."""
    made = of(document("owl", "owl", "heron", "stork", "kite"), document("b", "stork"))
    assert made.bound("present", "M") == Bound(1.0, 1.0, 1.0, 1)
    assert made.bound("absent", 5) == Bound((3 / 5 + 1 / 5) / 2, 1.0, (3 / 4 + 1 / 3) / 2, 2)
    assert made.extractive_bound("M") == Bound(0.5, 1 / 8, 1 / 5, 2)
    assert made.extractive_bound("O") == Bound(1 / 8, 1 / 8, 1 / 8, 2)
    assert made.extractive_bound(5) == Bound(1 / 10, 1 / 8, (2 / 9) / 2, 2)


@given(SIZES)
def test_bounds_are_shares_and_reach_one_without_a_cut(sizes: Mapping[int, int]) -> None:
    """At M and O an oracle is right throughout; at k it never is for documents of another size."""
    for cutoff in CUTOFFS:
        found = oracle_bound(sizes, cutoff)
        if found is None:
            assert not any(sizes.get(size) for size in sizes if size)
            continue
        values = (found.precision, found.recall, found.f1)
        assert all(0 < value <= 1 for value in values)
        perfect = isinstance(cutoff, str) or not set(sizes) - {0, cutoff}
        assert all(math.isclose(value, 1) for value in values) is perfect
        assert found.documents == sum(count for size, count in sizes.items() if size)


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_scoring_the_gold_itself_gives_the_bound(cutoff: int | str) -> None:
    """The measures with hard denominators, on predictions that are the gold."""
    numbers = (1, 2, 5, 9, 14)
    names = [[f"k{i}" for i in range(number)] for number in numbers]
    pairs = [Pair(str(len(own)), tuple(Gold((k,)) for k in own), tuple(own), None) for own in names]
    measures = chosen_measures(
        [{"kind": kind, "k": cutoff} for kind in ("precision", "recall", "f1")], "exact", texts=False
    )
    found = oracle_bound(dict.fromkeys(numbers, 1), cutoff)  # type: ignore[arg-type]
    assert found is not None
    values = [score.value for score in score_measures(pairs, measures)]
    assert values == pytest.approx([found.precision, found.recall, found.f1], abs=1e-12)


def test_parts_have_their_own_gold() -> None:
    """The whole is what the parts and the rest have together."""
    made = statistics([document("a", "a", split="x"), document("b", "b", "c", split="y"), document("d")])
    assert made.keyphrases.sizes == {(1, 1): 1, (2, 1): 1, (0, 0): 1}
    assert {name: part.keyphrases.sizes for name, part in made.splits.items()} == {
        "x": {(1, 1): 1},
        "y": {(2, 1): 1},
    }


def test_nothing_is_undefined_without_saying_so() -> None:
    """Without documents every mean is None, and all of it is JSON."""
    empty = GoldTally().finished()
    assert (empty.mean("all"), empty.variance("all"), empty.share("present")) == (None, None, None)
    assert empty.usual_length_share is None and empty.extractive_bound(5) is None
    plain = json.loads(json.dumps(empty.to_json(), allow_nan=False))
    assert plain["bounds"]["all"] == {"5": None, "10": None, "M": None, "O": None}
    filled = json.loads(json.dumps(of(document("owl", "owl", "heron")).to_json(), allow_nan=False))
    assert filled["sizes"] == [[2, 1, 1]] and filled["lengths"] == {"1": 2}
    assert filled["bounds"]["all"]["5"] == {"precision": 0.4, "recall": 1.0, "f1": 4 / 7, "documents": 1}
    assert filled["present"]["share"] == 0.5 and filled["absent"]["documents_with"] == 1
