"""How much the predictions of one document repeat each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, ClassVar

from kpframe.language.stems import stemmer
from kpframe.statistics._indel import indel_similarities, indel_sums
from kpframe.statistics._self_bleu import self_bleu_scores, self_bleu_sums

__all__ = ["Diversities", "Diversity", "indel_similarities", "self_bleu_scores"]


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

    lists: ClassVar[int] = 1
    """The number of lists."""

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


class Diversities:
    """The counts of many lists at once, each a column with a row for every list; see `Diversity`.

    Numbers of many lists together are handled by numpy, which takes a fraction of the time of one by one.
    """

    def __init__(self, lists: Iterable[Sequence[str]]) -> None:
        self._stems = list(map(_stemmed, lists))

    @property
    def lists(self) -> list[int]:
        """1 for every list."""
        return [1] * len(self._stems)

    @cached_property
    def phrases(self) -> list[int]:
        """The numbers of phrases."""
        return list(map(len, self._stems))

    @property
    def pairs(self) -> list[int]:
        """The numbers of pairs of phrases."""
        return [count * (count - 1) // 2 for count in self.phrases]

    @cached_property
    def unique_phrases(self) -> list[int]:
        """The numbers of distinct phrases."""
        return [len(set(phrases)) for phrases in self._stems]

    @cached_property
    def tokens(self) -> list[int]:
        """The numbers of stems."""
        return [sum(map(len, phrases)) for phrases in self._stems]

    @cached_property
    def unique_tokens(self) -> list[int]:
        """The numbers of distinct stems."""
        return [len(set(chain.from_iterable(phrases))) for phrases in self._stems]

    @cached_property
    def bleu_sum(self) -> list[float]:
        """The sums of the BLEU-3 of each phrase against all others of its list."""
        return self_bleu_sums(self._stems)

    @cached_property
    def similarity_sum(self) -> list[float]:
        """The sums of the similarities of all pairs, each 0 … 100."""
        return indel_sums([list(map(" ".join, phrases)) for phrases in self._stems])


# Several measures are made of one list, one after the other.
@lru_cache(maxsize=16)
def _remembered(predicted: tuple[str, ...]) -> Diversity:
    return Diversity(tuple(sorted(_stemmed(predicted))))


def _stemmed(predicted: Iterable[str]) -> list[tuple[str, ...]]:
    """The Porter stems of lower-cased, blank-separated words, each phrase by itself."""
    stem = stemmer("porter")
    return [tuple(map(stem, phrase.lower().split())) for phrase in predicted]
