"""Near duplicates of better phrases go."""

from __future__ import annotations

import pytest
from ranked_phrases import annotated, ranked, scored

from kpframe.errors import StageError
from kpframe.model import Document, Keyphrases, Ranked
from kpframe.postprocessing import similar
from kpframe.postprocessing.similar import Similar

TEXT = "neural networks . neural network . deep neural network . networks"


def test_a_phrase_that_is_almost_a_better_one_goes() -> None:
    """One letter of fifteen differs: 14/15 is above .8, and "networks" is far from all others."""
    before = ranked(TEXT, {"neural networks": 3, "neural network": 2, "networks": 1})
    assert list(scored(Similar().process(before))) == ["neural networks", "networks"]


def test_what_is_just_as_similar_as_allowed_stays() -> None:
    """Only above the limit is too much."""
    before = ranked("abcde . abcdx", {"abcde": 2, "abcdx": 1})
    assert len(Similar(above=0.8).process(before)) == 2
    assert len(Similar(above=0.79).process(before)) == 1


def test_what_was_dropped_drops_nothing() -> None:
    """b is like a, c is like b alone: c stays."""
    before = ranked("aaaaa . aaaab . aaabb", {"aaaaa": 3, "aaaab": 2, "aaabb": 1})
    assert list(scored(Similar(above=0.7).process(before))) == ["aaaaa", "aaabb"]


@pytest.mark.parametrize(
    ("measure", "value"), [("levenshtein", 3 / 5), ("indel", 6 / 10), ("jaro_winkler", 0.7867)]
)
def test_measures_are_those_of_the_documentation(measure: str, value: float) -> None:
    """ "abcde" and "abxye": two substitutions of five, four edits of ten; Jaro is 11/15."""
    before = ranked("abcde . abxye", {"abcde": 2, "abxye": 1})
    above = {"above": value - 0.02, "measure": measure}
    below = {"above": value + 0.02, "measure": measure}
    assert len(Similar.model_validate(above).process(before)) == 1
    assert len(Similar.model_validate(below).process(before)) == 2


def test_long_lists_are_worked_through_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is that of one block."""
    made = annotated("x")
    keys = [f"{letter * 6}{number}" for number in range(7) for letter in "abc"]
    entries = tuple(Ranked(key, key, -float(rank), ((0, 1),)) for rank, key in enumerate(keys))
    before = Keyphrases(Document("d", "x"), made, entries)
    whole = [entry.key for entry in Similar().process(before)]
    assert whole == ["aaaaaa0", "bbbbbb0", "cccccc0"]
    monkeypatch.setattr(similar, "_BLOCK", 4)
    assert [entry.key for entry in Similar().process(before)] == whole


def test_a_list_that_would_take_minutes_is_refused() -> None:
    """The error says what to put before it."""
    before = ranked("one . two . three", {"one": 3, "two": 2, "three": 1})
    assert len(Similar(max_phrases=3).process(before)) == 3
    with pytest.raises(StageError, match=r"3 phrases; time grows .* put \{kind: top, number: 2\} before it"):
        Similar(max_phrases=2).process(before)
