"""Stop words at the ends of phrases, and phrases that are nothing else."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_phrases import ranked, scored, spans

from kpframe.errors import ParameterError, ResourceError, SpecError
from kpframe.model import Annotations, Candidates, Document, Keyphrases
from kpframe.postprocessing.stopwords import Stopwords


def only(*entries: str, **parameters: object) -> Stopwords:
    """A step whose stop words are `entries` alone."""
    return Stopwords(lists=(), add=entries, **parameters)


def test_inner_stop_words_stay_and_outer_ones_go() -> None:
    """The paper's two examples, footnote 4."""
    text = "United States of America and the weak economy"
    before = ranked(text, {"United States of America": 2.0, "the weak economy": 1.0})
    assert scored(Stopwords().process(before)) == {"United States of America": 2.0, "weak economy": 1.0}


def test_a_phrase_of_stop_words_only_is_removed() -> None:
    """A document of nothing but stop words has no keyphrases."""
    before = ranked("the of and to", {"the": 4.0, "of and": 3.0, "the of and to": 2.0})
    assert Stopwords().process(before).surfaces == []


def test_single_stop_words_are_removed() -> None:
    """The Stopwords HEAD figures of the original tests: "a" goes; with {a, short} "text" is left."""
    before = ranked("a short text", {"a": 3.0, "short": 2.0, "text": 1.0})
    assert only("a").process(before).surfaces == ["short", "text"]
    assert only("a", "short").process(before).surfaces == ["text"]


def test_both_ends_are_stripped_as_in_2013() -> None:
    """The figures of the original framework of 2013: "sentence" is left of three phrases.

    There the number 1 is a stop word; here numbers stay unless they are stripped too.
    """
    text = " against sentence above, across against, 1"
    before = ranked(text, {"against sentence above": 3.0, "across against": 2.0, "1": 1.0})
    found = Stopwords(numbers="strip").process(before)
    assert [(k.text, k.spans) for k in found.public()] == [("sentence", ((9, 17),))]
    assert Stopwords().process(before).surfaces == ["sentence", "1"]


@pytest.mark.parametrize(
    ("trim", "left"),
    [
        ("both", "weak economy"),
        ("leading", "weak economy of"),
        ("trailing", "the weak economy"),
        ("none", "the weak economy of"),
    ],
)
def test_the_ends_can_be_chosen(trim: str, left: str) -> None:
    """both, leading, trailing, none; a phrase of stop words only goes in any case."""
    before = ranked("the weak economy of the", {"the weak economy of": 2.0, "of the": 1.0})
    assert only("the", "of", trim=trim).process(before).surfaces == [left]


def test_case_and_typographic_quotes_do_not_matter() -> None:
    """Tokens and entries are folded."""
    before = ranked("THE cat’s The", {"THE cat": 1.0, "The": 0.5})
    assert only("tHe").process(before).surfaces == ["cat"]


@pytest.mark.parametrize(
    ("phrase", "left"),
    [
        ("( neural networks )", "neural networks"),
        ("user ' s guide", "user ' s guide"),
        ("- -", None),
        ("networks http://a.org", "networks"),
    ],
)
def test_what_is_no_word_is_stripped_too(phrase: str, left: str | None) -> None:
    """Punctuation and addresses at the ends go, inner ones stay."""
    found = only("the").process(ranked(phrase, {phrase: 1.0})).surfaces
    assert found == ([left] if left else [])


def test_numbers_inside_a_phrase_stay_even_if_they_are_stripped() -> None:
    """Only the ends; a token with a letter is no number."""
    before = ranked("1998 windows 95 edition 2, 3D", {"1998 windows 95 edition 2": 2.0, "3D": 1.0})
    assert only(numbers="strip").process(before).surfaces == ["windows 95 edition", "3D"]


def test_entries_are_stripped() -> None:
    """Lines read from a file with their line ends are entries all the same."""
    before = ranked("the colour of money", {"the colour of": 1.0})
    assert only("the\n", "of\n").process(before).surfaces == ["colour"]


def test_blank_entries_are_nothing() -> None:
    """Neighbour: an empty line stops nothing."""
    before = ranked("the colour", {"the colour": 1.0})
    assert only("", " \n").process(before).surfaces == ["the colour"]


def test_an_entry_of_two_words_removes_that_phrase_alone() -> None:
    """ "climate services" goes; its words stay in other phrases, at the ends too."""
    text = "Climate services, climate, services, national climate services"
    phrases = {"climate services": 4.0, "climate": 3.0, "services": 2.0, "national climate services": 1.0}
    found = only("climate services").process(ranked(text, phrases))
    assert found.surfaces == ["climate", "services", "national climate services"]


def test_an_entry_of_two_words_removes_what_stripping_makes_of_a_phrase() -> None:
    """ "the climate services" is "climate services" once stripped."""
    before = ranked("the  climate\nservices", {"the climate services": 1.0})
    assert only("the", "climate services").process(before).surfaces == []


