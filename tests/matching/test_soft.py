"""Matching by similarity: greedy, optimal, many to many."""

from __future__ import annotations

import itertools
import pickle
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.errors import SpecError
from kpframe.matching._weights import assign
from kpframe.matching.soft import Soft
from kpframe.metrics.f1 import F1
from kpframe.metrics.precision import Precision
from kpframe.metrics.recall import Recall
from kpframe.model import Gold, Matches
from kpframe.stages import Similarity


class Table(Similarity):
    """Similarities from a table: `a1` is the first column of row `a`; the phrases themselves are names."""

    kind: ClassVar[str] = "table"

    values: tuple[tuple[str, str, float], ...]

    def compare(self, predicted: str, gold: str) -> float:
        """As the table has it, else 0."""
        return {(p, g): value for p, g, value in self.values}.get((predicted, gold), 0.0)


class Unbounded(Table):
    """Not within 0 … 1."""

    kind: ClassVar[str] = "unbounded"
    bounded: ClassVar[bool] = False


def match(rows: dict[str, dict[str, float]], gold: list[Any], **parameters: Any) -> Matches:
    """The phrases `rows`, by rank, with their similarities to gold keyphrases."""
    table = Table(values=[(p, g, value) for p, row in rows.items() for g, value in row.items()])
    golds = [Gold((one,) if isinstance(one, str) else tuple(one)) for one in gold]
    return Soft(absent="keep", similarity=table, **parameters).match(list(rows), golds, None)


CROSSED = {"p": {"x": 0.9, "y": 0.8}, "q": {"x": 0.7}}
"""Greedy choice would give x to p and leave nothing for q; p gets y, and q gets x."""


def test_by_rank_each_phrase_takes_the_most_alike() -> None:
    """That leaves one for every later hit: "x" is more like keyphrase 0, which is all that "y" is like."""
    found = match(CROSSED, ["x", "y"])
    assert (found.hits, found.rules, found.related) == ((1, 0), ("table", "table"), None)
    assert (found.hits_at(1), found.hits_at(2), found.found_at(2)) == (1, 2, 2)


def test_the_best_assignment_has_the_greatest_sum() -> None:
    """.8 + .7 is more than .9."""
    found = match(CROSSED, ["x", "y"], assignment="optimal")
    assert (found.hits, found.rules) == ((1, 0), ("table", "table"))
    assert (found.hits_at(2), found.found_at(2), found.ranks) == (2, 2, (1, 2))


def test_at_a_cut_off_the_first_phrases_are_assigned_anew() -> None:
    """Alone, p takes x with .9; together they weigh 1.5."""
    found = match(CROSSED, ["x", "y"], assignment="optimal", weighted=True)
    assert [found.hits_at(k) for k in (0, 1, 2, 9)] == pytest.approx([0, 0.9, 1.5, 1.5])
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.hits_at(1) == pytest.approx(0.9)
    assert found.scored([2.0, 1.0]).hits_at(1) == pytest.approx(0.9)


def test_of_equal_sums_the_one_of_more_pairs_is_taken() -> None:
    """1 alone or .5 and .5: whatever the solver prefers."""
    assert assign([(1.0, 0.5), (0.5, 0.0)]) == (1, 0)
    assert assign([(0.5, 0.0), (1.0, 0.5)]) == (0, 1)
    assert assign([]) == () and assign([(), ()]) == (-1, -1) and assign([(0.0,), (0.2,)]) == (-1, 0)


def test_many_to_many_hits_everything_that_is_alike_enough() -> None:
    """The most alike first."""
    found = match({"p": {"x": 0.6, "y": 0.8, "z": 0.2}, "q": {"y": 0.9}}, ["x", "y", "z"], assignment="many")
    assert (found.related, found.hits) == (((1, 0), (1,)), (1, 1))
    assert (found.hits_at(2), found.found_at(1), found.found_at(2)) == (2, 2, 2)


def test_weights_make_hits_count_as_similarities() -> None:
    """By rank .7 and .8; many to many .9 and .7 over phrases, .9 and .8 over keyphrases."""
    rank = match(CROSSED, ["x", "y"], weighted=True)
    assert (rank.hits_at(2), rank.found_at(2)) == (1.5, 1.5)
    many = match(CROSSED, ["x", "y"], weighted=True, assignment="many")
    assert many.hits_at(2) == pytest.approx(1.6) and many.found_at(2) == pytest.approx(1.7)
    precision, recall, f1 = Precision(k=5), Recall(k=5), F1(k=5)
    assert precision.value(precision.count(many)) == pytest.approx(1.6 / 5)
    assert recall.value(recall.count(many)) == pytest.approx(1.7 / 2)
    assert f1.value(f1.count(many)) == pytest.approx(2 * 0.32 * 0.85 / 1.17)
    assert pickle.loads(pickle.dumps(many)) == many


