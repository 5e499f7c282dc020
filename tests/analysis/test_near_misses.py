"""Near misses by place, form and word class."""

from __future__ import annotations

import json

import pytest
from families import every
from hypothesis import given
from hypothesis import strategies as st

from kpframe.analysis.near_misses import missed_pairs, near_miss, near_misses
from kpframe.errors import DataError
from kpframe.model import Gold, Matches
from kpframe.stages import Matching
from kpframe.stages.registry import lookup


@every(
    ("predicted", "keyphrase", "place", "longer"),
    [
        ("r s", "p q r s", "head", "keyphrase"),
        ("p q", "p q r s", "first", "keyphrase"),
        ("q r", "p q r s", "middle", "keyphrase"),
        ("p q r s", "r s", "head", "predicted"),
        ("p q r s", "p q", "first", "predicted"),
        ("p q r s", "q r", "middle", "predicted"),
        ("p s", "p q r s", "head", "keyphrase"),
        ("v q", "w q", "head", "neither"),
        ("p v", "p w", "first", "neither"),
        ("v q w", "p q r", "middle", "neither"),
        ("algorithm computing", "computing algorithm", "head", "neither"),
        ("computing algorithms", "effective grid computing algorithm", "head", "keyphrase"),
        ("effective grid", "effective grid computing algorithm", "first", "keyphrase"),
        ("grid computing", "effective grid computing algorithm", "middle", "keyphrase"),
    ],
)
def test_the_place_of_an_overlap(predicted: str, keyphrase: str, place: str, longer: str) -> None:
    """Section 4.3: RS, PQ and QR of PQRS, for either phrase being the longer one."""
    found = near_miss(predicted, keyphrase)
    assert found is not None
    assert (found.place, found.longer) == (place, longer)


@pytest.mark.parametrize(
    ("predicted", "keyphrase", "place"),
    [
        ("service", "quality of service", "middle"),
        ("quality", "quality of service", "head"),
        ("service quality", "quality of service", "head"),
        ("grid computing", "performance of grid computing", "middle"),
        ("effective performance", "effective performance of grids", "head"),
        ("effective method", "effective performance of grids", "first"),
        ("offline process", "off line processing", "head"),
    ],
)
def test_the_head_stands_before_a_preposition(predicted: str, keyphrase: str, place: str) -> None:
    """ "quality" in "quality of service"; a preposition at an end of a phrase is none."""
    found = near_miss(predicted, keyphrase)
    assert found is not None
    assert found.place == place


@pytest.mark.parametrize(
    ("keyphrase", "form"),
    [
        ("mobile network", "simple"),
        ("quality of network", "pp"),
        ("incentive for network cooperation", "pp"),
        ("network and scalability", "cc"),
        ("task and network allocation in agent system", "pp"),
        ("off network processing", "simple"),
        ("of network", "simple"),
    ],
)
def test_the_form_of_the_longer_phrase(keyphrase: str, form: str) -> None:
    """Section 5.2 with the examples of section 2; a preposition comes before a conjunction."""
    for pair in ((keyphrase, "network"), ("network", keyphrase)):
        found = near_miss(*pair)
        assert found is not None
        assert found.form == form


@pytest.mark.parametrize(
    ("tags", "classes"),
    [
        (["NN", "NN"], "nn"),
        (["NNP", "NNS"], "nn"),
        (["JJ", "NN"], "adjn"),
        (["JJR", "NNS"], "adjn"),
        (["JJ", "JJ"], "adjn"),
        (["VBG", "NN"], None),
        (["RB", "JJ"], None),
    ],
)
def test_word_classes_need_tags(tags: list[str], classes: str | None) -> None:
    """Nouns alone, adjectives among them, or something else; without tags nothing is guessed."""
    found = near_miss("network", "mobile network", tags={"mobile network": tags})
    assert found is not None
    assert found.classes == classes
    for missing in (None, {}, {"network": ["NN"]}):
        untagged = near_miss("network", "mobile network", tags=missing)
        assert untagged is not None
        assert untagged.classes is None


def test_tags_decide_what_is_a_preposition_and_what_is_content() -> None:
    """Function words do not count among the classes; TO is a preposition."""
    tags = {
        "access to open data": ["NN", "TO", "JJ", "NNS"],
        "like terms": ["JJ", "NNS"],
        "users' data": ["NNS", "POS", "NNS"],
    }
    access = near_miss("data", "access to open data", tags)
    assert access is not None
    assert (access.form, access.classes, access.place) == ("pp", "adjn", "middle")
    like = near_miss("terms", "like terms", tags)
    assert like is not None
    assert (like.form, like.classes) == ("simple", "adjn")


