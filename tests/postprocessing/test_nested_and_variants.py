"""Phrases inside phrases, and forms of one phrase."""

from __future__ import annotations

import pytest
from families import every
from hypothesis import given
from hypothesis import strategies as st
from ranked_phrases import ranked, scored, spans

from kpframe.errors import SpecError
from kpframe.model import Candidates, Document, Keyphrases
from kpframe.postprocessing.nested import Nested
from kpframe.postprocessing.variants import Variants

HOTEL = "Seoul Four Seasons opened. Four Seasons grows."


@pytest.mark.parametrize(
    ("keep", "short_first", "long_first"),
    [
        ("longest", ["Seoul Four Seasons"], ["Seoul Four Seasons"]),
        ("best", ["Four Seasons"], ["Seoul Four Seasons"]),
        ("not_part_of_better", ["Four Seasons", "Seoul Four Seasons"], ["Seoul Four Seasons"]),
        ("all", ["Four Seasons", "Seoul Four Seasons"], ["Seoul Four Seasons", "Four Seasons"]),
    ],
)
def test_nested_phrases_are_a_choice(keep: str, short_first: list[str], long_first: list[str]) -> None:
    """The longest, the best, Kea's rule, or all of them."""
    low_high = {"Seoul Four Seasons": 1.0, "Four Seasons": 2.0}
    assert Nested(keep=keep).process(ranked(HOTEL, low_high)).surfaces == short_first
    high_low = {"Seoul Four Seasons": 2.0, "Four Seasons": 1.0}
    assert Nested(keep=keep).process(ranked(HOTEL, high_low)).surfaces == long_first


@pytest.mark.parametrize("keep", ["longest", "best", "not_part_of_better"])
def test_characters_do_not_nest(keep: str) -> None:
    """ "art" is no part of "smart cards", and tokens with a gap are no part either."""
    before = ranked(
        "smart cards art smart new cards", {"smart cards": 3.0, "art": 2.0, "smart new cards": 1.0}
    )
    assert Nested(keep=keep).process(before).surfaces == ["smart cards", "art", "smart new cards"]


def test_best_looks_at_kept_phrases_only() -> None:
    """ "b" fell to "a b", so it does not take "b c" with it."""
    before = ranked("a b, b c, b", {"a b": 3.0, "b": 2.0, "b c": 1.0})
    assert Nested(keep="best").process(before).surfaces == ["a b", "b c"]


def test_dropped_phrases_still_outrank_their_parts() -> None:
    """Kea: "b" is part of "a b", which itself went with "a b c"."""
    before = ranked("a b c, a b, b, c", {"a b c": 4.0, "a b": 3.0, "b": 2.0, "c": 1.0})
    assert Nested(keep="not_part_of_better").process(before).surfaces == ["a b c"]


def naive(phrases: list[tuple[str, ...]], keep: str) -> list[tuple[str, ...]]:
    """The definition, pair by pair."""

    def part(inner: tuple[str, ...], outer: tuple[str, ...]) -> bool:
        return inner != outer and f" {' '.join(inner)} " in f" {' '.join(outer)} "

    if keep == "longest":
        return [p for p in phrases if not any(part(p, q) for q in phrases)]
    if keep == "not_part_of_better":
        return [p for i, p in enumerate(phrases) if not any(part(p, q) for q in phrases[:i])]
    kept: list[tuple[str, ...]] = []
    for p in phrases:
        if not any(part(p, q) or part(q, p) for q in kept):
            kept.append(p)
    return kept


@given(
    phrases=st.lists(
        st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(tuple), max_size=12, unique=True
    ),
    keep=st.sampled_from(["longest", "best", "not_part_of_better"]),
)
@pytest.mark.slow
def test_the_index_agrees_with_the_definition(phrases: list[tuple[str, ...]], keep: str) -> None:
    """Property: the fast look-up gives what comparing all pairs gives."""
    scores = {" ".join(p): float(-i) for i, p in enumerate(phrases)}
    found = Nested(keep=keep).process(ranked(". ".join(scores), scores))
    assert [tuple(e.key.split()) for e in found] == naive(phrases, keep)


@pytest.mark.slow
def test_thousands_of_phrases_are_no_burden() -> None:
    """Neither nesting nor variants compare all pairs (4,000 entries: all pairs are 8 million)."""
    words = [f"w{i}" for i in range(2001)]
    before = ranked(" ".join(words), {})
    places = [(i, i + n) for i in range(2000) for n in (1, 2)]
    candidates = Candidates.build(before.document, before.annotations, places)
    many = Keyphrases.ranked(candidates, range(len(candidates)))
    for keep in ("longest", "best", "not_part_of_better"):
        Nested(keep=keep).process(many)
    assert len(Variants().process(many)) == 4000


