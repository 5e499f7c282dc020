"""What no candidate crosses: brackets and quotes by half, markup, control characters, addresses, data."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.candidates._paired_signs import BRACKETS
from kpframe.candidates._paired_signs import QUOTES as DOUBLE_QUOTES
from kpframe.candidates.named_entities import NamedEntities
from kpframe.candidates.ngrams import NGrams
from kpframe.candidates.noun_phrases import NounPhrases
from kpframe.candidates.pos_pattern import PosPattern
from kpframe.candidates.stop_runs import StopRuns
from kpframe.candidates.tokens import Tokens
from kpframe.language.words import LONGEST_WORD, is_address
from kpframe.model import Annotations, Document
from kpframe.preprocessing.simple import Simple
from kpframe.stages import Selection

SELECTIONS = [NGrams(), Tokens(), StopRuns(), PosPattern(), NounPhrases(determiners="keep"), NamedEntities()]
PIECES = [
    *("red", "kites", "TCP/IP", "C#", "C++", ".NET", "802.11", "poly", "it's"),
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        '"',
        "“",
        "”",
        "«",
        "»",
        "‹",
        "›",
        "《",
        "》",
        "［",
        "］",
        "❝",
        "❞",
        "<b>",
        "</b>",
        "|",
        "`",
        "*",
        "#",
        "~",
        "^",
        "\\",
        "=",
    ),
    *("\x07", "\x1b[31m", "\x9f", "https://a.org/b(c)", "a.b@c.org", "x" * 101, ".", ",", "\n\n", " ", " "),
]
PAIRS = ("()", "[]", "{}", "《》", "［］")
QUOTES = ('"', "“”", "«»", "‹›", "❝❞")


def annotated(text: str) -> tuple[Document, Annotations]:
    """All tokens are nouns; every sentence is a chunk and an entity."""
    document = Document("d", text)
    made = Simple().annotate(document, None)
    noun = np.full(len(made), len(made.vocabulary), dtype=np.int32)
    whole = made.sentences
    return document, made.with_layers(
        vocabulary=(*made.vocabulary, "NOUN", "ORG"),
        pos=noun,
        chunks=whole,
        entities=whole,
        entity_labels=np.full(len(whole), len(made.vocabulary) + 1, dtype=np.int32),
    )


@pytest.mark.parametrize("selection", SELECTIONS, ids=repr)
@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@pytest.mark.slow
def test_no_candidate_crosses_a_border(selection: Selection, text: str) -> None:
    """Whatever a tagger or a chunker has taken for a phrase."""
    document, made = annotated(text)
    selected = selection.select(document, made)
    for begin, end in (place for places in selected.places_of for place in places):
        words = made.strings(made.words[begin:end])
        for opening, closing in PAIRS:
            assert words.count(opening) == words.count(closing)
        assert not any(sum(map(words.count, family)) % 2 for family in QUOTES)
        assert not set(words) & set("<>|`*#~^\\=")
        assert not any(word[0] < " " or "\x7f" <= word[0] <= "\x9f" for word in words)
        assert not any(is_address(word) or len(word) > LONGEST_WORD for word in words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the ‹single term› word", "single term"),
        ("the 《book title》 shop", "book title"),
        ("the ［wide term］ word", "wide term"),
        ("the ⟨angle term⟩ word", "angle term"),
        ("the ⟦double term⟧ word", "double term"),
        ("the ❝ornate term❞ word", "ornate term"),
        ("the „low term“ word", "low term"),
        ("the 'apos term' word", "apos term"),
        ("the ‘curly term’ word", "curly term"),
        ("the ‚low term‘ word", "low term"),
        ("the ('bracketed term') word", "bracketed term"),
    ],
)
def test_no_chunk_crosses_the_end_of_a_quote_that_begins_before_it(text: str, expected: str) -> None:
    """In whatever signs: a chunker that begins behind the opening one took more."""
    document, made = annotated(text)
    opening = next(
        token for token, word in enumerate(made.strings(made.words)) if word == expected.split()[0]
    )
    chunks = np.array([(opening, len(made))], dtype=np.int32)
    found = NounPhrases(determiners="keep").propose(document, made.with_layers(chunks=chunks))
    assert list(found.surfaces) == [expected]


@pytest.mark.parametrize(
    "text", ["users' needs", "the '90s users' needs", "5' end", "a ‘quoted’ word", "de' Medici"]
)
def test_apostrophes_do_not_break_a_phrase(text: str) -> None:
    """Nor does a quote that it both opens and closes."""
    document, made = annotated(text)
    [found] = NounPhrases(determiners="keep").propose(document, made).surfaces
    assert text.endswith(found) and (" " in found)


def test_all_brackets_of_unicode_are_known() -> None:
    """Those whose closing one follows at once, but for what is written vertically or in editions."""
    signs = [chr(code) for code in range(0x3100)]
    missing = [
        sign
        for sign in signs
        if unicodedata.category(sign) == "Ps"
        and unicodedata.category(chr(ord(sign) + 1)) == "Pe"
        and unicodedata.is_normalized("NFC", sign)
        and sign not in BRACKETS
        and sign not in DOUBLE_QUOTES
    ]
    assert all("\u2e50" < sign < "\u2e60" for sign in missing)


@pytest.mark.parametrize("text", ["We use C# daily.", "C# and C++ and .NET.", "See (C#)!"])
def test_names_with_signs_are_whole(text: str) -> None:
    """The signs of C# belong to it, others are none."""
    document, made = annotated(text)
    assert "C#" in NGrams(max=1).select(document, made).surfaces


def test_longest_word_drops_what_is_longer() -> None:
    """And nothing else; 100 characters are the greatest limit."""
    document, made = annotated("Red encyclopaedias soar")
    assert list(NGrams(max=1, longest_word=4).select(document, made).surfaces) == ["Red", "soar"]
    assert len(NGrams(max=3, longest_word=4).select(document, made)) == 2
    with pytest.raises(ValueError, match="must be at most 100"):
        NGrams(longest_word=101)
