"""What is remembered of phrases, and the short way of exact matching, never show in what is found."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpframe.language.stems import stem
from kpframe.language.words import phrase_tokens
from kpframe.matching import _by_rules, _normalised
from kpframe.matching._by_rules import _matched
from kpframe.matching._normalised import Normaliser, Tokens, normalised
from kpframe.matching.approximate import Approximate
from kpframe.matching.exact import Exact
from kpframe.model import Gold
from kpframe.model.folding import fold

TEXTS = st.text(st.sampled_from("aAsSİßʼ’'.,-‐+#/@:%_19 \t\u00a0\u2003")) | st.text()
PHRASES = st.lists(st.sampled_from(["a", "A", "b", "b c", "B  c", "c", "", "a b", "d"]), max_size=9)
VARIANTS = st.lists(st.sampled_from(["a", "b", "B c", "c", "a b", "e"]), min_size=1, max_size=3)


@given(TEXTS)
def test_tokens_never_cross_white_space(text: str) -> None:
    """Property: a phrase has the tokens of its pieces, and the last word of the last that has one."""
    made = normalised(text, "porter")
    words = phrase_tokens(text)
    assert made.tokens == tuple(map(stem, words))
    assert made.last == (words[-1] if words else "")
    assert normalised(text, "casefold", "blanks").tokens == tuple(fold(text).split())
    joined = _normalised._ALPHANUMERIC.findall(fold(text))
    assert normalised(text, "casefold", "alphanumeric")[:2] == (tuple(joined), joined[-1] if joined else "")


@pytest.mark.slow
def test_white_space_stays_white_space_when_it_is_folded() -> None:
    """So that a phrase may be cut at white space before it is case-folded.

    Few others part words: U+200B, which marks a place between words, fractions (2½ is 2 1/2), and what no
    word has in it but is written with letters (5㎞ is 5 km). What is not assigned has no folding: one of
    sixteen is enough.
    """
    for character in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.category(character) in ("Cn", "Co", "Cs") and ord(character) % 16:
            continue
        parted = len(fold(f"a{character}b").split()) > 1
        if character.isspace() or character == "\u200b":
            assert parted
        elif parted:
            assert unicodedata.decomposition(character)[:1] == "<"


@pytest.mark.parametrize("tokens", ["words", "blanks", "alphanumeric"])
def test_a_full_memory_is_emptied(tokens: Tokens, monkeypatch: pytest.MonkeyPatch) -> None:
    """It never holds more than it may, and what it forgot is made again."""
    monkeypatch.setattr(_normalised, "_REMEMBERED", 2)
    known = Normaliser("porter", tokens)
    for _ in range(2):
        for phrase in ("Fast Grids", "nets", "fast nets", "grid computing"):
            assert known[phrase] == normalised(phrase, "porter", tokens)
            assert len(known) <= 2


@given(PHRASES, st.lists(VARIANTS, max_size=6), st.sampled_from(["unite", "keep"]))
@pytest.mark.slow
def test_exact_matching_is_that_of_the_exact_rule(
    predicted: Sequence[str], variants: Sequence[Sequence[str]], duplicates: str
) -> None:
    """Property: looking gold up among phrases finds what looking each phrase up finds."""
    gold = [Gold(tuple(group)) for group in variants]
    matching = Exact(absent="keep", duplicates=duplicates)
    prepared = matching.prepare(predicted, gold, None)
    found = matching.match(predicted, gold, None)
    hits, names = _matched(prepared.index, prepared.phrases, ["exact"])
    assert (found.hits, found.rules) == (tuple(hits), tuple(names))
    assert [predicted[position] for position in found.positions] == [p.surface for p in found.phrases]


@given(PHRASES, st.lists(VARIANTS, max_size=6), st.sampled_from(["split", "only"]))
@pytest.mark.slow
def test_of_parted_lists_the_short_way_finds_the_same(
    predicted: Sequence[str], variants: Sequence[Sequence[str]], absent: str
) -> None:
    """Property: also where phrases before a hit do not count."""
    gold = [Gold(tuple(group)) for group in variants]
    matching = Exact(absent=absent)
    prepared = matching.prepare(predicted, gold, "b c, a.")
    hits, _ = _matched(prepared.index, prepared.phrases, ["exact"])
    assert matching.match(predicted, gold, "b c, a.").hits == tuple(hits)


@given(
    st.lists(st.sampled_from(["mouse", "mousing", "red mouse", "mice", "red", "dots", "a dot"]), max_size=7)
)
@pytest.mark.slow
def test_what_was_found_for_other_lists_plays_no_part(predicted: Sequence[str]) -> None:
    """Property: a list after others of the same document is matched as the first of its process is.

    "mousing" has the stem of "mouse", and only the latter is the singular of a gold keyphrase.
    """
    gold = [Gold(("mice",)), Gold(("red mice", "red dot")), Gold(("dot",))]
    matching = Approximate(absent="keep", normalize="porter")
    matching.match(["mousing", "mouse", "red mousing", "dotting"], gold, None)
    after = matching.match(predicted, gold, None)
    _by_rules._known_wishes.cache_clear()
    assert matching.match(predicted, gold, None) == after
    if predicted[:1] == ["mousing"]:
        assert after.hits[0] < 0
