"""How gold is listed plays no part, and no phrase that could be a hit is none."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kpframe as kp
from kpframe.matching.approximate import Approximate
from kpframe.matching.union import Union
from kpframe.model import Gold, Matches
from kpframe.stages import Matching, Metric
from kpframe.stages.registry import kinds, lookup
from kpframe.statistics.pairing import paired

pytestmark = pytest.mark.slow

WORDS = st.sampled_from(["net", "Net", "nets", "art", "City", "cities", "a"])
PHRASE = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
PREDICTED = st.lists(PHRASE, max_size=7)
GOLD = st.lists(st.lists(PHRASE, min_size=1, max_size=3), max_size=5)
WISHES = st.lists(st.lists(st.integers(0, 4), unique=True, max_size=4), max_size=5)

MATCHINGS: list[tuple[str, dict[str, Any]]] = [
    *((kind, {}) for kind in kinds("matching")),
    ("union", {"of": "exact+morph+includes+part_of"}),
    ("exact", {"duplicates": "keep"}),
    ("exact", {"normalize": "porter", "fold": "lower", "tokens": "blanks"}),
    ("approximate", {"duplicates": "keep", "normalize": "porter"}),
    *(
        ("soft", {"assignment": assignment, "weighted": weighted, "threshold": threshold})
        for assignment in ("rank", "optimal", "many")
        for weighted in (False, True)
        for threshold in (0, 0.5)
    ),
]


@cache
def measures() -> list[Metric]:
    """Every metric at its defaults, and those with a cut-off at every k up to the length of a list."""
    made: list[Metric] = []
    for kind in kinds("metrics"):
        metric: Any = lookup("metrics", kind)
        made.append(metric())
        if metric.short == "k":
            made += [metric(k=k) for k in (1, 2, 3, 4, 5, 7, "O")]
    alpha: Any = lookup("metrics", "alpha_ndcg")
    made += [alpha(relevance="substring", ideal="own"), alpha(gain="one", ideal="gold"), alpha(alpha=0.3)]
    return made


def values(matches: Matches) -> list[float]:
    """What all metrics make of a document."""
    return [metric.value(counts) for metric in measures() if (counts := metric.count(matches))]


@pytest.mark.parametrize("gold", [["neural", "network"], ["network", "neural"]])
def test_the_first_phrase_leaves_what_a_later_one_needs(gold: list[str]) -> None:
    """ "fast neural network" holds both, "neural" is but one: two hits, however gold is listed."""
    document = kp.Document("d", "fast neural network", gold=[Gold((phrase,)) for phrase in gold])
    predicted = {"d": ["fast neural network", "neural"]}
    (score,) = kp.score([document], predicted, metrics="r_precision", matching="approximate")
    assert score.value == 1.0


@pytest.mark.parametrize(("kind", "parameters"), MATCHINGS)
@settings(max_examples=25, deadline=None)
@given(predicted=PREDICTED, gold=GOLD, seed=st.integers(0, 999))
@example(predicted=["net"], gold=[["net", "city"], ["net", "art"]], seed=0)  # which few examples meet
def test_the_order_of_gold_and_of_its_variants_never_shows(
    kind: str, parameters: dict[str, Any], predicted: list[str], gold: list[list[str]], seed: int
) -> None:
    """Property: every metric at every k to the last bit; and each phrase is shown with the same gold."""
    chance = random.Random(seed)
    turned = [Gold(tuple(chance.sample(group, len(group)))) for group in chance.sample(gold, len(gold))]
    matching: Any = lookup("matching", kind)(absent="keep", **parameters)
    found, other = (
        matching.match(predicted, golds, None) for golds in ([Gold(tuple(group)) for group in gold], turned)
    )
    assert values(found) == values(other)
    assert _shown(found) == _shown(other)


def _shown(matches: Matches) -> list[Any]:
    names = [frozenset((form.tokens, form.surface) for form in group) for group in matches.keyphrases]
    rows = zip(matches.hits, matches.rules, strict=True)
    return [(names[hit] if hit >= 0 else None, rule) for hit, rule in rows]


def _greedily(wishes: Sequence[Sequence[int]]) -> list[int]:
    """Each phrase takes the first that is free: what matching was before."""
    taken: set[int] = set()
    hits = []
    for numbers in wishes:
        hit = next((number for number in numbers if number not in taken), -1)
        taken.add(hit)
        hits.append(hit)
    return hits


@given(WISHES)
def test_hits_at_k_never_fall_against_greedy_choice(wishes: list[list[int]]) -> None:
    """Property, at every k; and where greedy choice finds as much, it is what is chosen."""
    found, greedy = paired(wishes), _greedily(wishes)
    counts = [list(itertools.accumulate((hit >= 0 for hit in hits), initial=0)) for hits in (found, greedy)]
    assert all(mine >= theirs for mine, theirs in zip(*counts, strict=True))
    if counts[0] == counts[1]:
        assert found == greedy


@given(WISHES)
def test_pairing_is_what_its_definition_says(wishes: list[list[int]]) -> None:
    """Property: of all ways to hand out keyphrases, the one that trying them all finds."""
    ways = [
        way
        for way in itertools.product(*([*numbers, -1] for numbers in wishes))
        if len(set(way) - {-1}) == sum(number >= 0 for number in way)
    ]
    most = max(tuple(number >= 0 for number in way) for way in ways)
    best = min(
        (way for way in ways if tuple(number >= 0 for number in way) == most),
        key=lambda way: [numbers.index(n) if n >= 0 else 0 for n, numbers in zip(way, wishes, strict=True)],
    )
    assert paired(wishes) == list(best)


@given(st.lists(PHRASE, max_size=5, unique=True), st.lists(PHRASE, max_size=4, unique=True))
def test_the_rules_find_what_trying_every_pair_finds(predicted: list[str], gold: list[str]) -> None:
    """Property: the look-ups have all wishes, in the order of rules, lengths and letters."""
    rules = ("exact", "morph", "includes", "part_of")
    phrases = list(dict.fromkeys(phrase.casefold() for phrase in predicted))
    keyphrases = list(dict.fromkeys(phrase.casefold() for phrase in gold))

    def fits(rule: str, phrase: str, keyphrase: str) -> bool:
        one = Union(of=rule, absent="keep").match([phrase], [Gold((keyphrase,))], None)
        return one.hits == (0,)

    wishes = []
    for phrase in phrases:
        wished: dict[int, tuple[Any, ...]] = {}
        for place, rule in enumerate(rules):
            for number, keyphrase in enumerate(keyphrases):
                if fits(rule, phrase, keyphrase):
                    tokens = keyphrase.split()
                    wished.setdefault(number, (place, -len(tokens), tokens))
        wishes.append(sorted(wished, key=wished.__getitem__))
    union = Union(of="exact+morph+includes+part_of", absent="keep")
    found = union.match(phrases, [Gold((phrase,)) for phrase in keyphrases], None)
    assert list(found.hits) == paired(wishes)


def test_a_better_rank_is_moved_but_never_displaced() -> None:
    """ "zeal search" would be shown with "search", which "search" needs; "big search" comes too late."""
    gold = [Gold(("search",)), Gold(("zeal",))]
    found = Approximate(absent="keep").match(["zeal search", "search", "big search"], gold, None)
    assert (found.hits, found.rules) == ((1, 0, -1), ("includes", "exact", ""))


def test_several_phrases_move_along_a_chain() -> None:
    """Each may have two; the last has one: all four hit only if three move."""
    assert paired([[0, 1], [0, 1, 2], [2, 3], [0]]) == [1, 2, 3, 0]


def test_variants_that_two_keyphrases_share_can_both_be_hit() -> None:
    """Gold duplicates kept: "net" is in both, "grid" in one."""
    gold = [Gold(("net", "grid")), Gold(("net",))]
    for listed in (gold, gold[::-1]):
        matching: Matching = lookup("matching", "exact")(absent="keep", duplicates="keep")  # type: ignore[assignment]
        assert matching.match(["net", "grid"], listed, None).hits_at(2) == 2


def test_who_moves_is_decided_down_the_ranks() -> None:
    """The third wants what the first or the second has: the first keeps its preference, the second moves."""
    assert paired([[0, 1], [2, 3], [0, 2]]) == [0, 3, 2]
