"""Which short texts hold which others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kpframe.language.substrings import holders

TEXTS = st.lists(st.text("ab ", max_size=6), max_size=6)


def test_each_text_that_holds_what_is_wanted_is_told_once() -> None:
    """ "art" stands twice in the first text, and nowhere across two of them."""
    assert list(holders(["art in art", "smart card", "tea"], ["art", "tea", "art smart"])) == [
        (0, 0),
        (1, 0),
        (2, 1),
    ]


@given(TEXTS, TEXTS)
def test_one_search_over_all_texts_is_a_search_in_each(texts: list[str], wanted: list[str]) -> None:
    """Property: also where texts, or what is wanted, are empty."""
    expected = [
        (at, number) for number, one in enumerate(wanted) for at, text in enumerate(texts) if one in text
    ]
    assert list(holders(texts, wanted)) == expected
