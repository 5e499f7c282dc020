"""The character tests of DKPro Keyphrases."""

from __future__ import annotations

import random

import pytest
from families import every
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.matching.dkpro import Dkpro
from kpframe.model import Gold
from kpframe.statistics.pairing import paired


def rule(predicted: str, gold: str) -> str:
    """The rule by which one phrase hits one keyphrase, or nothing, with the tokens of the program."""
    return Dkpro(absent="keep", tokens="blanks").match([predicted], [Gold((gold,))], None).rules[0]


@every(
    ("predicted", "gold", "expected"),
    [
        ("Grid Computing", "grid computing", "exact"),
        ("real time scheduling", "scheduling", "includes"),
        ("real time scheduling", "real time", "includes"),
        ("scheduling of sets", "scheduling", "includes"),
        ("subset set", "set", ""),
        ("set of subsets", "set", "includes"),
        ("scheduling", "real time scheduling", ""),
        ("reschedule", "schedule", ""),
        ("performance metrics", "performance metric", "morph"),
        ("performance metric", "performance metrics", ""),
        ("class s", "class a", "morph"),
        ("class a", "class s", ""),
        ("buses", "bus", ""),
        ("cas", "cat", "morph"),
        ("end_", "ends", "morph"),
        ("nets", "nettle", ""),
    ],
)
def test_its_three_rules(predicted: str, gold: str, expected: str) -> None:
    """Examples of the original, with what is odd about them: one direction, first occurrences only."""
    assert rule(predicted, gold) == expected


def test_exact_can_be_had_alone() -> None:
    """As the original's strict evaluation."""
    gold = [Gold(("metric",)), Gold(("grid",))]
    found = Dkpro(absent="keep", rule="exact").match(["metrics", "Grid"], gold, None)
    assert (found.hits, found.rules) == ((-1, 1), ("", "exact"))


def test_each_keyphrase_is_used_once() -> None:
    """A second phrase that holds it is a miss."""
    found = Dkpro(absent="keep").match(["fast search", "slow search"], [Gold(("search",))], None)
    assert found.hits == (0, -1)


def test_keyphrases_are_handed_out_so_that_most_phrases_hit() -> None:
    """ "grid search" could take both keyphrases; "grid" only one: whatever the order of gold, both hit."""
    for gold in (["grid", "search"], ["search", "grid"]):
        found = Dkpro(absent="keep").match(["grid search", "a grid"], [Gold((g,)) for g in gold], None)
        assert [gold[hit] for hit in found.hits] == ["search", "grid"]
        assert found.rules == ("includes", "includes")


def test_a_better_phrase_keeps_its_hit() -> None:
    """Rank decides who goes without."""
    gold = [Gold(("grid",))]
    assert Dkpro(absent="keep").match(["a grid", "grid"], gold, None).hits == (0, -1)


def test_any_variant_will_do() -> None:
    """And an empty one does nothing."""
    gold = [Gold(("quality of service", "service quality"))]
    assert Dkpro(absent="keep").match(["best service quality"], gold, None).rules == ("includes",)
    assert Dkpro(absent="keep", tokens="alphanumeric").match(["nets"], [Gold(("?",))], None).hits == (-1,)


POSSIBLE = st.lists(st.sets(st.integers(0, 5), max_size=4).map(sorted), max_size=8)


@settings(deadline=None)
@given(possible=POSSIBLE, seed=st.integers(0, 99))
@pytest.mark.slow
def test_the_number_of_hits_is_the_greatest_at_every_rank(possible: list[list[int]], seed: int) -> None:
    """Property: scipy's maximum matching of every prefix; which phrases hit hangs on no order of gold."""
    import numpy as np
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    hits = paired(possible)
    used = [hit for hit in hits if hit >= 0]
    assert len(used) == len(set(used))
    assert all(hit in wishes for hit, wishes in zip(hits, possible, strict=True) if hit >= 0)
    for k in range(1, len(possible) + 1):
        graph = np.zeros((k, 6), dtype=int)
        for row, wishes in enumerate(possible[:k]):
            graph[row, wishes] = 1
        greatest = (maximum_bipartite_matching(csr_matrix(graph), perm_type="column") >= 0).sum()
        assert sum(hit >= 0 for hit in hits[:k]) == greatest
    shuffler = random.Random(seed)
    names = shuffler.sample(range(6), 6)
    other = paired([shuffler.sample(w := [names[n] for n in one], len(w)) for one in possible])
    assert [hit >= 0 for hit in other] == [hit >= 0 for hit in hits]
