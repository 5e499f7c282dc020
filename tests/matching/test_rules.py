"""Which phrase hits which gold keyphrase, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest
from families import every
from hypothesis import given
from hypothesis import strategies as st

from kpframe.errors import SpecError
from kpframe.matching.approximate import Approximate
from kpframe.matching.exact import Exact
from kpframe.matching.includes import Includes
from kpframe.matching.morph import Morph
from kpframe.matching.part_of import PartOf
from kpframe.matching.union import Union
from kpframe.model import Gold
from kpframe.stages import Matching


def golds(*phrases: str) -> list[Gold]:
    """Gold keyphrases of one variant each."""
    return [Gold((phrase,)) for phrase in phrases]


def hit(matching: type[Matching], predicted: str, gold: str, **parameters: Any) -> bool:
    """Whether a phrase hits a gold keyphrase."""
    return matching(absent="keep", **parameters).match([predicted], golds(gold), None).hits == (0,)


@pytest.mark.parametrize(
    ("predicted", "gold", "same"),
    [
        ("neural networks", "Neural  NETWORKS", True),
        ("neural networks", "neural\nnetworks", True),
        ("user’s guide", "user's guide", True),
        ("2‐degenerate graph", "2-degenerate graph", True),
        ("Straße", "STRASSE", True),
        ("neural network", "neural networks", False),
        ("networks neural", "neural networks", False),
        ("art", "smart", False),
    ],
)
def test_exact_is_equal_after_normalisation(predicted: str, gold: str, same: bool) -> None:
    """Case, white space, typographic marks; nothing else."""
    assert hit(Exact, predicted, gold) is same


@every(
    ("one", "other", "same"),
    [
        ("performance metric", "performance metrics", True),
        ("Performance Metric", "performance METRICS", True),
        ("bus", "buses", True),
        ("query", "queries", True),
        ("child", "children", True),
        ("support vector machine", "support vector machines", True),
        ("cat", "cas", False),
        ("class a", "class s", False),
        ("networks theory", "network theory", False),
        ("metric", "metric", False),
        ("aircraft", "aircraft", False),
        ("performance metric", "metrics", False),
        ("boy", "boies", False),
    ],
)
def test_morph_is_the_number_of_the_last_token(one: str, other: str, same: bool) -> None:
    """Both directions; the original program's "class a"/"class s" is no match."""
    assert hit(Morph, one, other) is same
    assert hit(Morph, other, one) is same


@pytest.mark.parametrize(
    ("long", "short", "inside"),
    [
        ("real time scheduling", "scheduling", True),
        ("real time scheduling", "time", True),
        ("real time scheduling", "real time", True),
        ("set of a subset set", "set", True),
        ("subset set", "set", True),
        ("real time scheduling", "real scheduling", False),
        ("real time scheduling", "time real", False),
        ("smart cards", "art", False),
        ("scheduling", "scheduling", False),
        ("fast neural networks", "neural network", False),
        ("end-of-life policy", "life", False),
    ],
)
def test_includes_and_part_of_are_each_other_reversed(long: str, short: str, inside: bool) -> None:
    """All tokens, contiguous and in order, and at least one more; at any place, never by characters."""
    assert hit(Includes, long, short) is inside
    assert hit(PartOf, short, long) is inside
    assert not hit(Includes, short, long)
    assert not hit(PartOf, long, short)


def test_approximate_is_exact_or_morph_or_includes() -> None:
    """Not PartOf; the rule of each hit is told."""
    gold = golds("grid computing", "neural network", "scheduling", "performance metrics tool")
    predicted = ["grid computing", "neural networks", "real time scheduling", "performance metrics"]
    found = Approximate(absent="keep").match(predicted, gold, None)
    assert found.hits == (0, 1, 2, -1)
    assert found.rules == ("exact", "morph", "includes", "")


def test_exact_goes_before_the_other_rules_for_one_phrase() -> None:
    """ "graphs" is gold itself, and the plural of the first gold keyphrase."""
    found = Approximate(absent="keep").match(["graphs", "graph"], golds("graph", "graphs"), None)
    assert (found.hits, found.rules) == ((1, 0), ("exact", "exact"))