def test_ties_go_to_the_longest_keyphrase_and_then_to_the_first() -> None:
    """In tokens, then in alphabetical order, however they are listed."""
    rows = {"p": {"x": 0.8, "y z": 0.8, "u v": 0.8}}
    assert match(rows, ["x", "y z", "u v"]).hits == (2,)
    assert match(rows, ["x", "u v", "y z"]).hits == (1,)


@pytest.mark.parametrize(("value", "hit"), [(0.5, True), (0.5 - 1e-12, True), (0.49, False), (0.0, False)])
def test_the_threshold_is_the_least_similarity(value: float, hit: bool) -> None:
    """Equal to it up to rounding is enough; 0 never is, not even at threshold 0."""
    assert (match({"p": {"x": value}}, ["x"]).hits == (0,)) is hit
    assert (match({"p": {"x": value}}, ["x"], threshold=0).hits == (0,)) is (value > 0)


def test_equal_phrases_match_under_every_similarity() -> None:
    """With similarity 1, after normalisation."""
    found = match({"Nets": {}, "q": {"x": 0.9}}, ["net", "x"], normalize="porter", weighted=True)
    assert (found.hits, found.hits_at(1)) == ((0, 1), 1.0)


def test_of_the_variants_the_nearest_counts() -> None:
    """Keyphrase 0 by its second variant."""
    gold = [["x", "far x"], "y"]
    found = match({"p": {"x": 0.1, "far x": 0.9, "y": 0.8}}, gold, assignment="many", weighted=True)
    assert (found.related, found.hits_at(1)) == (((0, 1),), 0.9)


def test_the_default_is_half_of_the_words() -> None:
    """Jaccard of stems: one of two words, two of three, one of three."""
    soft = Soft(absent="keep")
    for predicted, hit in (("computing", True), ("fast grid computing", True), ("fast grid", False)):
        assert (soft.match([predicted], [Gold(("grid computing",))], None).hits == (0,)) is hit
    assert soft.match(["computing"], [Gold(("grid computing",))], None).rules == ("jaccard",)
    assert Soft.short == "similarity"


def test_the_signature_names_the_similarity() -> None:
    """With its parameters."""
    assert (
        Soft(similarity="jaccard(n=2,stem=False)")
        .signature()
        .startswith(
            "match:soft|similarity:jaccard(stem=False,fold=full,n=2)|threshold:0.5|assignment:rank|weighted:False|norm:"
        )
    )


def test_unbounded_similarities_cannot_weigh() -> None:
    """They can still decide."""
    table = Unbounded(values=[("p", "x", 7.0)])
    assert Soft(absent="keep", similarity=table, threshold=3).match(["p"], [Gold(("x",))], None).hits == (0,)
    with pytest.raises(SpecError) as caught:
        Soft(similarity=table, weighted=True)
    assert str(caught.value).startswith("Soft: weighted: unbounded is not bounded by 1; ")


@pytest.mark.parametrize("assignment", ["rank", "optimal", "many"])
@pytest.mark.parametrize("weighted", [False, True])
def test_empty_lists_have_no_hits(assignment: str, weighted: bool) -> None:
    """Neither side, or one of them."""
    for rows, gold in ({}, []), ({"p": {}}, []), ({}, ["x"]):
        found = match(rows, gold, assignment=assignment, weighted=weighted)
        assert (found.hits_at(5), found.found_at(5), found.ranks) == (0, 0, ())


VALUES = st.lists(st.lists(st.sampled_from([0.0, 0.5, 0.6, 0.75, 1.0]), min_size=3, max_size=3), max_size=4)


@settings(deadline=None)
@given(rows=VALUES)
@pytest.mark.slow
def test_the_assignment_is_the_best_of_all(rows: list[list[float]]) -> None:
    """Property: sum, then number of pairs, of every way to hand out three keyphrases; at every cut-off."""
    table = {f"p{i}": {f"g{j}": value for j, value in enumerate(row)} for i, row in enumerate(rows)}
    count, weigh = (
        match(table, ["g0", "g1", "g2"], assignment="optimal", weighted=weighted)
        for weighted in (False, True)
    )
    for k in range(len(rows) + 1):
        best = (0.0, 0)
        places = [*range(k), *[-1] * 3]
        for choice in itertools.permutations(places, 3):
            pairs = [rows[i][j] for j, i in enumerate(choice) if i >= 0 and rows[i][j] > 0]
            best = max(best, (round(sum(pairs), 9), len(pairs)))
        assert (round(weigh.hits_at(k), 9), count.hits_at(k)) == best


@settings(deadline=None)
@given(rows=VALUES, weighted=st.booleans())
@pytest.mark.slow
def test_matching_one_to_one_never_uses_a_keyphrase_twice(rows: list[list[float]], weighted: bool) -> None:
    """Property."""
    table = {f"p{i}": {f"g{j}": value for j, value in enumerate(row)} for i, row in enumerate(rows)}
    for assignment in ("rank", "optimal"):
        hits = match(table, ["g0", "g1", "g2"], assignment=assignment, weighted=weighted).hits
        used = [hit for hit in hits if hit >= 0]
        assert len(used) == len(set(used))
