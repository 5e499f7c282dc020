"""Joining phrases that stand side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_phrases import ranked, scored, spans

from kpframe.errors import SpecError
from kpframe.model import Candidates, Keyphrases
from kpframe.postprocessing.merge_adjacent import MergeAdjacent


def test_neighbours_become_one_phrase_with_the_better_score() -> None:
    """The Merger figures of the original framework's tests, maximum 6."""
    found = MergeAdjacent(places="all", max_tokens=6).process(
        ranked("example sentence funny. second example.", {"example": 0.7, "sentence funny": 0.5})
    )
    assert scored(found) == {"example sentence funny": 0.7}


def test_nothing_is_joined_beyond_the_maximum() -> None:
    """The Merger figures of the original framework's tests, maximum 2."""
    before = ranked("example sentence funny", {"example": 0.7, "sentence funny": 0.5})
    assert MergeAdjacent(places="all", max_tokens=2).process(before) is before


@pytest.mark.parametrize(
    ("maximum", "joined"),
    [
        (1, list("abcde")),
        (2, ["a b", "c d", "e"]),
        (3, ["a b c", "d e"]),
        (4, ["a b c d", "e"]),
        (5, ["a b c d e"]),
    ],
)
def test_runs_are_maximal_from_the_left(maximum: int, joined: list[str]) -> None:
    """Five units: the original's pairwise doubling gives the same for 4, but "c d e" for 3."""
    before = ranked("a b c d e", dict.fromkeys("abcde", 1.0))
    assert MergeAdjacent(places="all", max_tokens=maximum).process(before).surfaces == joined


@pytest.mark.parametrize(("rule", "score"), [("max", 0.5), ("sum", 0.75), ("mean", 0.375)])
def test_the_score_follows_the_rule(rule: str, score: float) -> None:
    """max, sum and mean over the parts."""
    before = ranked("neural networks", {"neural": 0.25, "networks": 0.5})
    assert scored(MergeAdjacent(places="all", score=rule).process(before)) == {"neural networks": score}


def test_an_entry_whose_first_place_was_joined_is_gone() -> None:
    """One whose later places were joined keeps the others, and is shown in a form that is left."""
    text = "Networks, networks: neural networks forget. Neural Networks!"
    found = MergeAdjacent(places="all").process(ranked(text, {"neural": 2.0, "networks": 1.0}))
    assert spans(found) == {
        "neural networks": ["neural networks", "Neural Networks"],
        "Networks": ["Networks", "networks"],
    }


def test_an_entry_lends_its_score_at_its_first_place_only() -> None:
    """One frequent word cannot fill the top of the list with its neighbours."""
    text = "kelp forests, kelp beds, kelp."
    found = MergeAdjacent(places="all").process(ranked(text, {"kelp": 3.0, "forests": 2.0, "beds": 1.0}))
    assert scored(found) == {"kelp forests": 3.0, "kelp beds": 1.0}


def test_parts_stay_if_asked() -> None:
    """keep_parts leaves every place of every part."""
    before = ranked("neural networks", {"neural": 2.0, "networks": 1.0})
    found = MergeAdjacent(places="all", keep_parts=True).process(before)
    assert scored(found) == {"neural": 2.0, "neural networks": 2.0, "networks": 1.0}


@pytest.mark.parametrize("between", [", ", " (", " and ", " - ", ". "])
def test_anything_but_white_space_separates(between: str) -> None:
    """Punctuation, words and sentence ends are boundaries."""
    before = ranked(f"red{between}green", {"red": 2.0, "green": 1.0})
    assert MergeAdjacent(places="all").process(before).surfaces == ["red", "green"]


@pytest.mark.parametrize("between", [" ", "  ", "\n", "\t \n"])
def test_any_white_space_joins(between: str) -> None:
    """Runs of white space and line breaks are white space; the surface shows one space."""
    before = ranked(f"red{between}green", {"red": 2.0, "green": 1.0})
    assert MergeAdjacent(places="all").process(before).surfaces == ["red green"]


def test_a_sentence_end_without_a_full_stop_separates() -> None:
    """A headline and the first sentence are not one phrase, though only a line break stands between."""
    before = ranked("Storm\nRain", {"storm": 2.0, "rain": 1.0})
    cut = before.annotations.with_layers(sentences=np.array([[0, 1], [1, 2]], dtype=np.int32))
    apart = Keyphrases(before.document, cut, before.entries)
    assert MergeAdjacent(places="all").process(apart).surfaces == ["Storm", "Rain"]


def test_what_is_no_token_separates_too() -> None:
    """Annotations that a document brings may leave punctuation out: neighbours in tokens, not in the text."""
    before = ranked("red  green", {"red": 2.0, "green": 1.0})
    brought = replace(before.annotations, text="red, green")
    found = Keyphrases(before.document, brought, before.entries)
    assert MergeAdjacent(places="all").process(found).surfaces == ["red", "green"]


def test_overlapping_candidates_are_never_joined() -> None:
    """N-grams: the selection has offered the longer phrases already."""
    before = ranked(
        "deep neural networks", {"deep neural": 3.0, "neural networks": 2.0, "deep": 1.0, "networks": 0.5}
    )
    assert MergeAdjacent(places="all").process(before) is before


def test_a_free_phrase_does_not_join_one_that_is_overlapped() -> None:
    """ "graph" is free, "search" lies inside "search engine"."""
    before = ranked("graph search engine", {"graph": 3.0, "search": 2.0, "search engine": 1.0})
    assert MergeAdjacent(places="all").process(before) is before


