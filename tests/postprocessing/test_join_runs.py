"""Phrases put together from the words that were kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from ranked_phrases import annotated

from kpframe.model import Candidates, Document, Keyphrases, Place
from kpframe.postprocessing.join_runs import JoinRuns
from kpframe.postprocessing.top import Top


def keyphrases(
    text: str,
    scores: dict[str, float],
    places: list[Place] | None = None,
    key: Callable[[Place], str] | None = None,
) -> Keyphrases:
    """The words of `scores`, at `places` or wherever they stand."""
    made = annotated(text)
    found = places or [(i, i + 1) for i, word in enumerate(made.folded_words) if word in scores]
    candidates = Candidates.build(Document("d", text), made, found, key=key)
    return Keyphrases.ranked(candidates, [scores[key] for key in candidates.keys])


def joined(before: Keyphrases, **options: str) -> dict[str, float]:
    """Keys and scores after joining."""
    return {entry.key: entry.score for entry in JoinRuns.model_validate(options).process(before)}


def test_words_side_by_side_become_a_phrase() -> None:
    """Wherever they stand so; a word by itself stays where it stands alone."""
    before = keyphrases("red kites and kites and red kites", scores={"red": 1.0, "kites": 2.0})
    made = JoinRuns().process(before)
    assert [(e.key, e.score, e.places) for e in made] == [
        ("red kites", 3.0, ((0, 2), (5, 7))),
        ("kites", 2.0, ((3, 4),)),
    ]


def test_runs_have_any_length_but_end_with_the_sentence() -> None:
    """Five words are one phrase."""
    before = keyphrases("a b c d e. a b", dict.fromkeys("abcde", 1.0))
    assert joined(before) == {"a b c d e": 5.0, "a b": 2.0}
    adjacent = keyphrases("a b. c", {"a": 1.0, "b": 1.0, ".": 1.0, "c": 1.0})
    assert joined(adjacent) == {"a b .": 3.0, "c": 1.0}


@pytest.mark.parametrize(("score", "expected"), [("sum", 3.0), ("max", 2.0), ("mean", 1.5)])
def test_a_phrase_has_a_score_made_of_its_words(score: str, expected: float) -> None:
    """Their sum, as published, or the greatest, or the mean."""
    assert joined(keyphrases("red kites", scores={"red": 1.0, "kites": 2.0}), score=score) == {
        "red kites": expected
    }


def test_a_word_is_marked_wherever_it_stands() -> None:
    """Not only where it was a candidate: `switching` is a verb the first time."""
    scores = {"switching": 1.0, "line": 2.0}
    before = keyphrases("switching line and switching", scores=scores, places=[(1, 2), (3, 4)])
    assert joined(before) == {"switching line": 3.0, "switching": 1.0}
    assert joined(before, mark="places") == {"line": 2.0, "switching": 1.0}


def test_words_known_by_their_stems_are_marked_too() -> None:
    """With the stemmer that made their keys."""
    before = keyphrases(
        "switching line switches", {"switch": 2.0}, places=[(0, 1)], key=lambda place: "switch"
    )
    assert joined(before, stem="porter") == {"switch": 2.0}
    assert [entry.places for entry in JoinRuns(stem="porter").process(before)] == [((0, 1), (2, 3))]
    assert [entry.places for entry in JoinRuns().process(before)] == [((0, 1),)]


def test_phrases_are_joined_as_a_whole_and_overlaps_become_one_run() -> None:
    """Each part counts once."""
    before = keyphrases("a b c d", scores={"a b": 1.0, "b c": 2.0, "d": 4.0}, places=[(0, 2), (1, 3), (3, 4)])
    assert joined(before) == {"a b b c d": 7.0}


def test_nothing_is_made_of_nothing() -> None:
    """No keyphrases."""
    assert joined(keyphrases("a b", scores={"c": 1.0})) == {}


def test_a_share_may_be_rounded_down() -> None:
    """A third of five words is one, or two; of two none, or one."""
    five = keyphrases("a b c d e", scores=dict.fromkeys("abcde", 1.0))
    two = keyphrases("a b", scores=dict.fromkeys("ab", 1.0))
    kept = [len(Top(share=0.33, rounding=way).process(k)) for way in ("down", "up") for k in (five, two)]
    assert kept == [1, 0, 2, 1]
