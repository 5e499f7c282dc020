"""Cutting long texts without losing an offset."""

from hypothesis import given
from hypothesis import strategies as st

from kpframe.preprocessing._pieces import pieces
from kpframe.preprocessing._sentences import sentence_begins

TEXTS = st.text(alphabet="aB. \n\t\u00a0é", max_size=200)


@given(TEXTS, st.integers(1, 50))
def test_pieces_cover_every_character_that_is_not_white_space(text: str, limit: int) -> None:
    """In order, never longer than the limit."""
    ranges = pieces(text, sentence_begins(text), limit)
    assert all(0 < end - begin <= limit for begin, end in ranges)
    edges = [edge for pair in ranges for edge in pair]
    assert edges == sorted(edges)
    outside = [text[i] for i in range(len(text)) if not any(b <= i < e for b, e in ranges)]
    assert not "".join(outside).strip()


def test_pieces_end_where_sentences_end() -> None:
    """The last beginning inside the limit is the cut."""
    text = "One two. Three four. Five six."
    assert [text[b:e] for b, e in pieces(text, sentence_begins(text), 22)] == [
        "One two. Three four. ",
        "Five six.",
    ]


def test_a_long_sentence_is_cut_at_white_space_and_a_long_word_at_the_limit() -> None:
    """Where there is no better place."""
    assert pieces("aaa bbb ccc", [0], 9) == [(0, 8), (8, 11)]
    assert pieces("aaa bbb", [0], 3) == [(0, 3), (3, 6), (6, 7)]
    assert pieces("a" * 7, [0], 3) == [(0, 3), (3, 6), (6, 7)]
