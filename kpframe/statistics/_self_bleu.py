"""BLEU of each phrase against the others of its list."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any

import numpy as np

__all__ = ["self_bleu_scores", "self_bleu_sums"]

ORDERS = (1, 2, 3)
SMOOTHING = 0.1
"""What stands for a count of 0 in the precision of an order (nltk's smoothing method 1)."""

Phrases = Sequence[Sequence[str]]


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
        _bleu(*matches, len(phrase), closest[len(phrase)]) if matches[0] else 0.0
        for matches, phrase in zip(clipped, phrases, strict=True)
    ]


def _clipped(phrases: Sequence[Sequence[str]]) -> list[tuple[int, int, int]]:
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
    return [(one, two, three) for one, two, three in found]


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


def self_bleu_sums(lists: Sequence[Phrases]) -> list[float]:
    """For each list the sum of its `self_bleu_scores`, from one pass over the n-grams of all lists.

    Of a hundred lists together this takes a fifth of the time; of a single one it would take twice as long.
    """
    phrases = list(chain.from_iterable(lists))
    sizes = list(map(len, lists))
    lengths = np.array(list(map(len, phrases)), dtype=np.int64)
    of_list = np.repeat(np.arange(len(lists)), sizes)
    clipped = _clipped_of_many(phrases, lengths, of_list)
    # Who shares no word with another phrase has 0, and the others have few distinct counts.
    sharing = np.flatnonzero(clipped[0])
    closest = _closest_others(lengths, of_list)
    columns = [column[sharing].tolist() for column in (*clipped, lengths, closest)]
    scores = [0.0] * len(phrases)
    for place, score in zip(sharing.tolist(), map(_bleu, *columns), strict=True):
        scores[place] = score
    ends = accumulate(sizes)
    return [math.fsum(scores[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def _clipped_of_many(phrases: Phrases, lengths: Any, of_list: Any) -> list[Any]:
    """By order, for each phrase: how many of its n-grams another one has, as often as that has them."""
    words = list(chain.from_iterable(phrases))
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    tokens = np.fromiter(map(numbers.__getitem__, words), np.int64, len(words))
    owners = np.repeat(np.arange(len(phrases)), lengths)
    # A word counts as another one in every list, so that lists have no n-gram in common.
    singles = np.unique(of_list[owners] * len(numbers) + tokens, return_inverse=True)[1]
    begins, grams = np.arange(len(words)), singles
    found = []
    for order in ORDERS:
        if order > 1:
            last = begins + order - 1
            goes_on = last < len(words)
            goes_on[goes_on] = owners[begins[goes_on]] == owners[last[goes_on]]
            begins = begins[goes_on]
            longer = grams[goes_on] * len(words) + singles[last[goes_on]]
            grams = np.unique(longer, return_inverse=True)[1]
        times, shared = _shared(grams, owners[begins], len(phrases))
        found.append(times)
        # What only one phrase has, only one has with a word behind it.
        begins, grams = begins[shared], grams[shared]
    return found


def _shared(grams: Any, owners: Any, phrases: int) -> tuple[Any, Any]:
    """For each phrase its n-grams that others have, as often as those have them; which n-grams those are."""
    times: Any
    pairs, times = np.unique(grams * phrases + owners, return_counts=True)
    held, holders = np.divmod(pairs, max(phrases, 1))
    shared = np.bincount(held) > 1
    if len(times) and times.max() > 1:
        # The most that another phrase has is, up to one's own number, the second greatest of all.
        order = np.lexsort((-times, held))
        second = np.zeros(len(shared), dtype=np.int64)
        at_second = np.flatnonzero(np.diff(held, prepend=-1)) + 1
        second[shared] = times[order][at_second[shared[held[at_second - 1]]]]
        times = np.minimum(times, second[held])
    else:
        times = shared[held]
    return np.bincount(holders, times, phrases).astype(np.int64), shared[grams]


def _closest_others(lengths: Any, of_list: Any) -> Any:
    """For each phrase the length of another one of its list that is closest to its own, the shorter of two.

    Any number for the only one of a list.
    """
    order = np.lexsort((lengths, of_list))
    ordered, lists = lengths[order], of_list[order]
    same = lists[1:] == lists[:-1]
    far = np.iinfo(np.int64).max // 4
    gaps = np.where(same, np.diff(ordered), far)
    before, behind = np.append(far, gaps), np.append(gaps, far)
    closest = np.empty_like(lengths)
    closest[order] = np.where(before <= behind, ordered - before, ordered + behind)
    return closest


@lru_cache(maxsize=10_000)
def _bleu(one: int, two: int, three: int, length: int, reference: int) -> float:
    """From the clipped counts of each order, the length of the phrase and that of the reference."""
    logarithms = [
        math.log((hits or SMOOTHING) / max(1, length - order + 1))
        for hits, order in zip((one, two, three), ORDERS, strict=True)
    ]
    brevity = 1.0 if length > reference else math.exp(1 - reference / length)
    return brevity * math.exp(math.fsum(logarithms) / len(ORDERS))
