"""What was found out of a word is remembered, and never grows without bound."""

from __future__ import annotations

from kpframe.model.remembered import Remembered, remembered


def test_a_word_is_asked_for_once() -> None:
    """The answer to the same word comes from memory, also where it is false."""
    asked: list[str] = []

    @remembered
    def is_long(word: str) -> bool:
        asked.append(word)
        return len(word) > 3

    assert [is_long(word) for word in ("fox", "kites", "fox", "kites")] == [False, True, False, True]
    assert asked == ["fox", "kites"]


def test_all_is_forgotten_when_there_are_too_many() -> None:
    """With room for two, the third word makes room for itself, and answers stay right."""
    known = Remembered(len, most=2)
    assert [known[word] for word in ("a", "bb", "ccc", "a")] == [1, 2, 3, 1]
    assert set(known) == {"ccc", "a"}
