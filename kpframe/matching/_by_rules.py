"""One-to-one matching by rules, better ranks first: what most kinds of matching share."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Literal

from kpframe.language.codes import EACH
from kpframe.language.plurals import differ_in_number, plural_limits
from kpframe.matching._gold_index import GoldIndex, proper_parts
from kpframe.matching._normalised import Phrase
from kpframe.matching._prepared import Prepared, PreparedMatching
from kpframe.model import AUTO, Gold, Matches
from kpframe.statistics.pairing import paired

__all__ = ["Rule", "RuleMatching"]

Rule = Literal["exact", "morph", "includes", "part_of"]
"""The rules by which a phrase may hit a gold keyphrase, in the order in which they are preferred."""

_Finder = Callable[[GoldIndex, Phrase], Iterable[int]]


class RuleMatching(PreparedMatching):
    """Going down the ranks, a phrase hits if it and all better hits can have gold keyphrases of their own.

    So a better rank is never displaced, the number of hits at every k is the greatest possible, and the
    order in which gold is listed plays no part. Which keyphrase a hit is shown with: going down the ranks,
    the one by the first of the rules exact, morph, includes, part_of, then the longest (in tokens), then
    the first in alphabetical order of the normalised tokens, among those that leave one for every later hit.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 3.1; Kuhn 1955, augmenting paths"

    @abstractmethod
    def rules(self) -> Sequence[Rule]:
        """The rules of this kind, in the order of preference."""

    def limits(self, language: str) -> Iterator[str]:
        """Stems and plurals that are not known."""
        yield from super().limits(language)
        if "morph" in self.rules() and self.language in (AUTO, EACH, language):
            yield from plural_limits(language)

    def match(self, predicted: Sequence[str], gold: Sequence[Gold], text: str | None) -> Matches:
        """Match the predicted surface forms, best first; DataError if absent gold cannot be told."""
        prepared = self.prepare(predicted, gold, text)
        rules = self.rules()
        if tuple(rules) == ("exact",) and prepared.index.apart:
            hits, names = _matched_exactly(prepared)
        else:
            hits, names = _matched(prepared.index, prepared.phrases, rules)
        return prepared.matches(hits, names)


def _matched(
    index: GoldIndex, phrases: Sequence[Phrase], rules: Sequence[Rule]
) -> tuple[list[int], list[str]]:
    """For each phrase the gold keyphrase that it hits (or -1) and the rule (or nothing)."""
    known = _known_wishes(index, tuple(rules))
    places, wishes = [], []
    for place, phrase in enumerate(phrases):
        found = known.get(id(phrase))
        if found is None:
            found = known[id(phrase)] = _wishes(index, phrase, rules), phrase
        # Most phrases may hit nothing, and have no part in who gets what.
        if found[0]:
            places.append(place)
            wishes.append(found[0])
    hits, names = [-1] * len(phrases), [""] * len(phrases)
    for place, wished, hit in zip(places, wishes, paired([[*wished] for wished in wishes]), strict=True):
        if hit >= 0:
            hits[place], names[place] = hit, wished[hit]
    return hits, names


@lru_cache(maxsize=16)
def _known_wishes(index: GoldIndex, rules: tuple[Rule, ...]) -> dict[int, tuple[Mapping[int, str], Phrase]]:
    """What was found for the phrases of a document: its systems, and the steps of each, share most of them.

    By the id of a phrase, which is held beside it, so that no other can have the id: normalising remembers
    phrases, and telling their tokens apart would take longer than all else here. Of few documents only,
    since systems are evaluated document by document.
    """
    return {}


_NOTHING: Mapping[int, str] = {}


def _wishes(index: GoldIndex, phrase: Phrase, rules: Sequence[Rule]) -> Mapping[int, str]:
    """The gold keyphrases that a phrase may hit, those that it should be shown with first; by which rule."""
    # Most phrases share no word with any gold keyphrase. Then no rule can hold but a difference in number
    # alone, and of that only one word may have none in common.
    if index.words.isdisjoint(phrase.tokens) and (len(phrase.tokens) > 1 or "morph" not in rules):
        return _NOTHING
    wished: dict[int, str] = {}
    for rule in rules:
        for number in _FINDERS[rule](index, phrase):
            wished.setdefault(number, rule)
    return wished


def _matched_exactly(prepared: Prepared) -> tuple[list[int], list[str]]:
    """By the exact rule alone, where no variant belongs to two keyphrases and nobody has a choice.

    Gold is looked up among the phrases, of which there are more.
    """
    first, positions = prepared.first, prepared.positions
    exact = prepared.index.exact
    taken: set[int] = set()
    hits, names = [-1] * len(positions), [""] * len(positions)
    for position, tokens in sorted([(first[tokens], tokens) for tokens in exact if tokens in first]):
        hit = exact[tokens][0]
        if hit not in taken:
            taken.add(hit)
            rank = bisect_left(positions, position)
            hits[rank], names[rank] = hit, "exact"
    return hits, names


def _exact(index: GoldIndex, phrase: Phrase) -> Iterable[int]:
    """Those with the same tokens."""
    return index.exact.get(phrase.tokens, ())


def _morph(index: GoldIndex, phrase: Phrase) -> Iterable[int]:
    """Those with the same tokens but for the number of the last."""
    last = phrase.last
    return [
        number
        for other, number in index.by_beginning.get(phrase.tokens[:-1], ())
        if differ_in_number(last, other, index.language)
    ]


def _includes(index: GoldIndex, phrase: Phrase) -> Iterable[int]:
    """Those of which all tokens stand in the phrase, and not they alone."""
    found: list[tuple[int, int]] = []
    for part in proper_parts(phrase.tokens, index.longest):
        found += [(-len(part), number) for number in index.exact.get(part, ())]
    return [number for _, number in (index.in_order(found) if len(found) > 1 else found)]


def _part_of(index: GoldIndex, phrase: Phrase) -> Iterable[int]:
    """Those in which all tokens of the phrase stand, and not they alone."""
    return index.by_part.get(phrase.tokens, ())


_FINDERS: Mapping[Rule, _Finder] = {
    "exact": _exact,
    "morph": _morph,
    "includes": _includes,
    "part_of": _part_of,
}
