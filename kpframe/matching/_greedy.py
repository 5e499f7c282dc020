"""Greedy one-to-one matching in rank order: what all kinds of matching share."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Literal

from kpframe.language.normalize import is_plural_of
from kpframe.matching._gold_index import GoldIndex, proper_parts
from kpframe.matching._normalised import Phrase
from kpframe.matching._prepared import Prepared, PreparedMatching
from kpframe.model import Gold, Matches

__all__ = ["GreedyMatching", "Rule"]

Rule = Literal["exact", "morph", "includes", "part_of"]
"""The rules by which a phrase may hit a gold keyphrase, in the order in which they are tried."""

_Finder = Callable[[GoldIndex, Phrase, Sequence[bool]], int]


class GreedyMatching(PreparedMatching):
    """Phrases are taken in rank order; each gold keyphrase is consumed by its first hit.

    For each phrase the rules of the kind are tried in the order exact, morph, includes, part_of, over
    the gold keyphrases that are still free; if several fit under a rule, the longest (in tokens) is
    hit, then the first in gold order.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 3.1"

    @abstractmethod
    def rules(self) -> Sequence[Rule]:
        """The rules of this kind, in the order in which they are tried."""

    def match(self, predicted: Sequence[str], gold: Sequence[Gold], text: str | None) -> Matches:
        """Match the predicted surface forms, best first; DataError if absent gold cannot be told."""
        prepared = self.prepare(predicted, gold, text)
        rules = self.rules()
        if tuple(rules) == ("exact",):
            hits, names = _matched_exactly(prepared)
        else:
            hits, names = _matched(prepared.index, prepared.phrases, rules)
        return prepared.matches(hits, names)


def _matched(
    index: GoldIndex, phrases: Iterable[Phrase], rules: Sequence[Rule]
) -> tuple[list[int], list[str]]:
    """For each phrase the gold keyphrase that it hits (or -1) and the rule (or nothing)."""
    finders = [(rule, _FINDERS[rule]) for rule in rules]
    free = [True] * len(index.gold)
    hits: list[int] = []
    names: list[str] = []
    for phrase in phrases:
        hit, name = -1, ""
        for rule, find in finders:
            hit = find(index, phrase, free)
            if hit >= 0:
                free[hit] = False
                name = rule
                break
        hits.append(hit)
        names.append(name)
    return hits, names


def _matched_exactly(prepared: Prepared) -> tuple[list[int], list[str]]:
    """The same by the exact rule alone: gold is looked up among the phrases, of which there are more."""
    first, positions = prepared.first, prepared.positions
    exact = prepared.index.exact
    free = [True] * len(prepared.index.gold)
    hits, names = [-1] * len(positions), [""] * len(positions)
    for position, tokens in sorted([(first[tokens], tokens) for tokens in exact if tokens in first]):
        hit = _first_free(exact[tokens], free)
        if hit >= 0:
            free[hit] = False
            rank = bisect_left(positions, position)
            hits[rank], names[rank] = hit, "exact"
    return hits, names


def _exact(index: GoldIndex, phrase: Phrase, free: Sequence[bool]) -> int:
    """The first free gold keyphrase with the same tokens."""
    return _first_free(index.exact.get(phrase.tokens, ()), free)


def _morph(index: GoldIndex, phrase: Phrase, free: Sequence[bool]) -> int:
    """The first free one with the same tokens but for the number of the last."""
    last = phrase.last
    for other, number in index.by_beginning.get(phrase.tokens[:-1], ()):
        # Invariant nouns are plurals of themselves; an equal word has no other number.
        if free[number] and other != last and (is_plural_of(last, other) or is_plural_of(other, last)):
            return number
    return -1


def _includes(index: GoldIndex, phrase: Phrase, free: Sequence[bool]) -> int:
    """The longest free one of which all tokens stand in the phrase, and not they alone."""
    if index.words.isdisjoint(phrase.tokens):
        return -1
    best, length = -1, 0
    for part in proper_parts(phrase.tokens, index.longest):
        if len(part) < length:
            break
        number = _first_free(index.exact.get(part, ()), free)
        if number >= 0 and (best < 0 or number < best):
            best, length = number, len(part)
    return best


def _part_of(index: GoldIndex, phrase: Phrase, free: Sequence[bool]) -> int:
    """The longest free one in which all tokens of the phrase stand, and not they alone."""
    return _first_free(index.by_part.get(phrase.tokens, ()), free)


def _first_free(numbers: Sequence[int], free: Sequence[bool]) -> int:
    for number in numbers:
        if free[number]:
            return number
    return -1


_FINDERS: Mapping[Rule, _Finder] = {
    "exact": _exact,
    "morph": _morph,
    "includes": _includes,
    "part_of": _part_of,
}
