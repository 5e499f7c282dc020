"""For which gold keyphrases a phrase is relevant, by normalised tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from kpframe.language.substrings import holders

__all__ = ["Relevance", "relevant_numbers"]

Relevance = Literal["exact", "token_subset", "substring"]
"""Equal tokens; all tokens of one among those of the other; a run of characters of the keyphrase."""

_Tokens = tuple[str, ...]
_Gold = Sequence[tuple[int, _Tokens]]


def relevant_numbers(
    phrases: Sequence[_Tokens], gold: Sequence[Sequence[_Tokens]], relevance: Relevance
) -> list[tuple[int, ...]]:
    """For each phrase the gold keyphrases, by number, to some variant of which it is relevant."""
    variants = [(number, tokens) for number, group in enumerate(gold) for tokens in group if tokens]
    found = _FINDERS[relevance](phrases, variants)
    return [tuple(dict.fromkeys(numbers)) if len(numbers) > 1 else tuple(numbers) for numbers in found]


_Finder = Callable[[Sequence[_Tokens], _Gold], Sequence[Sequence[int]]]


def _exact(phrases: Sequence[_Tokens], gold: _Gold) -> list[Sequence[int]]:
    index: dict[_Tokens, list[int]] = {}
    for number, tokens in gold:
        index.setdefault(tokens, []).append(number)
    return [index.get(tokens, ()) for tokens in phrases]


def _token_subset(phrases: Sequence[_Tokens], gold: _Gold) -> list[Sequence[int]]:
    sets = [(number, frozenset(tokens)) for number, tokens in gold]
    words = frozenset(word for _, tokens in gold for word in tokens)

    def find(tokens: _Tokens) -> Sequence[int]:
        if words.isdisjoint(tokens):
            return ()
        own = frozenset(tokens)
        return [number for number, other in sets if own <= other or other <= own]

    return list(map(find, phrases))


def _substring(phrases: Sequence[_Tokens], gold: _Gold) -> list[Sequence[int]]:
    numbers: list[list[int]] = [[] for _ in phrases]
    texts = [" ".join(tokens) for _, tokens in gold]
    for at, place in holders(texts, list(map(" ".join, phrases))):
        numbers[place].append(gold[at][0])
    return list(numbers)


_FINDERS: Mapping[Relevance, _Finder] = {
    "exact": _exact,
    "token_subset": _token_subset,
    "substring": _substring,
}
