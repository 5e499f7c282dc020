"""How much the predictions of one document repeat each other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kpframe.language.normalize import stemmer

__all__ = ["Diversity", "indel_similarities", "self_bleu_scores", "stemmed"]

ORDERS = (1, 2, 3)
_ROWS = 64
"""So many strings are put against all others at once: that bounds the memory for long lists."""
SMOOTHING = 0.1
"""What stands for a count of 0 in the precision of an order (nltk's smoothing method 1)."""


@dataclass(frozen=True, slots=True)
class Diversity:
    """The diversity of a list of predictions: counts are kept, ratios derived.

    Everything is told of lower-cased Porter stems of blank-separated words, over all predictions as
    given, with their duplicates. Counts of documents may be added up. `bleu_sum` has a term for each
    phrase, `similarity_sum` one for each of the `pairs` of phrases.

    Source: the diversity part of KPEval (Wu et al. 2024), which splits stems by nltk's word tokenizer
    before it takes BLEU; here words are parted at blanks alone, and a value differs in the fifth digit.
    """

    phrases: int
    unique_phrases: int
    tokens: int
    unique_tokens: int
    bleu_sum: float
    similarity_sum: float
    pairs: int

    @classmethod
    def of(cls, predicted: Sequence[str]) -> Diversity:
        """The diversity of the predictions of one document, in any order."""
        stems = [stemmed(phrase) for phrase in predicted]
        tokens = Counter(token for phrase in stems for token in phrase)
        joined = [" ".join(phrase) for phrase in stems]
        return cls(
            len(stems),
            len(set(joined)),
            tokens.total(),
            len(tokens),
            math.fsum(self_bleu_scores(stems)),
            math.fsum(indel_similarities(joined)),
            len(stems) * (len(stems) - 1) // 2,
        )

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
    clipped = [_clipped([_counted(phrase, order) for phrase in phrases]) for order in ORDERS]
    return [
        _bleu(hits, len(phrase), closest[len(phrase)])
        for phrase, hits in zip(phrases, zip(*clipped, strict=True), strict=True)
    ]


def _counted(tokens: Sequence[str], order: int) -> dict[tuple[str, ...], int]:
    """How often each n-gram is in a phrase; a plain dict, as a Counter takes longer to make than to fill."""
    counts: dict[tuple[str, ...], int] = {}
    for ngram in _ngrams(tokens, order):
        counts[ngram] = counts.get(ngram, 0) + 1
    return counts


def _ngrams(tokens: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    return zip(*(tokens[i:] for i in range(order)), strict=False)


def _clipped(table: Sequence[Mapping[tuple[str, ...], int]]) -> list[int]:
    """For each phrase its n-grams that others have, each as often as the other that has it most.

    Which other has it most is told for all phrases at once: by the largest number in one phrase, and the
    largest in any other than that one.
    """
    first: dict[tuple[str, ...], int] = {}
    second: dict[tuple[str, ...], int] = {}
    for counts in table:
        for ngram, count in counts.items():
            known = first.get(ngram, 0)
            if count > known:
                first[ngram], second[ngram] = count, known
            elif count > second[ngram]:
                second[ngram] = count
    return [
        sum([min(n, second[ngram] if n == first[ngram] else first[ngram]) for ngram, n in counts.items()])
        for counts in table
    ]


def _closest_other(lengths: Counter[int], own: int) -> int:
    """The length of another phrase that is closest to `own`, the shorter of two."""
    others = (length for length, number in lengths.items() if length != own or number > 1)
    return min(others, key=lambda length: (abs(length - own), length))


def _bleu(clipped: Sequence[int], length: int, reference: int) -> float:
    if not clipped[0]:
        return 0.0
    logarithms = [
        math.log((hits or SMOOTHING) / max(1, length - order + 1))
        for hits, order in zip(clipped, ORDERS, strict=True)
    ]
    brevity = 1.0 if length > reference else math.exp(1 - reference / length)
    return brevity * math.exp(math.fsum(logarithms) / len(ORDERS))


def indel_similarities(phrases: Sequence[str]) -> Iterator[float]:
    """For each pair of strings, 0 … 100: 100 · 2 · longest common subsequence / both lengths.

    Equal to rapidfuzz's `ratio` (two empty strings give 100). The lengths of subsequences are found
    for one string against all others at once: all characters stand in one long row of bits, a free bit
    after each string keeps carries from crossing (bit-parallel algorithm of Hyyrö 2004).
    """
    places: dict[str, int] = {}
    begins = []
    end = whole = 0
    for phrase in phrases:
        begins.append(end)
        whole |= ((1 << len(phrase)) - 1) << end
        for character in phrase:
            places[character] = places.get(character, 0) | 1 << end
            end += 1
        end += 1
    lengths = np.array([len(phrase) for phrase in phrases], dtype=np.int64)
    size = end // 8 + 1
    for start in range(0, len(phrases), _ROWS):
        block = phrases[start : start + _ROWS]
        taken = b"".join(_taken(phrase, places, whole).to_bytes(size, "little") for phrase in block)
        packed = np.frombuffer(taken, dtype=np.uint8).reshape(len(block), size)
        bits = np.unpackbits(packed, axis=1, bitorder="little")
        common = np.add.reduceat(bits, begins, axis=1, dtype=np.int64)
        both = lengths[start : start + len(block), None] + lengths
        shares = np.divide(200.0 * common, both, out=np.full(both.shape, 100.0), where=both > 0)
        earlier = np.arange(len(phrases)) < np.arange(start, start + len(block))[:, None]
        yield from shares[earlier].tolist()


def _taken(phrase: str, places: Mapping[str, int], whole: int) -> int:
    """The characters of all strings that a longest common subsequence with `phrase` takes, as bits."""
    row = whole
    for character in phrase:
        matched = row & places[character]
        row = ((row + matched) | (row - matched)) & whole
    return whole & ~row
