"""Whether a phrase stands in a text: what makes it a present or an absent one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from kpframe.language.codes import DEFAULT
from kpframe.language.folding import FOLDINGS, Folding
from kpframe.matching._normalised import Tokens, folded_readings, normaliser, text_tokens

__all__ = ["Presence", "PresenceTest", "are_present"]

PresenceTest = Literal[
    "tokens", "characters", "surface_tokens", "surface_characters", "stem_tokens", "stem_characters"
]
"""Contiguous whole tokens, or any run of characters; as matching normalises, case-folded, or as stems."""


_REMEMBERED = 100_000


class Presence(NamedTuple):
    """A test for presence, made up of what matching says about tokens."""

    characters: bool
    method: str
    tokens: Tokens
    folding: Folding = "full"
    language: str = DEFAULT

    @classmethod
    def of(
        cls,
        test: PresenceTest,
        method: str,
        tokens: Tokens,
        folding: Folding = "full",
        language: str = DEFAULT,
    ) -> Presence:
        """The test called `test` where matching normalises by `method`."""
        on, _, unit = test.rpartition("_")
        by = {"": method, "surface": "casefold", "stem": "porter"}[on]
        return cls(unit == "characters", by, tokens, folding, language)


def are_present(phrases: Iterable[str], text: str, presence: Presence) -> list[bool]:
    """Whether each of the phrases stands in `text`; an empty phrase stands nowhere."""
    searched = _searched(text, presence)
    wanted = map(_finder(presence).__getitem__, phrases)
    return [bool(one) and one in searched for one in wanted]


class _Finder(dict[str, str]):
    """What is looked for in a prepared text, by phrases as they are written; remembered."""

    def __init__(self, presence: Presence) -> None:
        super().__init__()
        self._presence = presence
        self._known = normaliser(*presence[1:])

    def __missing__(self, phrase: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        made = self[phrase] = self._wanted(phrase)
        return made

    def _wanted(self, phrase: str) -> str:
        if self._presence.characters and self._presence.method == "casefold":
            return FOLDINGS[self._presence.folding](phrase)
        tokens = " ".join(self._known[phrase].tokens)
        return tokens if self._presence.characters or not tokens else f" {tokens} "


_finder = lru_cache(maxsize=32)(_Finder)


@lru_cache(maxsize=32)
def _searched(text: str, presence: Presence) -> str:
    if presence.characters and presence.method == "casefold":
        return "\n".join(folded_readings(text, presence.folding))
    return text_tokens(text, *presence[1:])
