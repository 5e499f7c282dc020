"""N-grams, with and without Kea's rules."""

from __future__ import annotations

import pytest
from annotated_texts import annotated, parsed, select, surfaces
from families import every

from kpframe.candidates.ngrams import NGrams
from kpframe.errors import ResourceError, SpecError


def test_all_ngrams_of_a_sentence():
    """In text order, shorter before longer."""
    assert surfaces(NGrams(), annotated("one two three")) == [
        "one", "one two", "one two three", "two", "two three", "three",
    ]  # fmt: skip


def test_the_lengths_are_bounds():
    """Both are inclusive."""
    text = annotated("one two three four")
    assert surfaces(NGrams(min=2, max=2), text) == ["one two", "two three", "three four"]
    assert surfaces(NGrams(min=4, max=10), text) == ["one two three four"]
    assert surfaces(NGrams(min=5, max=10), text) == []


@every(
    ("text", "expected"),
    [
        ("", []),
        (" \n\n ", []),
        ("...", []),
        ("one. two", ["one", "two"]),
        ("one, two", ["one", "two"]),
        ("one -- two", ["one", "two"]),
        ("one (two) three", ["one", "two", "three"]),
        ("one\n\ntwo", ["one", "two"]),
        ("one\n \t\n\n two", ["one", "two"]),
        ("one\r\n\r\ntwo", ["one", "two"]),
        ("one\ntwo", ["one", "one two", "two"]),
        ("\n\none two\n\n", ["one", "one two", "two"]),
        ("see http://ex.org/a now", ["see", "now"]),
        ("user’s guide", ["user", "guide"]),
        ("you don't know", ["you", "know"]),
    ],
)
def test_no_ngram_crosses_a_boundary(text, expected):
    """Sentence ends, punctuation, blank lines, URLs and clitics are boundaries; a line break is not."""
    assert surfaces(NGrams(), annotated(text)) == expected


def test_no_ngram_crosses_sentences_without_punctuation():
    """The sentence layer alone decides."""
    text = annotated("one two three", sentences=[(0, 2), (2, 3)])
    assert surfaces(NGrams(), text) == ["one", "one two", "two", "three"]


def test_compounds_and_ampersands_are_shown_as_in_the_text():
    """Surfaces are slices of the text; the key is folded."""
    found = select(NGrams(min=3), annotated("S&P  500\nindex"))
    assert found.surfaces == ("S&P 500 index",)
    assert found.keys == ("s&p 500 index",)


def test_no_stop_word_stands_at_an_end():
    """Inside it may, as in "quality of service"."""
    text = annotated("The quality of service is good")
    assert surfaces(NGrams(stopwords=["en"]), text) == [
        "quality",
        "quality of service",
        "service",
        "service is good",
        "good",
    ]


def test_stop_words_can_be_barred_everywhere():
    """Then none stands inside, either."""
    text = annotated("The quality of mobile service")
    assert surfaces(NGrams(stopwords=["en"], stopwords_barred="everywhere"), text) == [
        "quality", "mobile", "mobile service", "service",
    ]  # fmt: skip


def test_a_text_of_stop_words_has_no_candidates():
    """Nothing is left, and nothing breaks."""
    assert surfaces(NGrams(stopwords=["en"]), annotated("the of and to")) == []


def test_stop_lists_combine():
    """A word of either list is a stop word, whatever its case."""
    text = annotated("Die Regeln the rules")
    assert surfaces(NGrams(max=1, stopwords=["de"]), text) == ["Regeln", "the", "rules"]
    assert surfaces(NGrams(max=1, stopwords=["de", "en"]), text) == ["Regeln", "rules"]


def test_unknown_stop_lists_are_reported():
    """The check tells the nearest, or which lists there are; a run that was not checked fails as clearly."""
    stage = NGrams(stopwords=["en", "eng"])
    (problem,) = stage.problems(["en"])
    assert problem[:2] == ("stopwords", "there is no stop list 'eng'")
    assert problem[2] == "did you mean 'en'?"
    ((*_, remedy),) = NGrams(stopwords=["zzzz"]).problems(["en"])
    assert remedy.startswith("there are: da, de, en, ")
    assert list(NGrams(stopwords=["en", "de"]).problems(["en"])) == []
    with pytest.raises(ResourceError, match=r"^resource 'stopwords/eng': is not shipped"):
        select(stage, annotated("a text"))


