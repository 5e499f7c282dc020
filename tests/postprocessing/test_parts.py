"""Parts of phrases behind them, where a text has few."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpframe.errors import SpecError
from kpframe.model import Document, Keyphrases, Place, Ranked
from kpframe.postprocessing.parts import Parts
from kpframe.preprocessing.simple import Simple

WORDS = {
    "spatial": "ADJ", "data": "NOUN", "mining": "NOUN", "finds": "VERB", "new": "ADJ", "places": "NOUN",
    "of": "ADP",
}  # fmt: skip


def ranked(text: str, phrases: dict[tuple[Place, ...], float]) -> Keyphrases:
    """Phrases at places in a text of the words above, best first."""
    document = Document("d", text)
    made = Simple().annotate(document, None)
    tags = [WORDS[word] for word in text.split()]
    names = sorted(set(tags))
    pos = np.array([len(made.vocabulary) + names.index(tag) for tag in tags], dtype=np.int32)
    made = made.with_layers(vocabulary=(*made.vocabulary, *names), pos=pos)
    entries = [
        Ranked(made.surface(*places[0]).casefold(), made.surface(*places[0]), score, places)
        for places, score in phrases.items()
    ]
    return Keyphrases(document, made, tuple(entries))


def test_parts_follow_phrase_by_phrase_the_longer_first() -> None:
    """Each ends in a noun; an adjective alone is none; what is a phrase already is not added."""
    given = ranked("spatial data mining finds new places", {((0, 3),): 4.0, ((4, 6),): 2.0, ((2, 3),): 1.0})
    assert Parts().process(given).surfaces == [
        "spatial data mining", "new places", "mining", "spatial data", "data mining", "data", "places",
    ]  # fmt: skip


def test_scores_go_down_from_the_last_phrase_and_stay_positive() -> None:
    """So that ranks are kept, and sums and probabilities stay what they are."""
    made = Parts().process(ranked("data mining finds new places", {((0, 2),): 0.5, ((3, 5),): 0.2}))
    assert made.surfaces == ["data mining", "new places", "data", "mining", "places"]
    scores = [entry.score for entry in made.entries]
    assert scores[:2] == [0.5, 0.2]
    assert np.allclose(scores[2:], [0.15, 0.1, 0.05])


def test_scores_below_zero_go_down_too() -> None:
    """A ranking may have any scores; of 0 the steps are parts of 1."""
    made = Parts().process(ranked("data mining", {((0, 2),): 0.0}))
    assert [round(entry.score, 3) for entry in made.entries] == [0.0, -0.333, -0.667]
    made = Parts().process(ranked("data mining", {((0, 2),): -3.0}))
    assert [entry.score for entry in made.entries] == [-3.0, -4.0, -5.0]


def test_a_text_with_enough_phrases_is_left_as_it_is() -> None:
    """The list itself comes back, so that nothing is evaluated again; so it is with no phrase at all."""
    given = ranked("data mining finds new places", {((0, 2),): 2.0, ((3, 5),): 1.0})
    assert Parts(until=2).process(given) is given
    assert Parts(until=3).process(given).surfaces == ["data mining", "new places", "data"]
    nothing = given.kept(())
    assert Parts().process(nothing) is nothing


def test_a_part_has_all_places_that_phrases_give_it() -> None:
    """And none outside them."""
    text = "data mining of spatial data of data"
    made = Parts().process(ranked(text, {((0, 2),): 2.0, ((3, 5),): 1.0}))
    assert {entry.surface: entry.places for entry in made.entries}["data"] == ((0, 1), (4, 5))


def test_of_a_phrase_that_is_too_long_first_come_parts_that_do_not_overlap() -> None:
    """From its last word on; then the others, and single words."""
    text = "new spatial data mining places"
    made = Parts(max_tokens=3, until=9).process(ranked(text, {((0, 5),): 2.0}))
    assert made.surfaces[1:] == [
        "data mining places", "mining places", "spatial data", "new spatial data", "spatial data mining",
        "data mining", "data", "mining", "places",
    ]  # fmt: skip
    one = Parts(max_tokens=4, until=3).process(ranked(text, {((0, 5),): 2.0}))
    assert one.surfaces[1:] == ["new spatial data mining", "spatial data mining places", "new spatial data"]


def test_long_parts_are_none() -> None:
    """A phrase of very many tokens would have their square."""
    given = ranked("data " * 60, {((0, 60),): 1.0})
    assert Parts(max_tokens=2).process(given).surfaces[1:] == ["data data", "data"]


def test_single_words_can_be_left_out() -> None:
    """A setting for whoever reads the lists: "data" of "data mining" says little by itself."""
    given = ranked("spatial data mining", {((0, 3),): 1.0})
    assert Parts(min_tokens=2).process(given).surfaces[1:] == ["spatial data", "data mining"]


def test_phrases_that_are_too_long_for_a_part_are_not_counted() -> None:
    """A filter by length takes them out of the list later."""
    given = ranked("data " * 5, {((0, 5),): 1.0})
    assert Parts(until=1).process(given).surfaces == ["data data data data data", "data data data data"]
    with pytest.raises(SpecError, match="no part could be added"):
        Parts(min_tokens=5)


def test_what_ends_a_part_can_be_said() -> None:
    """Parts of speech as in specs."""
    given = ranked("spatial data mining", {((0, 3),): 1.0})
    assert Parts(ends=("adjective",)).process(given).surfaces[1:] == ["spatial"]
    assert Parts(pos=("noun",)).process(given).surfaces[1:] == ["data mining", "data", "mining"]
    assert Parts().requires() == {"pos"}


@given(st.lists(st.sampled_from(sorted(WORDS)), min_size=2, max_size=12), st.data())
def test_what_was_there_stays_first(words: list[str], data: st.DataObject) -> None:
    """In any text: the phrases with their scores, then parts, distinct, at most as many as asked for."""
    cut = data.draw(st.integers(1, len(words) - 1))
    phrases: dict[tuple[Place, ...], float] = {((0, cut),): 2.0}
    if words[:cut] != words[cut:]:
        phrases[(cut, len(words)),] = 1.0
    before = ranked(" ".join(words), phrases)
    after = Parts(until=4).process(before)
    assert after.entries[: len(before)] == before.entries
    long = sum(end - begin > 4 for ((begin, end),) in phrases)
    assert len(after) <= max(4 + long, len(before))
    keys = [entry.key for entry in after.entries]
    assert len(set(keys)) == len(keys)