def test_one_overlap_forbids_joining_in_the_whole_document() -> None:
    """A selection that offers overlapping candidates has offered the longer phrases itself."""
    text = "fuzzy logic controller, and rough sets."
    before = ranked(text, {"fuzzy": 4.0, "fuzzy logic": 3.0, "rough": 2.0, "sets": 1.0})
    assert MergeAdjacent(places="all").process(before) is before


def test_with_first_places_each_entry_goes_into_one_phrase_at_most() -> None:
    """ "neural" stands for its first place; the later "neural nets" is not joined."""
    text = "neural systems work. neural nets work too."
    before = ranked(text, {"neural": 3.0, "systems": 2.0, "nets": 1.0})
    assert spans(MergeAdjacent().process(before)) == {
        "neural systems": ["neural systems"],
        "nets": ["nets"],
    }
    assert set(spans(MergeAdjacent(places="all").process(before))) == {"neural systems", "neural nets"}


def test_equal_joined_phrases_are_one_entry_in_their_most_frequent_form() -> None:
    """Places in text order, the commonest form shown."""
    text = "Neural Networks. neural networks. neural networks."
    found = MergeAdjacent(places="all").process(ranked(text, {"neural": 2.0, "networks": 1.0}))
    assert spans(found) == {"neural networks": ["Neural Networks", "neural networks", "neural networks"]}


def test_the_best_place_counts_where_the_parts_differ() -> None:
    """ "a b" + "c" (best 1) and "a" + "b c" (best 3) are the same phrase."""
    before = ranked("a b c. a b c.", {"a": 1.0, "b": 1.0, "c": 1.0})
    (a, b, c), replaced = sorted(before.entries, key=lambda e: e.key), []
    replaced.append(a._replace(key="a b", places=((0, 2),), surface="a b"))
    replaced.append(c._replace(places=((2, 3),)))
    replaced.append(a._replace(places=((4, 5),)))
    replaced.append(b._replace(key="b c", places=((5, 7),), surface="b c", score=3.0))
    found = MergeAdjacent(places="all").process(before.replaced(replaced))
    assert [(e.key, e.score, e.places) for e in found] == [("a b c", 3.0, ((0, 3), (4, 7)))]


def test_a_joined_phrase_that_exists_is_united_with_it() -> None:
    """ "data mining" is a candidate of its own elsewhere: all places, the higher score."""
    text = "data mining works. data mining, data."
    before = ranked(text, {"data": 1.0, "mining": 5.0, "data mining": 2.0})
    entries = [
        e._replace(places=e.places[:1]) if e.key != "data mining" else e._replace(places=e.places[1:])
        for e in before
    ]
    found = MergeAdjacent(places="all").process(before.replaced(entries))
    assert [(e.key, e.score, e.places) for e in found] == [("data mining", 5.0, ((0, 2), (4, 6)))]


def test_a_label_that_is_not_in_the_text_stays_the_label() -> None:
    """An entry of a vocabulary is shown by its preferred form wherever it stands."""
    before = ranked("CO2, high CO2.", {"high": 1.0, "CO2": 2.0})
    entries = [
        e._replace(key="carbon dioxide", surface="carbon dioxide") if e.key == "co2" else e for e in before
    ]
    found = MergeAdjacent(places="all").process(before.replaced(entries))
    assert spans(found) == {"high CO2": ["high CO2"], "carbon dioxide": ["CO2"]}


def test_an_empty_text_stays_empty() -> None:
    """No candidates, no crash."""
    before = ranked("", {})
    assert len(MergeAdjacent(places="all").process(before)) == 0


def test_a_maximum_of_zero_is_refused() -> None:
    """A phrase has at least one token."""
    with pytest.raises(SpecError, match=r"max_tokens: must be at least 1"):
        MergeAdjacent(places="all", max_tokens=0)


@given(
    words=st.lists(st.sampled_from(["a", "b", "c", ".", ",", "and"]), max_size=25),
    places=st.sets(st.tuples(st.integers(0, 24), st.integers(1, 3)), max_size=20),
    maximum=st.integers(1, 5),
    keep_parts=st.booleans(),
)
@pytest.mark.slow
def test_offsets_stay_valid(
    words: list[str], places: set[tuple[int, int]], maximum: int, keep_parts: bool
) -> None:
    """Places stay inside one sentence, keys distinct, and every surface is a slice at its places."""
    before = ranked(" ".join(words), {})
    inside = before.annotations.sentence_of
    spans_ = [(b, b + n) for b, n in places if b + n <= len(words) and inside[b] == inside[b + n - 1]]
    candidates = Candidates.build(before.document, before.annotations, spans_)
    ranked_ = Keyphrases.ranked(candidates, range(len(candidates)))
    found = MergeAdjacent(places="all", max_tokens=maximum, keep_parts=keep_parts).process(ranked_)
    assert len({e.key for e in found}) == len(found)
    for entry in found:
        assert list(entry.places) == sorted(set(entry.places))
        assert entry.surface in {found.annotations.surface(b, e) for b, e in entry.places}
        assert all(inside[b] == inside[e - 1] for b, e in entry.places)
    covered = {t for e in ranked_ for b, end in e.places for t in range(b, end)}
    assert {t for e in found for b, end in e.places for t in range(b, end)} == covered
