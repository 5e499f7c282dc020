"""For which gold keyphrases a phrase is relevant, by normalised tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

__all__ = ["Relevance", "relevant_numbers"]

Relevance = Literal["exact", "token_subset", "substring"]
"""Equal tokens; all tokens of one among those of the other; a run of characters of the keyphrase."""

_Tokens = tuple[str, ...]
_Gold = Sequence[tuple[int, _Tokens]]


def relevant_numbers(
    phrases: Iterable[_Tokens], gold: Sequence[Sequence[_Tokens]], relevance: Relevance
) -> list[tuple[int, ...]]:
    """For each phrase the gold keyphrases, by number, to some variant of which it is relevant."""
    variants = [(number, tokens) for number, group in enumerate(gold) for tokens in group if tokens]
    finder = _FINDERS[relevance](variants)
    return [tuple(dict.fromkeys(finder(tokens))) for tokens in phrases]


_Finder = Callable[[_Tokens], Iterable[int]]


def _exact(gold: _Gold) -> _Finder:
    index: dict[_Tokens, list[int]] = {}
    for number, tokens in gold:
        index.setdefault(tokens, []).append(number)
    return lambda tokens: index.get(tokens, ())


def _token_subset(gold: _Gold) -> _Finder:
    sets = [(number, frozenset(tokens)) for number, tokens in gold]
    words = frozenset(word for _, tokens in gold for word in tokens)

    def find(tokens: _Tokens) -> Iterable[int]:
        if words.isdisjoint(tokens):
            return ()
        own = frozenset(tokens)
        return [number for number, other in sets if own <= other or other <= own]

    return find


def _substring(gold: _Gold) -> _Finder:
    texts = [(number, " ".join(tokens)) for number, tokens in gold]
    everything = "\n".join(text for _, text in texts)

    def find(tokens: _Tokens) -> Iterable[int]:
        wanted = " ".join(tokens)
        # Most phrases stand in no keyphrase: one search tells that.
        return [number for number, text in texts if wanted in text] if wanted in everything else ()

    return find


_FINDERS: Mapping[Relevance, Callable[[_Gold], _Finder]] = {
    "exact": _exact,
    "token_subset": _token_subset,
    "substring": _substring,
}
