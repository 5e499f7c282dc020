"""What was found out of a word, remembered: the same few words make up most texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["MOST", "Remembered", "remembered"]

Found = TypeVar("Found")

MOST = 50_000
"""So many words (or phrases) are remembered at once, in 5 to 15 MB.

Two thousand abstracts have 17,000 different words. The frequent ones are found anew after each forgetting,
which takes less than a hundredth of the time that goes by until the next one.
"""

_LONGEST = 1000
"""Characters of what is remembered at most: data inside texts never comes again, and fills the memory."""


class Remembered(dict[str, Found], Generic[Found]):
    """What a function finds of words, by word; `known[word]` asks it once.

    Of a hundred words at a time `map(known.__getitem__, words)` takes a third of the time that `lru_cache`
    takes, which notes for each when it was last asked for; this forgets all at times.
    """

    def __init__(self, function: Callable[[str], Found], most: int = MOST) -> None:
        super().__init__()
        self._function = function
        self._most = most

    def __missing__(self, word: str) -> Found:
        if len(word) > _LONGEST:
            return self._function(word)
        if len(self) >= self._most:
            self.clear()
        found = self[word] = self._function(word)
        return found


def remembered(function: Callable[[str], Found]) -> Callable[[str], Found]:
    """The same function, which is asked once a word."""
    return Remembered(function).__getitem__
