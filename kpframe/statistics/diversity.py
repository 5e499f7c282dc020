"""How much the predictions of one document repeat each other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

import numpy as np

from kpframe.language.stems import stemmer

__all__ = ["Diversity", "indel_similarities", "self_bleu_scores", "stemmed"]

ORDERS = (1, 2, 3)
SMOOTHING = 0.1
"""What stands for a count of 0 in the precision of an order (nltk's smoothing method 1)."""


@dataclass(frozen=True)
class Diversity:
    """The diversity of a list of predictions: counts are kept, ratios derived.

    Everything is told of lower-cased Porter stems of blank-separated words, over all predictions as
    given, with their duplicates. Counts of documents may be added up. `bleu_sum` has a term for each
    phrase, `similarity_sum` one for each of the `pairs` of phrases; both are made when they are asked for.

    Source: the diversity part of KPEval (Wu et al. 2024), which splits stems by nltk's word tokenizer
    before it takes BLEU; here words are parted at blanks alone, and a value differs in the fifth digit.
    """

    stems: tuple[tuple[str, ...], ...]
    """The phrases, each by its stems, in alphabetical order: lists of equal phrases are equal."""

    @classmethod
    def of(cls, predicted: Sequence[str]) -> Diversity:
        """The diversity of the predictions of one document, in any order."""
        return _remembered(tuple(predicted))

    @property
    def phrases(self) -> int:
        """The number of phrases."""
        return len(self.stems)

    @property
    def pairs(self) -> int:
        """The number of pairs of phrases."""
        return len(self.stems) * (len(self.stems) - 1) // 2

    @cached_property
    def unique_phrases(self) -> int:
        """The number of distinct phrases."""
        return len(set(self.stems))

    @cached_property
    def tokens(self) -> int:
        """The number of stems."""
        return sum(map(len, self.stems))

    @cached_property
    def unique_tokens(self) -> int:
        """The number of distinct stems."""
        return len(set(chain.from_iterable(self.stems)))

    @cached_property
    def bleu_sum(self) -> float:
        """The sum of the BLEU-3 of each phrase against all others."""
        return math.fsum(self_bleu_scores(self.stems))

    @cached_property
    def similarity_sum(self) -> float:
        """The sum of the similarities of all pairs, each 0 … 100."""
        return math.fsum(indel_similarities([" ".join(phrase) for phrase in self.stems]))

    @property
    def unique_phrase_ratio(self) -> float:
        """Distinct phrases over all phrases, in 0 … 1; 0 for an empty list."""
        return self.unique_phrases / self.phrases if self.phrases else 0.0

    @property
    def unique_token_ratio(self) -> float:
        """Distinct stems over all stems, in 0 … 1; 0 for an empty list."""
        return self.unique_tokens / self.tokens if self.tokens else 0.0

    @property
    def dup_token_ratio(self) -> float:
        """1 - unique_token_ratio: 1 for an empty list."""
        return 1.0 - self.unique_token_ratio

    @property
    def self_bleu(self) -> float:
        """The mean BLEU-3 of each phrase against all others, in 0 … 1, higher for more repetition.

        0 for an empty list and for a single phrase.
        """
        return self.bleu_sum / self.phrases if self.phrases else 0.0

    @property
    def self_edit_distance(self) -> float:
        """The mean *similarity* of two phrases, 0 … 100, higher for more repetition.

        It has the name that KPEval gives it, yet it is no distance: rapidfuzz's `ratio`, that is 100
        times twice the longest common subsequence over both lengths. 0 for fewer than two phrases.
        """
        return self.similarity_sum / self.pairs if self.pairs else 0.0

    def to_json(self) -> dict[str, Any]:
        """The values, unrounded."""
        return {
            "phrases": self.phrases,
            "unique_phrases": self.unique_phrases,
            "unique_phrase_ratio": self.unique_phrase_ratio,
            "unique_token_ratio": self.unique_token_ratio,
            "dup_token_ratio": self.dup_token_ratio,
            "self_bleu": self.self_bleu,
            "self_edit_distance": self.self_edit_distance,
        }


# Several measures are made of one list, one after the other.
@lru_cache(maxsize=16)
def _remembered(predicted: tuple[str, ...]) -> Diversity:
    return Diversity(tuple(sorted(map(_STEMMED.__getitem__, predicted))))


class _Stemmed(dict[str, tuple[str, ...]]):
    """Stems by phrase; to ask a dict is faster than `lru_cache`."""

    def __missing__(self, phrase: str) -> tuple[str, ...]:
        if len(self) >= _KNOWN:
            self.clear()
        made = self[phrase] = tuple(map(stemmer("porter"), phrase.lower().split()))
        return made


_KNOWN = 100_000
_STEMMED = _Stemmed()


def stemmed(phrase: str) -> tuple[str, ...]:
    """The Porter stems of the lower-cased, blank-separated words of a phrase."""
    return _STEMMED[phrase]


def self_bleu_scores(phrases: Sequence[Sequence[str]]) -> list[float]:
    """The BLEU-3 of each phrase with all others as references; 0 where there is no other.

    Equal to nltk's `sentence_bleu` with weights of a third and smoothing method 1, in one pass over
    all n-grams instead of one over all pairs of phrases.
    """
    if len(phrases) < 2:
        return [0.0] * len(phrases)
    lengths = Counter(map(len, phrases))
    closest = {length: _closest_other(lengths, length) for length in lengths}
    clipped = _clipped(phrases)
    return [
        _bleu(matches, len(phrase), closest[len(phrase)]) if matches[0] else 0.0
        for matches, phrase in zip(clipped, phrases, strict=True)
    ]


def _clipped(phrases: Sequence[Sequence[str]]) -> list[tuple[int, ...]]:
    """For each phrase, by order, how many of its n-grams another phrase has, as often as that has them."""
    found = [[0] * len(ORDERS) for _ in phrases]
    # Where no word comes twice in a phrase, no n-gram does.
    once = [len(set(phrase)) == len(phrase) for phrase in phrases]
    sharing: Sequence[int] = range(len(phrases))
    for place, order in enumerate(ORDERS):
        grams = {i: _ngrams(phrases[i], order) for i in sharing}
        holders = Counter(chain.from_iterable([of if once[i] else set(of) for i, of in grams.items()]))
        shared = {gram for gram, number in holders.items() if number > 1}
        for i, of in grams.items():
            found[i][place] = len(shared.intersection(of)) if once[i] else _repeated(i, grams)
        # Who shares an n-gram shares the two shorter ones in it; most phrases share not even two words.
        sharing = [i for i in sharing if found[i][place] > 1]
    return list(map(tuple, found))


def _repeated(i: int, grams: Mapping[int, Sequence[_Ngram]]) -> int:
    """The same for a phrase that has an n-gram several times."""
    others = [of for j, of in grams.items() if j != i]
    counts = Counter(grams[i])
    return sum([min(n, max([of.count(gram) for of in others], default=0)) for gram, n in counts.items()])


_Ngram = str | tuple[str, ...]


def _ngrams(tokens: Sequence[str], order: int) -> Sequence[_Ngram]:
    if order == 1:
        return tokens
    # One call for each phrase and order: built step by step it takes four times as long.
    following = tokens[1:]
    if order == 2:
        return list(zip(tokens, following, strict=False))
    return list(zip(tokens, following, tokens[2:], strict=False))


def _closest_other(lengths: Counter[int], own: int) -> int:
    """The length of another phrase that is closest to `own`, the shorter of two."""
    others = (length for length, number in lengths.items() if length != own or number > 1)
    return min(others, key=lambda length: (abs(length - own), length))


@lru_cache(maxsize=10_000)
def _bleu(clipped: tuple[int, ...], length: int, reference: int) -> float:
    logarithms = [
        math.log((hits or SMOOTHING) / max(1, length - order + 1))
        for hits, order in zip(clipped, ORDERS, strict=True)
    ]
    brevity = 1.0 if length > reference else math.exp(1 - reference / length)
    return brevity * math.exp(math.fsum(logarithms) / len(ORDERS))


def indel_similarities(phrases: Sequence[str]) -> list[float]:
    """For each pair of strings, 0 … 100: 100 · 2 · longest common subsequence / both lengths.

    Two empty strings give 100.
    """
    if len(phrases) < 2:
        return []
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    # From the distance, a whole number, so that the value is rounded once, whoever computes it.
    left, right = _pairs(len(phrases))
    lengths = np.array(list(map(len, phrases)))
    both = lengths[left] + lengths[right]
    common = both - process.cdist(phrases, phrases, scorer=Indel.distance, dtype=np.int32)[left, right]
    similarities: list[float] = np.where(both > 0, 100.0 * common / np.maximum(both, 1), 100.0).tolist()
    return similarities


@lru_cache(maxsize=256)
def _pairs(count: int) -> tuple[Any, Any]:
    return np.tril_indices(count, -1)
