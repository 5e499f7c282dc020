"""What of the matches of a pattern becomes a candidate: tokens that are no words, stems, filters."""

from __future__ import annotations

from typing import Any

import pytest
from annotated_texts import annotated, select

from kpframe.candidates.pos_pattern import PosPattern
from kpframe.errors import SpecError
from kpframe.model import Candidates

RUNS = ("(noun|adjective)+",)


def keys(text: str, pos: str, **options: Any) -> list[str]:
    """The keys of the longest runs of nouns and adjectives."""
    found: Candidates = select(PosPattern(patterns=RUNS, **options), annotated(text, pos=pos))
    return list(found.keys)


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("words", ["red kites", "hills"]),
        ("alphanumeric", ["red kites", "hills", "www.ex.org"]),
        ("any", ["red kites % hills", "www.ex.org"]),
        ("plain", ["red kites", "hills"]),
    ],
)
def test_tags_alone_may_decide_or_the_characters_too(tokens: str, expected: list[str]) -> None:
    """A sign and an address that the tagger took for nouns."""
    found = keys("red kites % hills of www.ex.org", "ADJ NOUN NOUN NOUN ADP PROPN", tokens=tokens)
    assert found == expected


def test_equal_stems_are_one_candidate() -> None:
    """Shown in the form that stands there first."""
    text, pos = "red kites and red kite", "ADJ NOUN CCONJ ADJ NOUN"
    assert keys(text, pos, stem="porter") == ["red kite"]
    found = select(PosPattern(patterns=RUNS, stem="porter"), annotated(text, pos=pos))
    assert (found.surfaces, found.places) == (("red kites",), ((0, 2), (3, 5)))


def test_longer_candidates_are_dropped_and_not_cut() -> None:
    """Three words under a maximum of two leave nothing."""
    assert keys("big red kites and hills", "ADJ ADJ NOUN CCONJ NOUN", max_tokens=2) == ["hills"]


def test_candidates_with_a_stop_word_are_dropped() -> None:
    """Wherever it stands, and however it is written."""
    assert keys("Such kites and hills", "ADJ NOUN CCONJ NOUN", stopwords=("en",)) == ["hills"]


@pytest.mark.parametrize(
    ("word", "stays"), [("x", False), ("x1", True), ("x-ray", True), ("x/y", False), ("größe", True)]
)
def test_plain_candidates_have_letters_digits_and_hyphens_alone(word: str, stays: bool) -> None:
    """And two characters at least, in each of their tokens."""
    assert keys(f"{word} kites and hills", "ADJ NOUN CCONJ NOUN", plain=True) == (
        [f"{word} kites".casefold(), "hills"] if stays else ["hills"]
    )


def test_of_several_forms_the_first_is_filtered() -> None:
    """`I.B` and its stem's other forms: the key goes with its first place."""
    text, pos = "kites/s and kite", "NOUN CCONJ NOUN"
    assert keys(text, pos, stem="porter", plain=True) == ["kite"]


def test_an_unknown_stop_list_is_found_beforehand() -> None:
    """With those that there are."""
    ((parameter, problem, _),) = PosPattern(stopwords=("xx",)).problems(["en"])
    assert (parameter, problem) == ("stopwords", "there is no stop list 'xx'")


@pytest.mark.parametrize("wrong", [{"max_tokens": 0}, {"stopwords": ()}, {"tokens": "all"}, {"stem": "x"}])
def test_wrong_parameters_are_refused(wrong: dict[str, Any]) -> None:
    """Before any text is read."""
    with pytest.raises(SpecError):
        PosPattern(**wrong)
