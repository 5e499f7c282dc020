"""Runs between stop words, and n-grams and patterns over other classes of tokens."""

from __future__ import annotations

import pytest
from annotated_texts import annotated, surfaces

from kpframe.candidates.ngrams import NGrams
from kpframe.candidates.pos_pattern import PosPattern
from kpframe.candidates.stop_runs import StopRuns
from kpframe.errors import SpecError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("the of and", []),
        ("red kites", ["red kites"]),
        ("the red kites of Nepal", ["red kites", "Nepal"]),
        ("Red kites, grey herons.", ["Red kites", "grey herons"]),
        ("Red kites. Grey herons", ["Red kites", "Grey herons"]),
        ("red\n\nkites", ["red", "kites"]),
        ("kites and kites", ["kites"]),
        ("weather of the weather station", ["weather", "weather station"]),
    ],
)
def test_stop_words_and_punctuation_end_a_run(text: str, expected: list[str]) -> None:
    """So do the ends of sentences and blank lines."""
    assert surfaces(StopRuns(), annotated(text)) == expected


def test_runs_that_are_too_long_or_short_are_no_candidates() -> None:
    """Nor are their parts."""
    text = annotated("red kites soar over grey stone walls")
    assert surfaces(StopRuns(), text) == ["red kites soar", "grey stone walls"]
    assert surfaces(StopRuns(max=2), text) == []
    assert surfaces(StopRuns(min=4), text) == []
    with pytest.raises(SpecError, match="max must not be less than min"):
        StopRuns(min=3, max=2)


def test_numbers_are_kept_as_published_or_end_a_run() -> None:
    """A date is a run of numbers around a word; words with a digit in them are words."""
    text = annotated("kites of 3 Mar 2025 and B12 values 49 30")
    assert surfaces(StopRuns(), text) == ["kites", "3 Mar 2025", "B12 values 49 30"]
    assert surfaces(StopRuns(numbers="boundary"), text) == ["kites", "Mar", "B12 values"]


def test_an_unknown_stop_list_is_told_before_the_run() -> None:
    """With those that there are."""
    ((parameter, problem, _),) = StopRuns(stopwords=("xx",)).problems(["en"])
    assert (parameter, problem) == ("stopwords", "there is no stop list 'xx'")


def test_other_programs_take_other_tokens() -> None:
    """A clitic has a letter, a single letter is not plain, and a URL has other characters."""
    text = annotated("women's x http://a.org rights")
    assert surfaces(NGrams(max=1), text) == ["women", "x", "rights"]
    assert surfaces(NGrams(max=1, tokens="alphanumeric"), text) == [
        "women",
        "'s",
        "x",
        "http://a.org",
        "rights",
    ]
    assert surfaces(NGrams(max=1, tokens="plain"), text) == ["women", "rights"]


def test_a_blank_line_may_be_ignored() -> None:
    """As programs do that see tokens alone."""
    text = annotated("red\n\nkites")
    assert surfaces(NGrams(blank_lines="ignore"), text) == ["red", "red kites", "kites"]
    assert surfaces(StopRuns(blank_lines="ignore"), text) == ["red kites"]


def test_the_first_form_may_speak_for_all() -> None:
    """ "one" is a stop word, "ones" is not: with the first form judged, the order in the text decides."""
    first, every = (
        NGrams(max=1, stopwords=("en-spacy",), stem="porter", judged_by=judged)  # type: ignore[arg-type]
        for judged in ("first_form", "every_form")
    )
    good_first, bad_first = annotated("kites ones one"), annotated("kites one ones")

    def occurrences(selection: NGrams, text: object) -> dict[str, int]:
        found = selection.select(*_pair(text))
        return {key: len(places) for key, places in zip(found.keys, found.places_of, strict=True)}

    assert occurrences(every, good_first) == {"kite": 1, "one": 1}
    assert occurrences(first, good_first) == {"kite": 1, "one": 2}
    assert occurrences(first, bad_first) == {"kite": 1}


def _pair(text: object) -> tuple[object, object]:
    from kpframe.model import Document

    return Document("d", text.text), text  # type: ignore[attr-defined]


def test_a_pattern_may_match_clitics_as_alphanumeric_tokens() -> None:
    """What the tagger calls a noun is one."""
    text = annotated("kites x", pos="NOUN NOUN")
    assert surfaces(PosPattern(tokens="plain"), text) == ["kites"]