def test_an_entry_of_two_words_is_not_stripped_first() -> None:
    """ "the who" as a stop entry removes the phrase though "the" alone would be stripped."""
    before = ranked("the who sings", {"the who": 2.0, "the who sings": 1.0})
    assert only("the", "the who").process(before).surfaces == ["who sings"]


def test_lists_are_combined() -> None:
    """Portuguese and English together."""
    text = "the modelo de language, uma model"
    before = ranked(text, {"the modelo": 2.0, "uma model": 1.0})
    assert Stopwords(lists=("pt", "en")).process(before).surfaces == ["modelo", "model"]
    assert Stopwords(lists=("pt",)).process(before).surfaces == ["the modelo", "model"]


def test_words_of_a_list_can_be_kept() -> None:
    """keep takes words off the lists."""
    before = ranked("the who", {"the who": 1.0})
    assert only("the", "who", keep=("WHO",)).process(before).surfaces == ["who"]


def test_phrases_that_become_equal_are_united() -> None:
    """All places in text order, the higher score, the most frequent form."""
    text = "The Network, a network, network"
    before = ranked(text, {"the network": 1.0, "a network": 3.0, "network": 2.0})
    entries = [e._replace(places=((6, 7),), surface="network") if e.key == "network" else e for e in before]
    found = only("a", "the").process(before.replaced(entries))
    assert scored(found) == {"network": 3.0}
    assert spans(found) == {"network": ["Network", "network", "network"]}


def test_the_key_loses_the_same_parts_as_the_place() -> None:
    """Keys of lemmas or stems stay keys of lemmas or stems."""
    before = ranked("the neural networks", {"the neural networks": 1.0})
    stemmed = before.replaced([before.entries[0]._replace(key="the neur network")])
    assert only("the").process(stemmed).entries[0].key == "neur network"


def test_a_key_of_another_length_is_made_anew() -> None:
    """Where key and place do not run in parallel, the folded words are the key."""
    before = ranked("the Neural networks", {"the Neural networks": 1.0})
    odd = before.replaced([before.entries[0]._replace(key="the-neural networks")])
    assert only("the").process(odd).entries[0].key == "neural networks"


def test_each_place_is_stripped_by_itself() -> None:
    """A lemma entry whose forms are stop words at one place only becomes two entries."""
    before = ranked("being state. beings state.", {"being state": 1.0, "beings state": 1.0})
    entry = before.entries[0]._replace(key="be state", places=((0, 2), (3, 5)))
    found = only("being").process(before.replaced([entry]))
    assert [(e.key, e.surface, e.places) for e in found] == [
        ("state", "state", ((1, 2),)),
        ("be state", "beings state", ((3, 5),)),
    ]


def test_an_unknown_list_is_told_with_what_there_is() -> None:
    """Found by the check, before any text is read; and an error if it is used all the same."""
    (problem,) = Stopwords(lists=("en", "xx")).problems(["en"])
    assert problem[:2] == ("lists", "there is no stop list 'xx'")
    assert problem[2].startswith("there are: da, de, en, es, fr") and "papers" in problem[2]
    with pytest.raises(ResourceError, match="stopwords/xx"):
        Stopwords(lists=("xx",)).process(ranked("a", {"a": 1.0}))


def test_known_lists_are_no_problem() -> None:
    """Every shipped list is known."""
    assert list(Stopwords(lists=("en", "pt")).problems(["pt"])) == []


def test_an_unknown_parameter_is_refused() -> None:
    """A misspelt option never has silently no effect."""
    with pytest.raises(SpecError, match="stoplist"):
        Stopwords(stoplist=("en",))


def test_an_empty_text_stays_empty() -> None:
    """No candidates, no crash; a vocabulary without words neither."""
    before = Keyphrases(Document("d", ""), Annotations.empty(""), ())
    assert Stopwords().process(before).entries == ()


@given(
    words=st.lists(st.sampled_from(["the", "of", "net", "Graph", ",", "-"]), min_size=1, max_size=15),
    places=st.sets(st.tuples(st.integers(0, 14), st.integers(1, 4)), max_size=15),
    trim=st.sampled_from(["both", "leading", "trailing", "none"]),
)
@pytest.mark.slow
def test_offsets_stay_valid(words: list[str], places: set[tuple[int, int]], trim: str) -> None:
    """Distinct keys, surfaces that stand at the places, places inside the old ones, no bad ends."""
    before = ranked(" ".join(words), {})
    inside = [(b, b + n) for b, n in places if b + n <= len(words)]
    candidates = Candidates.build(before.document, before.annotations, inside)
    found = only("the", "of", trim=trim).process(Keyphrases.ranked(candidates, range(len(candidates))))
    assert len({e.key for e in found}) == len(found)
    for entry in found:
        assert list(entry.places) == sorted(set(entry.places))
        assert entry.surface in {found.annotations.surface(b, e) for b, e in entry.places}
        assert all(any(b >= B and e <= E for B, E in inside) for b, e in entry.places)
        if trim == "both":
            ends = {found.annotations.folded_words[i] for b, e in entry.places for i in (b, e - 1)}
            assert ends <= {"net", "graph"}


