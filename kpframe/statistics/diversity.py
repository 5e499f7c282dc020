"""How much the predictions of one document repeat each other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
    """The phrases, each by its stems, in alphabetical order."""

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
    return Diversity(tuple(sorted(map(stemmed, predicted))))


@lru_cache(maxsize=200_000)
def stemmed(phrase: str) -> tuple[str, ...]:
    """The Porter stems of the lower-cased, blank-separated words of a phrase."""
    return tuple(map(stemmer("porter"), phrase.lower().split()))


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
    if any(len(set(phrase)) < len(phrase) for phrase in phrases):
        return _clipped_counts(phrases)
    # No word comes twice in a phrase, and so no n-gram: an n-gram counts if two phrases have it. Most
    # phrases share no word with another, and those that do are the only ones with a shared n-gram.
    words = Counter(chain.from_iterable(phrases))
    shared = [sum([words[word] > 1 for word in phrase]) for phrase in phrases]
    some = [i for i, matches in enumerate(shared) if matches > 1]
    grams = [{i: list(_ngrams(phrases[i], order)) for i in some} for order in ORDERS[1:]]
    counts = [Counter(chain.from_iterable(of.values())) for of in grams]
    found: list[tuple[int, ...]] = [(matches, 0, 0) for matches in shared]
    for i in some:
        longer = [sum([times[gram] > 1 for gram in of[i]]) for of, times in zip(grams, counts, strict=True)]
        found[i] = (shared[i], *longer)
    return found


def _clipped_counts(phrases: Sequence[Sequence[str]]) -> list[tuple[int, ...]]:
    """The same where an n-gram may come several times in a phrase."""
    tables = [[Counter(_ngrams(phrase, order)) for phrase in phrases] for order in ORDERS]
    tops = [_two_largest(table) for table in tables]
    return [
        tuple(
            sum(min(count, _largest_elsewhere(top[ngram], count)) for ngram, count in table[i].items())
            for table, top in zip(tables, tops, strict=True)
        )
        for i in range(len(phrases))
    ]


def _ngrams(tokens: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    return zip(*(tokens[i:] for i in range(order)), strict=False)


def _two_largest(table: Sequence[Counter[tuple[str, ...]]]) -> dict[tuple[str, ...], tuple[int, int]]:
    """For each n-gram its largest number in one phrase, and the largest in another phrase."""
    found: dict[tuple[str, ...], tuple[int, int]] = {}
    for counts in table:
        for ngram, count in counts.items():
            first, second = found.get(ngram, (0, 0))
            found[ngram] = (max(first, count), max(second, min(first, count)))
    return found


def _largest_elsewhere(top: tuple[int, int], own: int) -> int:
    return top[1] if own == top[0] else top[0]


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

    Equal to rapidfuzz's `ratio` (two empty strings give 100). The lengths of subsequences are found
    for one string against all others at once: all characters stand in one long row of bits, a free bit
    after each string keeps carries from crossing (bit-parallel algorithm of Hyyrö 2004).
    """
    places: dict[str, int] = {}
    lengths = np.array([len(phrase) for phrase in phrases])
    begins = np.concatenate(([0], np.cumsum(lengths + 1)))
    size = int(begins[-1]) // 8 + 1
    for begin, phrase in zip(begins.tolist(), phrases, strict=False):
        for place, character in enumerate(phrase, start=begin):
            places[character] = places.get(character, 0) | 1 << place
    whole = sum(places.values())
    rows = b"".join([_taken(phrase, places, whole).to_bytes(size, "little") for phrase in phrases])
    if len(phrases) < 2:
        return []
    # A row of bits for each string: which characters of all strings its common subsequences take.
    bits = np.unpackbits(np.frombuffer(rows, np.uint8).reshape(len(phrases), size), axis=1, bitorder="little")
    common = np.add.reduceat(bits, begins[:-1], axis=1, dtype=np.int64)
    left, right = np.tril_indices(len(phrases), -1)
    both = lengths[left] + lengths[right]
    similarities = np.where(both > 0, 200.0 * common[left, right] / np.maximum(both, 1), 100.0)
    return [float(value) for value in similarities.tolist()]


def _taken(phrase: str, places: Mapping[str, int], whole: int) -> int:
    row = whole
    for character in phrase:
        matched = row & places[character]
        row = ((row + matched) | (row - matched)) & whole
    return whole & ~row
