"""Whether a phrase stands in a text: what makes it a present or an absent one."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from kpframe.language.normalize import fold
from kpframe.matching._normalised import Tokens, normalised, text_tokens

__all__ = ["Presence", "PresenceTest", "is_present"]

PresenceTest = Literal[
    "tokens", "characters", "surface_tokens", "surface_characters", "stem_tokens", "stem_characters"
]
"""Contiguous whole tokens, or any run of characters; as matching normalises, case-folded, or as stems."""


class Presence(NamedTuple):
    """A test for presence, made up of what matching says about tokens."""

    characters: bool
    method: str
    tokens: Tokens

    @classmethod
    def of(cls, test: PresenceTest, method: str, tokens: Tokens) -> Presence:
        """The test called `test` where matching normalises by `method`."""
        on, _, unit = test.rpartition("_")
        return cls(unit == "characters", {"": method, "surface": "casefold", "stem": "porter"}[on], tokens)


def is_present(phrase: str, text: str, presence: Presence) -> bool:
    """Whether `phrase` stands in `text`; an empty phrase stands nowhere."""
    wanted = _wanted(phrase, presence)
    return bool(wanted) and wanted in _searched(text, presence)


@lru_cache(maxsize=200_000)
def _wanted(phrase: str, presence: Presence) -> str:
    if presence.characters and presence.method == "casefold":
        return fold(phrase)
    tokens = " ".join(normalised(phrase, presence.method, presence.tokens).tokens)
    return tokens if presence.characters or not tokens else f" {tokens} "


@lru_cache(maxsize=32)
def _searched(text: str, presence: Presence) -> str:
    if presence.characters and presence.method == "casefold":
        return fold(text)
    return text_tokens(text, presence.method, presence.tokens)