def test_words_are_read_from_the_words_layer() -> None:
    """Lemmas in the vocabulary do not stop the words of the text."""
    before = ranked("being here", {"being here": 1.0})
    annotations = before.annotations.with_layers(
        vocabulary=(*before.annotations.vocabulary, "be"), lemmas=np.array([2, 1], dtype=np.int32)
    )
    found = only("be").process(Keyphrases(before.document, annotations, before.entries))
    assert found.surfaces == ["being here"]


@given(
    st.lists(
        st.sampled_from(["per", "cent", "percent", "of", "Per", "rates", "the"]), min_size=1, max_size=9
    ),
    st.sampled_from(["both", "leading", "trailing", "none"]),
)
@pytest.mark.slow
def test_phrases_of_a_list_go_wherever_they_stand(
    words: list[str], trim: Literal["both", "leading", "trailing", "none"]
) -> None:
    """Property: what is left is what stripping and looking up each place leaves."""
    text = " ".join(words)
    step = Stopwords(lists=(), add=("per cent", "of", "the"), trim=trim)
    all_of_them = {" ".join(words[b:e]): 1.0 for b in range(len(words)) for e in range(b + 1, b + 4)}
    kept = {surface.casefold() for surface in step.process(ranked(text, all_of_them)).surfaces}
    expected = set()
    for begin in range(len(words)):
        for end in range(begin + 1, min(begin + 3, len(words)) + 1):
            some = [word.casefold() for word in words[begin:end]]
            if " ".join(some) == "per cent" or set(some) <= {"of", "the"}:
                continue
            while trim in ("both", "leading") and some[0] in ("of", "the"):
                some = some[1:]
            while trim in ("both", "trailing") and some[-1] in ("of", "the"):
                some = some[:-1]
            expected.add(" ".join(some))
    assert kept == expected - {"per cent"}


def test_a_listed_form_goes_where_another_form_of_its_phrase_is_shown() -> None:
    """One key by lemma, two forms: the listed one is taken from its place, whichever is shown."""
    before = ranked("Climate service, climate service. Climate services!", {"x": 1.0})
    places = [(0, 2), (3, 5), (6, 8)]
    candidates = Candidates.build(
        before.document, before.annotations, places, key=lambda place: "climate service"
    )
    found = only("climate services").process(Keyphrases.ranked(candidates, [1.0]))
    assert [entry.places for entry in found] == [((0, 2), (3, 5))]


def test_what_is_stripped_for_one_ranking_is_stripped_for_the_next_with_its_own_scores() -> None:
    """What is left of phrases is remembered with the text, and scores are not a part of it."""
    first = ranked("the fox of the wood", {"the fox": 2.0, "the wood": 1.0})
    turned = [entry._replace(score=-entry.score) for entry in first]
    step = Stopwords()
    assert scored(step.process(first)) == {"fox": 2.0, "wood": 1.0}
    assert scored(step.process(first.replaced(turned))) == {"wood": -1.0, "fox": -2.0}
    assert scored(Stopwords(trim="none").process(first)) == {"the fox": 2.0, "the wood": 1.0}


def test_compounds_of_stop_words_and_numbers_go_if_wanted() -> None:
    """Days, months and amounts that a hyphen or slash joins, or a number stands before; no names."""
    text = "Tue/Thu, June-July, 30-min, 1023Hz, 1.2bn, 10-20, 5G, 3D, 2-way, Tue-ish"
    words = text.split(", ")
    before = ranked(text, {word: float(score) for score, word in enumerate(reversed(words))})
    lists = ("en-calendar", "en-units")
    step = Stopwords(lists=lists, trim="none", numbers="strip", compounds="strip")
    assert step.process(before).surfaces == ["5G", "3D", "2-way", "Tue-ish"]
    kept = Stopwords(lists=lists, trim="none", numbers="strip").process(before).surfaces
    assert kept == [word for word in words if word != "10-20"]


def test_units_are_stripped_behind_numbers_alone() -> None:
    """Each place by itself; not across a sentence end, and not where a word stands before."""
    text = "Add 2 tbsp lemon juice, ½ tbsp oil, a day trip. In 2019. Day care and 10-20 day trips."
    phrases = {"tbsp lemon juice": 5.0, "tbsp oil": 4.0, "day trip": 3.0, "Day care": 2.0, "day trips": 1.0}
    step = Stopwords(lists=("en-units",), trim="leading", behind="number")
    assert step.process(ranked(text, phrases)).surfaces == [
        "lemon juice",
        "oil",
        "day trip",
        "Day care",
        "trips",
    ]
    with pytest.raises(ParameterError, match="behind: number goes with trim: leading, but trim is both"):
        Stopwords(behind="number")
