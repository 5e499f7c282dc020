"""The gold keyphrases of one document, made ready for look-up by tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from kpframe.language.codes import DEFAULT
from kpframe.matching._normalised import Phrase, Tokens, normaliser
from kpframe.matching._presence import Presence, are_present
from kpframe.model import Gold
from kpframe.model.folding import Folding

__all__ = ["GoldIndex", "SameGold", "gold_index", "proper_parts"]

_Tokens = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class GoldIndex:
    """The kept gold keyphrases, each by its distinct variants, and the number of dropped ones.

    Known by identity, so that what is remembered of one is found without comparing all its phrases.
    """

    gold: tuple[tuple[Phrase, ...], ...]
    dropped: int
    language: str = DEFAULT

    @cached_property
    def exact(self) -> Mapping[_Tokens, list[int]]:
        """Tokens of a variant → numbers of the gold keyphrases that have it, in their order."""
        found: dict[_Tokens, list[int]] = {}
        shared = False
        for number, variants in enumerate(self.gold):
            for variant in variants:
                holders = found.setdefault(variant.tokens, [])
                holders.append(number)
                shared = shared or len(holders) > 1
        if shared:
            for holders in found.values():
                holders.sort(key=self.order.__getitem__)
        return found

    @cached_property
    def by_beginning(self) -> Mapping[_Tokens, list[tuple[str, int]]]:
        """All tokens of a variant but the last → the last one, folded, and the gold's number, in order."""
        found: dict[_Tokens, list[tuple[str, int]]] = {}
        for number, variant in self._variants():
            found.setdefault(variant.tokens[:-1], []).append((variant.last, number))
        for holders in found.values():
            if len(holders) > 1:
                holders.sort(key=lambda holder: self.order[holder[1]])
        return found

    @cached_property
    def by_part(self) -> Mapping[_Tokens, list[int]]:
        """Part of a variant → numbers of the gold keyphrases, longest variant first, then in their order."""
        found: dict[_Tokens, list[tuple[int, int]]] = {}
        for number, variant in self._variants():
            for part in proper_parts(variant.tokens):
                found.setdefault(part, []).append((-len(variant.tokens), number))
        return {part: [number for _, number in self.in_order(held)] for part, held in found.items()}

    @cached_property
    def order(self) -> Sequence[int]:
        """The place of each gold keyphrase in alphabetical order of its variants, however they are listed."""
        keys = [sorted([(variant.tokens, variant.surface) for variant in group]) for group in self.gold]
        places = [0] * len(keys)
        for place, number in enumerate(sorted(range(len(keys)), key=keys.__getitem__)):
            places[number] = place
        return places

    def in_order(self, pairs: Iterable[tuple[float, int]]) -> list[tuple[float, int]]:
        """Pairs of a preference (the least first) and a gold keyphrase, equals in alphabetical order."""
        return sorted(pairs, key=lambda pair: (pair[0], self.order[pair[1]]))

    @cached_property
    def apart(self) -> bool:
        """Whether no variant belongs to two gold keyphrases."""
        return len(self.exact) == sum(map(len, self.gold))

    @cached_property
    def words(self) -> frozenset[str]:
        """All tokens of all variants."""
        return frozenset(token for _, variant in self._variants() for token in variant.tokens)

    @cached_property
    def longest(self) -> int:
        """The number of tokens of the longest variant."""
        return max((len(variant.tokens) for _, variant in self._variants()), default=0)

    def _variants(self) -> Iterator[tuple[int, Phrase]]:
        return ((number, variant) for number, variants in enumerate(self.gold) for variant in variants)


class SameGold:
    """The gold of a document as a key: known by identity, as to compare all its keyphrases takes long."""

    __slots__ = ("gold",)

    def __init__(self, gold: Sequence[Gold]) -> None:
        self.gold = tuple(gold)  # a tuple is itself; of a list this is a copy, which nobody can change

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameGold) and self.gold is other.gold

    def __hash__(self) -> int:
        return id(self.gold)


# The systems of an experiment are matched against the same gold one after the other.
@lru_cache(maxsize=1024)
def gold_index(
    same: SameGold,
    text: str | None,
    method: str,
    unite: bool,
    tokens: Tokens = "words",
    presence: Presence | None = None,
    present: bool = True,
    folding: Folding = "full",
    language: str = DEFAULT,
) -> GoldIndex:
    """The gold keyphrases of which a variant is in `text` (all, if it is None), or the others.

    Without `presence`, a variant is in the text if its tokens are, normalised as for matching.
    """
    phrase = normaliser(method, tokens, folding, language).__getitem__
    distinct = tuple([tuple(map(phrase, keyphrase.variants)) for keyphrase in same.gold])
    keys = [variant.tokens for group in distinct for variant in group]
    if len(set(keys)) < len(keys):
        groups = _united(map(list, distinct)) if unite else distinct
        distinct = tuple(tuple(_once_each(group)) for group in groups)
    if text is None:
        return GoldIndex(distinct, 0, language)
    test = presence or Presence(False, method, tokens, folding, language)
    there = iter(are_present([variant.surface for group in distinct for variant in group], text, test))
    kept = tuple([group for group in distinct if (True in [next(there) for _ in group]) is present])
    return GoldIndex(kept, len(distinct) - len(kept), language)


def _once_each(group: Iterable[Phrase]) -> Iterable[Phrase]:
    """Of variants with equal tokens one, whose spelling does not depend on how they are listed."""
    kept: dict[_Tokens, Phrase] = {}
    for variant in group:
        known = kept.setdefault(variant.tokens, variant)
        if variant.surface < known.surface:
            kept[variant.tokens] = variant
    return kept.values()


def _united(groups: Iterable[list[Phrase]]) -> list[list[Phrase]]:
    """Groups that share a variant as one, at the place of the first of them."""
    united: list[list[Phrase]] = []
    places: dict[_Tokens, int] = {}
    for group in groups:
        same = sorted({places[variant.tokens] for variant in group if variant.tokens in places})
        place = same[0] if same else len(united)
        moved = [variant for other in same[1:] for variant in united[other]] + group
        for other in same[1:]:
            united[other] = []
        if same:
            united[place] += moved
        else:
            united.append(moved)
        for variant in moved:
            places[variant.tokens] = place
    return [group for group in united if group]


def proper_parts(tokens: Sequence[str], longest: int | None = None) -> Iterator[_Tokens]:
    """Contiguous parts shorter than the whole (and at most `longest`), the longest first."""
    count = len(tokens)
    whole = tuple(tokens)
    top = count - 1 if longest is None else min(longest, count - 1)
    for length in range(top, 0, -1):
        for begin in range(count - length + 1):
            yield whole[begin : begin + length]
