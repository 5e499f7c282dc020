"""The gold keyphrases of one document, made ready for look-up by tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from kpframe.matching._normalised import Phrase, Tokens, normaliser
from kpframe.matching._presence import Presence, is_present
from kpframe.model import Gold

__all__ = ["GoldIndex", "gold_index", "proper_parts"]

_Tokens = tuple[str, ...]


@dataclass(frozen=True)
class GoldIndex:
    """The kept gold keyphrases, each by its distinct variants, and the number of dropped ones."""

    gold: tuple[tuple[Phrase, ...], ...]
    dropped: int

    @cached_property
    def exact(self) -> Mapping[_Tokens, list[int]]:
        """Tokens of a variant → numbers of the gold keyphrases that have it."""
        found: dict[_Tokens, list[int]] = {}
        for number, variants in enumerate(self.gold):
            for variant in variants:
                found.setdefault(variant.tokens, []).append(number)
        return found

    @cached_property
    def by_beginning(self) -> Mapping[_Tokens, list[tuple[str, int]]]:
        """All tokens of a variant but the last → the last one, case-folded, and the gold's number."""
        found: dict[_Tokens, list[tuple[str, int]]] = {}
        for number, variant in self._variants():
            found.setdefault(variant.tokens[:-1], []).append((variant.last, number))
        return found

    @cached_property
    def by_part(self) -> Mapping[_Tokens, list[int]]:
        """Part of a variant → numbers of the gold keyphrases, longest variant first."""
        found: dict[_Tokens, list[tuple[int, int]]] = {}
        for number, variant in self._variants():
            for part in proper_parts(variant.tokens):
                found.setdefault(part, []).append((-len(variant.tokens), number))
        return {part: [number for _, number in sorted(holders)] for part, holders in found.items()}

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


# All systems of an experiment are matched against the gold of one document before the next one comes, so a
# few entries hit as often as many: one for each matching and part of gold that is asked for meanwhile.
@lru_cache(maxsize=64)
def gold_index(
    gold: tuple[Gold, ...],
    text: str | None,
    method: str,
    unite: bool,
    tokens: Tokens = "words",
    presence: Presence | None = None,
    present: bool = True,
) -> GoldIndex:
    """The gold keyphrases of which a variant is in `text` (all, if it is None), or the others.

    Without `presence`, a variant is in the text if its tokens are, normalised as for matching.
    """
    phrase = normaliser(method, tokens).__getitem__
    distinct = tuple([tuple(map(phrase, keyphrase.variants)) for keyphrase in gold])
    keys = [variant.tokens for group in distinct for variant in group]
    if len(set(keys)) < len(keys):
        groups = _united(map(list, distinct)) if unite else distinct
        distinct = tuple(tuple({variant.tokens: variant for variant in group}.values()) for group in groups)
    if text is None:
        return GoldIndex(distinct, 0)
    test = presence or Presence(False, method, tokens)
    kept = tuple(
        group
        for group in distinct
        if any(is_present(variant.surface, text, test) for variant in group) is present
    )
    return GoldIndex(kept, len(distinct) - len(kept))


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
