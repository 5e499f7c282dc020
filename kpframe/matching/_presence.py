"""Whether a phrase stands in a text: what makes it a present or an absent one."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from kpframe.language.codes import DEFAULT
from kpframe.language.folding import FOLDINGS, Folding
from kpframe.matching._normalised import Tokens, folded_readings, normalised, text_tokens

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


def is_present(phrase: str, text: str, presence: Presence) -> bool:
    """Whether `phrase` stands in `text`; an empty phrase stands nowhere."""
    wanted = _wanted(phrase, presence)
    return bool(wanted) and wanted in _searched(text, presence)


@lru_cache(maxsize=200_000)
def _wanted(phrase: str, presence: Presence) -> str:
    if presence.characters and presence.method == "casefold":
        return FOLDINGS[presence.folding](phrase)
    tokens = " ".join(normalised(phrase, *presence[1:]).tokens)
    return tokens if presence.characters or not tokens else f" {tokens} "


@lru_cache(maxsize=32)
def _searched(text: str, presence: Presence) -> str:
    if presence.characters and presence.method == "casefold":
        return "\n".join(folded_readings(text, presence.folding))
    return text_tokens(text, *presence[1:])
