"""Whether a phrase stands in a text: what makes it a present or an absent one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from kpframe.language.codes import DEFAULT
from kpframe.matching._normalised import Tokens, folded_readings, normaliser, text_tokens
from kpframe.model.folding import FOLDINGS, Folding

__all__ = ["Presence", "PresenceTest", "are_present"]

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


def are_present(phrases: Iterable[str], text: str, presence: Presence) -> list[bool]:
    """Whether each of the phrases stands in `text`; an empty phrase stands nowhere."""
    searched = _searched(text, presence)
    if presence.characters and presence.method == "casefold":
        fold = FOLDINGS[presence.folding]
        return [bool(one) and one in searched for one in map(fold, phrases)]
    known = normaliser(*presence[1:])
    wanted = [" ".join(known[phrase].tokens) for phrase in phrases]
    if presence.characters:
        return [bool(one) and one in searched for one in wanted]
    return [bool(one) and f" {one} " in searched for one in wanted]


@lru_cache(maxsize=32)
def _searched(text: str, presence: Presence) -> str:
    if presence.characters and presence.method == "casefold":
        return "\n".join(folded_readings(text, presence.folding))
    return text_tokens(text, *presence[1:])