def test_singular_and_plural_are_one_entry() -> None:
    """donor and donors: the higher score, all places, the most frequent form."""
    before = ranked("A donor gave. Donors give. donors gave.", {"donor": 3.0, "donors": 2.0, "gave": 1.0})
    found = Variants().process(before)
    assert scored(found) == {"Donors": 3.0, "gave": 1.0}
    assert spans(found)["Donors"] == ["donor", "Donors", "donors"]


def test_the_best_ranked_form_is_shown_among_equally_frequent_ones() -> None:
    """One place each: the better phrase names the entry."""
    assert scored(Variants().process(ranked("donors, donor", {"donor": 1.0, "donors": 2.0}))) == {
        "donors": 2.0
    }
    assert scored(Variants().process(ranked("donors, donor", {"donor": 2.0, "donors": 1.0}))) == {
        "donor": 2.0
    }


def test_scores_can_be_summed() -> None:
    """sum adds the members' scores, and the order follows."""
    before = ranked("a donor, donors, city", {"city": 2.5, "donor": 2.0, "donors": 1.0})
    assert scored(Variants(score="sum").process(before)) == {"donor": 3.0, "city": 2.5}


@every(
    ("one", "other", "same"),
    [
        ("performance metric", "performance metrics", True),
        ("query", "queries", True),
        ("bus", "buses", True),
        ("child", "children", True),
        ("cat", "cas", False),
        ("networks graph", "network graph", False),
        ("on-line", "online", True),
        ("part-of-speech tags", "part of speech tags", True),
        ("on line", "online", False),
        ("data-bases", "database", True),
        ("data-bases", "data base", True),
        ("cat", "dog", False),
    ],
)
def test_what_a_variant_is(one: str, other: str, same: bool) -> None:
    """Number of the last token, case, hyphens; whichever is ranked first."""
    for scores in ({one: 2.0, other: 1.0}, {one: 1.0, other: 2.0}):
        assert len(Variants().process(ranked(f"{one}, {other}", scores))) == (1 if same else 2)


def test_variants_of_variants_join() -> None:
    """ "on line" meets "online" by way of "on-line"."""
    before = ranked("on line, online, on-line", {"on line": 3.0, "online": 2.0, "on-line": 1.0})
    assert Variants().process(before).surfaces == ["on line"]


def test_the_differences_can_be_chosen() -> None:
    """Without hyphen, hyphens tell phrases apart; without plural, number does."""
    before = ranked(
        "on-line, online, donor, donors", {"on-line": 4.0, "online": 3.0, "donor": 2.0, "donors": 1.0}
    )
    assert Variants(join=("plural",)).process(before).surfaces == ["on-line", "online", "donor"]
    assert Variants(join=("hyphen",)).process(before).surfaces == ["on-line", "donor", "donors"]


def test_keys_that_differ_in_case_join_if_asked() -> None:
    """For selections whose keys are not folded."""
    before = ranked("Polish, polish", {"polish": 2.0})
    entry = before.entries[0]
    apart = before.replaced(
        [
            entry._replace(key="Polish", surface="Polish", places=((0, 1),)),
            entry._replace(key="polish", surface="polish", places=((2, 3),)),
        ]
    )
    assert len(Variants(join=("case",)).process(apart)) == 1
    assert len(Variants(join=("plural",)).process(apart)) == 2


def test_nothing_to_join_changes_nothing() -> None:
    """The very same value is returned."""
    before = ranked("cat dog", {"cat": 2.0, "dog": 1.0})
    assert Variants().process(before) is before


def test_no_difference_at_all_is_refused() -> None:
    """join must name something."""
    with pytest.raises(SpecError, match=r"Variants\.join: must not be empty"):
        Variants(join=())


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("de", "Wohnung Wohnungen Haus", ["Wohnung", "Haus"]),
        ("fr", "éolienne éoliennes journal journaux", ["éolienne", "journal"]),
        ("en", "Wohnung Wohnungen", ["Wohnung", "Wohnungen"]),
        ("en", "cat cats cas", ["cat", "cas"]),
    ],
)
@pytest.mark.slow
def test_number_is_told_in_the_language_of_the_document(language: str, text: str, left: list[str]) -> None:
    """By lemmas where there is a table; no English rule joins French words."""
    before = ranked(text, dict.fromkeys(text.split(), 1.0))
    document = Document("d", text, language=language)
    found = Variants(join=("plural",)).process(Keyphrases(document, before.annotations, before.entries))
    assert found.surfaces == left
    assert list(Variants().limits(language)) == []
    assert len(list(Variants().limits("th"))) == 1
