"""Runs of characters, many to many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpframe.errors import DataError
from kpframe.matching.substring import Substring
from kpframe.metrics.f1 import F1
from kpframe.metrics.precision import Precision
from kpframe.metrics.r_precision import RPrecision
from kpframe.metrics.recall import Recall
from kpframe.model import Gold, Matches


def match(predicted: list[str], gold: list[str], text: str | None = None, **parameters: str) -> Matches:
    """All gold counts, unless told otherwise."""
    made = Substring.model_validate({"absent": "keep", **parameters})
    return made.match(predicted, [Gold((one,)) for one in gold], text)


@pytest.mark.parametrize(
    ("predicted", "gold", "inwards", "outwards"),
    [
        ("art", "smart cards", True, False),
        ("smart cards", "art", False, True),
        ("Smart  Cards", "smart cards", True, True),
        ("art cards", "smart cards", True, False),
        ("cards smart", "smart cards", False, False),
        ("tcards", "smart cards", False, False),
    ],
)
def test_either_may_be_a_run_of_characters_of_the_other(
    predicted: str, gold: str, inwards: bool, outwards: bool
) -> None:
    """By characters of the normalised tokens joined by blanks, not by words."""
    for direction, expected in (
        ("predicted_in_gold", inwards),
        ("gold_in_predicted", outwards),
        ("either", inwards or outwards),
    ):
        assert (match([predicted], [gold], direction=direction).hits == (0,)) is expected


def test_matching_is_many_to_many() -> None:
    """Precision counts phrases, recall keyphrases: three of four, two of three."""
    found = match(["net", "nets", "grid nets", "city"], ["neural net", "nets", "tower"])
    assert found.related == ((1, 0), (1,), (1,), ())
    assert (found.hits, found.rules) == ((1, 1, 1, -1), ("substring", "substring", "substring", ""))
    precision, recall, f1 = Precision(), Recall(), F1()
    assert precision.value(precision.count(found)) == 3 / 4
    assert recall.value(recall.count(found)) == 2 / 3
    assert f1.value(f1.count(found)) == pytest.approx(2 * (3 / 4) * (2 / 3) / (3 / 4 + 2 / 3))
    assert RPrecision().count(found) == (3, 3)


def test_an_equal_keyphrase_comes_first() -> None:
    """Then alphabetical order."""
    assert match(["net"], ["neural net", "grid net", "net"]).related == ((2, 1, 0),)


def test_any_variant_will_do_and_a_keyphrase_is_named_once() -> None:
    """Both variants hold the phrase."""
    gold = [Gold(("quality of service", "service quality")), Gold(("service",))]
    found = Substring(absent="keep").match(["service"], gold, None)
    assert found.related == ((1, 0),)


def test_an_empty_phrase_or_keyphrase_hits_nothing() -> None:
    """Although '' is a run of characters of everything."""
    found = match(["", " ", "net", "!"], ["?", "net"], tokens="alphanumeric")
    assert (found.predicted, found.hits) == (1, (found.gold - 1,))
    assert match(["net"], ["?"], tokens="alphanumeric").hits == (-1,)
    assert match([], ["net"]).related == ()


def test_stems_are_compared_as_strings() -> None:
    """KPEval's way: "networking" and "networks" have one stem."""
    assert match(["networking"], ["neural networks"], normalize="porter").hits == (0,)
    assert match(["networking"], ["neural networks"]).hits == (-1,)


def test_phrases_in_the_text_can_be_taken_first() -> None:
    """Stable within both groups; positions and scores follow."""
    predicted = ["bridge", "net", "tower", "city"]
    found = match(predicted, ["nets", "city"], "a net in a city", order="present_first")
    assert [phrase.surface for phrase in found.phrases] == ["net", "city", "bridge", "tower"]
    assert (found.positions, found.hits) == ((1, 3, 0, 2), (0, 1, -1, -1))
    assert found.scored([4.0, 3.0, 2.0, 1.0]).scores == (3.0, 1.0, 4.0, 2.0)
    assert RPrecision().count(found) == (2, 2)
    assert RPrecision().count(match(predicted, ["nets", "city"], "a net in a city")) == (1, 2)


def test_the_test_for_presence_is_that_of_the_matching() -> None:
    """By characters, "net" stands in "planets"."""
    for presence, first in (("tokens", "city"), ("characters", "net")):
        found = match(["net", "city"], ["net"], "planets, city", order="present_first", presence=presence)
        assert found.phrases[0].surface == first


def test_without_a_text_nothing_can_be_taken_first() -> None:
    """Place, problem, remedy."""
    with pytest.raises(DataError) as caught:
        match(["net"], ["net"], order="present_first")
    assert str(caught.value) == (
        "matching 'substring': order: present_first needs the document's text; give documents with their "
        "text, or use order: ranked"
    )


WORDS = st.lists(st.text("ab ", max_size=5), max_size=6)


@given(predicted=WORDS, gold=WORDS.map(lambda gold: [one for one in gold if one.strip()]))
def test_the_two_directions_make_up_either(predicted: list[str], gold: list[str]) -> None:
    """Property."""
    inwards, outwards, either = (
        match(predicted, gold, direction=direction).related
        for direction in ("predicted_in_gold", "gold_in_predicted", "either")
    )
    assert inwards is not None and outwards is not None and either is not None
    for one, other, both in zip(inwards, outwards, either, strict=True):
        assert {*one, *other} == {*both}
        assert len(both) == len(set(both))