def test_tags_must_be_as_many_as_tokens() -> None:
    """The tokens are told, so that the mistake can be seen."""
    with pytest.raises(DataError) as caught:
        near_miss("network", "mobile network", {"mobile network": ["NN"]})
    assert str(caught.value) == (
        "'mobile network': has 1 tags for 2 tokens (mobile network); give one Penn tag for each token"
    )


@pytest.mark.parametrize(
    ("predicted", "keyphrase"),
    [
        ("mobile network", "Mobile  networks"),
        ("red kite", "grey heron"),
        ("quality of service", "theory of games"),
        ("cats and dogs", "bread and butter"),
        ("the cat", "the dog"),
        ("", "mobile network"),
        ("mobile network", " "),
        ("", ""),
        ("of", "of the"),
        ("?!", "?! ("),
    ],
)
def test_equal_and_unrelated_phrases_are_no_near_misses(predicted: str, keyphrase: str) -> None:
    """Nor are phrases that share only function words."""
    assert near_miss(predicted, keyphrase) is None


def test_being_part_of_the_other_is_noted() -> None:
    """The data of the paper are of this sort alone."""
    for pair, expected in (
        (("grid computing", "effective grid computing"), True),
        (("effective computing", "effective grid computing"), False),
        (("grids computed", "effective grid computing"), True),
    ):
        found = near_miss(*pair)
        assert found is not None
        assert found.contained is expected


def test_near_misses_are_counted_by_class() -> None:
    """Of four pairs three are near misses."""
    found = near_misses(
        [
            ("grid computing", "effective grid computing"),
            ("effective grid computing", "effective grid"),
            ("service", "quality of service"),
            ("red kite", "grey heron"),
        ],
        tags={"effective grid computing": ["JJ", "NN", "NN"]},
    )
    assert (found.pairs, len(found.found)) == (4, 3)
    assert found.places == {"head": 1, "first": 1, "middle": 1}
    assert found.forms == {"simple": 2, "pp": 1, "cc": 0}
    assert found.classes == {"adjn": 2, "nn": 0, "unknown": 1}
    assert found.places_by_longer == {
        "keyphrase": {"head": 1, "first": 0, "middle": 1},
        "predicted": {"head": 0, "first": 1, "middle": 0},
        "neither": {"head": 0, "first": 0, "middle": 0},
    }
    written = json.loads(json.dumps(found.to_json()))
    assert (written["pairs"], written["near_misses"]) == (4, 3)
    assert written["places"] == found.places
    assert written["found"][0] == {
        "predicted": "grid computing",
        "keyphrase": "effective grid computing",
        "place": "head",
        "form": "simple",
        "classes": "adjn",
        "longer": "keyphrase",
        "contained": True,
    }


def matched(predicted: list[str], gold: list[Gold]) -> Matches:
    """Exact matches of stems, absent gold kept."""
    matching = lookup("matching", "exact")(normalize="porter", absent="keep")
    assert isinstance(matching, Matching)
    return matching.match(predicted, gold, None)


def test_the_misses_of_a_document_meet_all_its_gold_keyphrases() -> None:
    """In rank order, hits left out; the variant that is a near miss stands for its keyphrase."""
    gold = [Gold(("grid computing",)), Gold(("QoS", "quality of service"))]
    matches = matched(["Grid Computing", "service", "kites"], gold)
    assert list(missed_pairs(matches)) == [
        ("service", "grid computing"),
        ("service", "quality of service"),
        ("kites", "grid computing"),
        ("kites", "QoS"),
    ]
    assert near_misses(missed_pairs(matches)).places == {"head": 0, "first": 0, "middle": 1}


def test_matches_without_phrases_are_refused() -> None:
    """There is nothing to classify."""
    with pytest.raises(DataError) as caught:
        list(missed_pairs(Matches(hits=(-1,), rules=("",), gold=1)))
    assert str(caught.value) == (
        "near misses: the matching did not keep the phrases that it compared; "
        "use a matching of kpframe, or give it `positions` and `given`"
    )
    assert list(missed_pairs(Matches(hits=(), rules=(), gold=1))) == []


phrases = st.lists(st.sampled_from(["q", "b", "of", "and", "the", "-", "kites", "kite"]), max_size=5).map(
    " ".join
)


@given(phrases, phrases)
def test_any_pair_has_classes_or_none(predicted: str, keyphrase: str) -> None:
    """Exchanging phrases of different lengths exchanges which one is longer, and nothing else."""
    one, other = near_miss(predicted, keyphrase), near_miss(keyphrase, predicted)
    assert (one is None) is (other is None)
    if one is not None and other is not None and one.longer != "neither":
        assert (one.place, one.form, one.contained) == (other.place, other.form, other.contained)
        assert {one.longer, other.longer} == {"keyphrase", "predicted"}
