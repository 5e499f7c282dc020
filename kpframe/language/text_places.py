"""Where phrases stand in a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from kpframe.language.stems import stemmer
from kpframe.language.words import token_spans
from kpframe.model.folding import fold

__all__ = ["Span", "Tokens", "occurrences"]

Span = tuple[int, int]

_Places = Mapping[str, Sequence[int]]
"""Where each token stands."""


class Tokens:
    """The tokens of a text, read once for all that is looked for: where phrases stand in it.

    Whole tokens, compared case-folded; where none is found so, by their Porter stems. A token is folded
    by itself, so that offsets are those of the text as it is.
    """

    def __init__(self, text: str) -> None:
        self.spans = token_spans(text)
        self._folded = [fold(text[begin:end]) for begin, end in self.spans]
        self._places = _places(self._folded)

    @cached_property
    def _stemmed(self) -> tuple[list[str], _Places]:
        stems = list(map(stemmer("porter"), self._folded))
        return stems, _places(stems)

    def occurrences(self, variants: Sequence[str]) -> list[Span]:
        """Where any of the variants stands: code-point offsets, half open, in order."""
        places = self.places(variants)
        return [(self.spans[begin][0], self.spans[end - 1][1]) for begin, end in places]

    def places(self, variants: Sequence[str]) -> list[Span]:
        """Where any of the variants stands: ranges of tokens, half open, in order."""
        phrases = [[fold(variant[b:e]) for b, e in token_spans(variant)] for variant in variants]
        found = set(_runs(self._folded, self._places, phrases))
        if not found:
            stem = stemmer("porter")
            found = set(_runs(*self._stemmed, [list(map(stem, phrase)) for phrase in phrases]))
        return sorted(found)


def occurrences(text: str, variants: Sequence[str]) -> list[Span]:
    """Where any of the variants stands in a text: see `Tokens`."""
    return Tokens(text).occurrences(variants)


def _places(tokens: Sequence[str]) -> _Places:
    found: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        found.setdefault(token, []).append(place)
    return found


def _runs(tokens: Sequence[str], places: _Places, phrases: Sequence[Sequence[str]]) -> Iterator[Span]:
    """Ranges of tokens that are one of the phrases."""
    for phrase in phrases:
        wanted = list(phrase)
        for begin in places.get(wanted[0], ()) if wanted else ():
            if list(tokens[begin : begin + len(wanted)]) == wanted:
                yield begin, begin + len(wanted)