def test_ngrams_with_equal_stems_are_one_candidate():
    """The key is made of stems, the surface is the most frequent one."""
    text = annotated("Neural networks, a neural network, neural networks")
    found = select(NGrams(min=2, max=2, stem="porter", stopwords=["en"]), text)
    assert found.keys == ("neural network",)
    assert found.surfaces == ("Neural networks",)
    assert len(found.places) == 3
    assert found.level == "words"


@pytest.mark.parametrize(
    ("stem", "key"), [("porter", "gener"), ("snowball", "generous"), ("lancaster", "gen")]
)
def test_every_stemmer_joins_inflected_forms(stem, key):
    """The three stemmers differ in how much they cut off "generous" and "generously"."""
    assert select(NGrams(max=1, stem=stem), annotated("generous, generously")).keys == (key,)


def test_numbers_can_be_boundaries():
    """A token without a letter ends a run of words; one with a letter does not."""
    text = annotated("in 1999 we saw COVID-19 rise")
    kept = surfaces(NGrams(max=2), text)
    assert "1999" in kept and "in 1999" in kept
    assert surfaces(NGrams(max=2, numbers="boundary"), text) == [
        "in", "we", "we saw", "saw", "saw COVID-19", "COVID-19", "COVID-19 rise", "rise",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Turing saw Turing", ["saw"]),
        ("NASA saw NASA", ["NASA", "saw"]),
        ("Networks are networks", ["Networks", "are"]),
        ("iPhone is X", ["iPhone", "is", "X"]),
        ("McDonald 2nd", []),
    ],
)
def test_single_proper_nouns_can_be_dropped(text, expected):
    """One form only, no lower-case initial, and not capitals throughout: Kea's rule for names."""
    assert surfaces(NGrams(max=1, drop_single_proper_nouns=True), annotated(text)) == expected


def test_names_inside_longer_ngrams_stay():
    """The rule is about single words."""
    text = annotated("a Turing machine")
    assert surfaces(NGrams(drop_single_proper_nouns=True, stopwords=["en"]), text) == [
        "Turing machine",
        "machine",
    ]


def test_the_candidates_of_kea():
    """All rules together, worked by hand: twice or more, grouped by stems, no names."""
    kea = NGrams(
        stopwords=["en"], stem="porter", numbers="boundary", drop_single_proper_nouns=True, min_frequency=2
    )
    text = annotated(
        "Bayes proposed learning machines in 1763. A learning machine of Bayes is the machine of learning."
    )
    found = select(kea, text)
    assert dict(zip(found.keys, map(len, found.places_of), strict=True)) == {
        "learn": 3, "learn machin": 2, "machin": 3,
    }  # fmt: skip
    assert found.surfaces == ("learning", "learning machines", "machine")


@pytest.mark.parametrize(
    ("parameters", "place", "message"),
    [
        ({"max": 0}, "NGrams.max", "must be at least 1 (given: 0); it means: "),
        ({"min": 0}, "NGrams.min", "must be at least 1 (given: 0); it means: "),
        ({"max": 11}, "NGrams.max", "must be at most 10 (given: 11); it means: "),
        ({"min": 3, "max": 2}, "NGrams", "max is 2, but min is 3; max must not be less than min"),
        (
            {"stopwords_barred": "everywhere"},
            "NGrams",
            "stopwords_barred has no effect without stopwords; name stop lists",
        ),
        (
            {"stem": "lovins"},
            "NGrams.stem",
            "must be 'porter', 'snowball' or 'lancaster' (given: 'lovins'); it means: ",
        ),
        ({"ngram": 2}, "NGrams.ngram", "unknown parameter; "),
    ],
)
def test_wrong_parameters_are_refused(parameters, place, message):
    """Before any text is read."""
    with pytest.raises(SpecError) as caught:
        NGrams(**parameters)
    assert str(caught.value).startswith(f"{place}: {message}")


def test_a_short_query_has_candidates():
    """With spaCy's tokens and a stop list."""
    found = surfaces(NGrams(stopwords=["en"]), parsed("cheap flights to Lisbon in May"))
    assert {"cheap flights", "flights to Lisbon", "Lisbon"} <= set(found)


@pytest.mark.slow
def test_trailing_dots_leave_no_trace():
    """White space and lone punctuation are never candidates."""
    text = "A short sentence about rivers." + " " * 200 + ". . . ."
    found = surfaces(NGrams(stopwords=["en"]), parsed(text))
    assert found == ["short", "short sentence", "sentence", "sentence about rivers", "rivers"]
