"""Filters by length, rank and score."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_phrases import ranked

from kpframe.errors import SpecError
from kpframe.postprocessing.char_length import CharLength
from kpframe.postprocessing.min_score import MinScore
from kpframe.postprocessing.token_length import TokenLength
from kpframe.postprocessing.top import Top


def test_token_bounds_are_inclusive() -> None:
    """The Structure figures of the original tests: 1–4 tokens keep three phrases, 2–4 one."""
    text = "This chunk of seven tokens is long. This is a short example. This works."
    phrases = {"This chunk of seven tokens is long": 4.0, "This": 3.0, "a short example": 2.0, "works": 1.0}
    assert TokenLength().process(ranked(text, phrases)).surfaces == ["This", "a short example", "works"]
    assert TokenLength(min=2).process(ranked(text, phrases)).surfaces == ["a short example"]
    assert len(TokenLength(min=1, max=None).process(ranked(text, phrases))) == 4


def test_tokens_are_those_of_the_text() -> None:
    """A compound is one token; a label that is not in the text is counted by itself."""
    before = ranked("state-of-the-art methods, CO2", {"state-of-the-art methods": 2.0, "CO2": 1.0})
    assert TokenLength(max=2).process(before).surfaces == ["state-of-the-art methods", "CO2"]
    labelled = before.replaced(
        [e._replace(surface="carbon dioxide") if e.key == "co2" else e for e in before]
    )
    assert TokenLength(min=2, max=2).process(labelled).surfaces == [
        "state-of-the-art methods",
        "carbon dioxide",
    ]


def test_character_bounds_are_inclusive() -> None:
    """The character-length figures of the original tests: 4–10 keeps Give and name."""
    text = "Give a man a extraordinary name."
    before = ranked(text, {"Give": 5.0, "a": 4.0, "man": 3.0, "extraordinary": 2.0, "name": 1.0})
    assert CharLength(min=4, max=10).process(before).surfaces == ["Give", "name"]


def test_single_characters_go_by_default() -> None:
    """Without parameters the character filter removes one-letter phrases alone."""
    before = ranked("a go 1", {"a": 3.0, "go": 2.0, "1": 1.0})
    assert CharLength().process(before).surfaces == ["go"]


@pytest.mark.parametrize("kind", [TokenLength, CharLength])
def test_bounds_that_keep_nothing_are_refused(kind: Any) -> None:
    """min above max is a mistake."""
    with pytest.raises(SpecError, match="min 5 is greater than max 3, nothing could be kept"):
        kind(min=5, max=3)


def test_fifty_of_three_are_three() -> None:
    """More than there is, is all there is."""
    before = ranked("a b c", {"a": 3.0, "b": 2.0, "c": 1.0})
    assert Top(number=50).process(before).surfaces == ["a", "b", "c"]
    assert Top(number=2).process(before).surfaces == ["a", "b"]


def test_a_share_never_rounds_down_to_nothing() -> None:
    """A third of one or two phrases is one phrase; of none it is none."""
    assert Top(share=0.33).process(ranked("Lisbon", {"Lisbon": 1.0})).surfaces == ["Lisbon"]
    assert Top(share=0.33).process(ranked("May Lisbon", {"May": 2.0, "Lisbon": 1.0})).surfaces == ["May"]
    assert Top(share=0.001).process(ranked("May Lisbon", {"May": 2.0, "Lisbon": 1.0})).surfaces == ["May"]
    assert Top(share=0.33).process(ranked("", {})).surfaces == []


@pytest.mark.parametrize(
    ("share", "count", "kept"), [(0.1, 30, 3), (0.2, 15, 3), (1.0, 7, 7), (0.5, 7, 4), (2 / 3, 3, 2)]
)
def test_a_share_is_the_decimal_that_was_written(share: float, count: int, kept: int) -> None:
    """0.1 × 30 is 3.0000000000000004 in binary, and 3 phrases all the same."""
    words = [f"w{i}" for i in range(count)]
    before = ranked(" ".join(words), dict.fromkeys(words, 1.0))
    assert len(Top(share=share).process(before)) == kept


def test_a_third_is_kept_by_default() -> None:
    """Without number and share, and the parameters say so."""
    assert Top().to_spec() == {"kind": "top", "number": None, "share": 1 / 3, "rounding": "up"}
    assert Top(number=5).to_spec() == {"kind": "top", "number": 5, "share": None, "rounding": "up"}
    assert len(Top().process(ranked("a b c d", dict.fromkeys("abcd", 1.0)))) == 2


def test_number_and_share_exclude_one_another() -> None:
    """Exactly one of them."""
    with pytest.raises(SpecError, match="number and share exclude one another, give one of them"):
        Top(number=3, share=0.5)


@pytest.mark.parametrize(
    "parameters", [{"number": 0}, {"share": 0.0}, {"share": 1.1}, {"share": float("nan")}]
)
def test_limits_out_of_range_are_refused(parameters: dict[str, Any]) -> None:
    """At least one phrase; a share above 0 and at most 1."""
    with pytest.raises(SpecError):
        Top(**parameters)


@given(share=st.floats(0.001, 1.0), count=st.integers(1, 40))
def test_a_share_keeps_between_one_and_all(share: float, count: int) -> None:
    """Property: never none, never more than there are."""
    words = [f"w{i}" for i in range(count)]
    found = Top(share=share).process(ranked(" ".join(words), dict.fromkeys(words, 1.0)))
    assert 1 <= len(found) <= count


def test_low_scores_go() -> None:
    """The bound itself is kept."""
    before = ranked("a b c", {"a": 0.5, "b": 0.25, "c": -1.0})
    assert MinScore(min=0.25).process(before).surfaces == ["a", "b"]
    assert MinScore().process(before).surfaces == ["a", "b"]


@pytest.mark.parametrize("bound", [float("nan"), float("inf")])
def test_a_bound_that_is_no_number_is_refused(bound: float) -> None:
    """Nothing compares with NaN."""
    with pytest.raises(SpecError, match="finite number"):
        MinScore(min=bound)