def test_rank_decides_between_phrases() -> None:
    """Each gold keyphrase goes to its first hit, even where a better one follows."""
    found = Approximate(absent="keep").match(["fast search", "search"], golds("search"), None)
    assert (found.hits, found.rules) == ((0, -1), ("includes", ""))


def test_a_later_variant_of_a_found_keyphrase_is_a_miss() -> None:
    """The paper: a system that repeats one topic in variants finds less."""
    predicted = ["scheduling", "real-time scheduling", "embedded scheduling"]
    assert Approximate(absent="keep").match(predicted, golds("scheduling"), None).hits == (0, -1, -1)


def test_the_longest_gold_keyphrase_is_hit_first() -> None:
    """Then the first in alphabetical order, whatever the order in the phrase and in the list."""
    gold = golds("time", "scheduling", "real time")
    predicted = ["real time scheduling", "scheduling of real time", "a time"]
    assert Includes(absent="keep").match(predicted, gold, None).hits == (2, 1, 0)
    longest_first = Includes(absent="keep").match(predicted[:2], golds("scheduling", "time"), None)
    assert longest_first.hits == (0, 1)


def test_part_of_prefers_the_longest_gold_keyphrase_too() -> None:
    """Three tokens before two, then alphabetical order."""
    gold = golds("net flow", "net gain", "big net gain")
    assert PartOf(absent="keep").match(["net", "Net", "gain"], gold, None).hits == (2, 1)
    assert PartOf(absent="keep").match(["net"], gold[:2], None).hits == (0,)


def test_a_union_has_the_rules_that_it_names() -> None:
    """In the fixed order, however they are written."""
    union = Union(of=["part_of", "exact"], absent="keep")
    assert union.rules() == ("exact", "part_of")
    found = union.match(["net", "grid computing", "nets"], golds("net", "grid", "big net"), None)
    assert (found.hits, found.rules) == ((0, -1, -1), ("exact", "", ""))
    assert Union(of="exact+part_of").rules() == ("exact", "part_of")
    assert Union(of="part_of", absent="keep").match(["net"], golds("big net"), None).rules == ("part_of",)


def test_a_union_of_nothing_or_of_unknown_rules_is_refused() -> None:
    """At least one rule, and only the four there are."""
    with pytest.raises(SpecError, match=r"Union\.of: must not be empty"):
        Union(of=[])
    with pytest.raises(SpecError, match="'exact', 'morph', 'includes' or 'part_of'"):
        Union(of=["exact", "fuzzy"])


PHRASES = st.lists(
    st.lists(st.sampled_from(["net", "nets", "city", "cities", "art"]), min_size=1, max_size=3).map(" ".join),
    max_size=6,
)


@given(
    one=st.sampled_from(["net", "nets", "bus", "buses", "city", "cities", "cat", "cas", "a"]), data=st.data()
)
def test_morph_is_symmetric(one: str, data: st.DataObject) -> None:
    """Property: the plural rule has no direction."""
    other = data.draw(st.sampled_from(["net", "nets", "bus", "buses", "city", "cities", "cat", "cas", "a"]))
    assert hit(Morph, one, other) is hit(Morph, other, one)


@given(predicted=PHRASES, gold=PHRASES)
@pytest.mark.slow
def test_approximate_finds_at_least_as_much_as_exact(predicted: list[str], gold: list[str]) -> None:
    """Property, for a phrase alone: what hits exactly hits approximately."""
    for phrase in predicted:
        exact = Exact(absent="keep").match([phrase], golds(*gold), None).hits_at(1)
        assert Approximate(absent="keep").match([phrase], golds(*gold), None).hits_at(1) >= exact


@given(predicted=PHRASES, gold=PHRASES, kind=st.sampled_from([Exact, Morph, Includes, PartOf, Approximate]))
@pytest.mark.slow
def test_matching_is_one_to_one(predicted: list[str], gold: list[str], kind: type[Matching]) -> None:
    """Property: no gold keyphrase is hit twice, and a rule is named exactly where there is a hit."""
    found = kind(absent="keep").match(predicted, golds(*gold), None)
    hits = [number for number in found.hits if number >= 0]
    assert len(hits) == len(set(hits))
    assert all(number < found.gold for number in hits)
    assert [number >= 0 for number in found.hits] == [bool(rule) for rule in found.rules]
