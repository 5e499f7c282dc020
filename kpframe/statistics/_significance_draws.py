"""The two tests that draw: Fisher's randomisation and the paired bootstrap, many pairs at a time.

A draw says of every document how it goes into the sums: a system's own values or its rival's, or how
often. So a batch of draws for all systems is one product of matrices, and the pairs share it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kpframe.errors import SpecError

__all__ = [
    "DRAWS",
    "MEAN",
    "SEED",
    "Aggregate",
    "Outcome",
    "Resampled",
    "Values",
    "bootstrap",
    "randomisation",
]

DRAWS = 10_000
"""Permutations of a randomisation test and resamples of a bootstrap, where nobody says another number."""
SEED = 2009
"""Of what is drawn, where nobody says another."""

Values = NDArray[np.float64]
Pair = tuple[int, int]

_CELLS = 3_000_000
"""Numbers in a batch of draws: some 25 MB."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The p of a test, and on how many documents; `exact` if no approximation and no chance is in it."""

    p: float
    documents: int
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Resampled:
    """What the bootstrap says: p, the percentile interval and the standard error of the difference."""

    p: float
    documents: int
    low: float
    high: float
    error: float


@dataclass(frozen=True)
class Aggregate:
    """How the parts of all documents make one score.

    `value` makes it from the means of the parts, or from their `sums` (as a micro average does). Without
    a function the score is the mean of the one part that documents have.
    """

    value: Callable[[tuple[float, ...]], float] | None = None
    over: Literal["means", "sums"] = "means"

    def scores(self, sums: Values, documents: int) -> Values:
        """The scores for sums of parts; the last axis of `sums` has the parts."""
        if self.value is None:
            mean: Values = sums[..., 0] / documents
            return mean
        rows = sums.reshape(-1, sums.shape[-1])
        if self.over == "means":
            rows = rows / documents
        distinct, places = _distinct(rows)
        values = np.array([self.value(tuple(row)) for row in distinct.tolist()], dtype=float)
        return values[places].reshape(sums.shape[:-1])

    def differences(self, first: Values, second: Values, documents: int) -> Values:
        """The scores for the sums of one system minus those of another."""
        if self.value is None:
            return self.scores(first, documents) - self.scores(second, documents)
        ours, theirs = self.scores(np.stack((first, second)), documents)
        difference: Values = ours - theirs
        return difference


MEAN = Aggregate()
"""The mean of the documents' values."""


def _distinct(rows: Values) -> tuple[Values, NDArray[np.intp]]:
    """The different rows, and for each row which of them it is; sums of counts repeat a lot."""
    order = np.lexsort(rows.T)
    ordered = rows[order]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    places = np.empty(len(rows), dtype=np.intp)
    places[order] = np.cumsum(new) - 1
    return ordered[new], places


def randomisation(
    values: Values,
    pairs: Sequence[Pair],
    *,
    aggregate: Aggregate = MEAN,
    permutations: int = DRAWS,
    seed: int = SEED,
) -> list[Outcome]:
    """Fisher's randomisation test of pairs of systems, all with the same draws.

    If two systems are alike, it is chance which of them got which of the two values of a document. So
    values are swapped, document by document, and p is the share of swaps with a difference of scores
    at least as large as the observed one. Where all 2**documents swaps are no more than `permutations`,
    they are all taken and p is exact; else so many are drawn, and p = (hits + 1) / (permutations + 1),
    which counts the observed one among them.

    `values` has the shape documents × systems, or documents × systems × parts for an aggregate of parts.
    `pairs` are indexes of systems. A draw belongs to the row of a document among those that a pair uses:
    bring rows into an order that does not depend on the input (as that of ids). Memory: about 100 MB.

    Source: Fisher (1935), section 21; Smucker, Allan and Carterette (2007); Phipson and Smyth (2010).
    """
    _at_least_one("permutations", permutations)
    outcomes = [Outcome(1.0, 0)] * len(pairs)
    for block, columns, numbers in _blocks(values, pairs):
        exact = len(block) < 60 and 2 ** len(block) <= permutations
        batches = _all_swaps(len(block)) if exact else _some_swaps(len(block), permutations, seed)
        hits = _hits(block, columns, aggregate, batches)
        for number, count in zip(numbers, hits, strict=True):
            p = count / 2 ** len(block) if exact else (count + 1) / (permutations + 1)
            outcomes[number] = Outcome(p, len(block), exact)
    return outcomes


def _hits(block: Values, pairs: Sequence[Pair], aggregate: Aggregate, batches: Iterator[Values]) -> list[int]:
    """For each pair in how many draws the difference was at least as large as without any swap."""
    sums = block.sum(axis=0)
    observed = [_size(block, sums, pair, aggregate) for pair in pairs]
    hits = [0] * len(pairs)
    flat = block.reshape(len(block), -1)
    for kept in batches:
        own = (kept @ flat).reshape(len(kept), *sums.shape)
        for i, (a, b) in enumerate(pairs):
            # What a system did not keep is with its rival: the rival's whole sum less what that kept.
            first = own[:, a] + (sums[b] - own[:, b])
            second = own[:, b] + (sums[a] - own[:, a])
            drawn = np.abs(aggregate.differences(first, second, len(block)))
            hits[i] += int(np.count_nonzero(drawn >= observed[i]))
    return hits


def _size(block: Values, sums: Values, pair: Pair, aggregate: Aggregate) -> float:
    """The observed difference, less what rounding may do to one that is equal."""
    a, b = pair
    observed = abs(float(aggregate.differences(sums[a][None], sums[b][None], len(block))[0]))
    return observed - _rounding(block, pair, aggregate)


def _rounding(block: Values, pair: Pair, aggregate: Aggregate) -> float:
    parts = block[:, list(pair)]
    scale = float(np.abs(parts).sum()) / len(block) if aggregate.value is None else 1.0
    return scale * max(1e-12, 4 * len(block) * float(np.finfo(float).eps))


def _all_swaps(documents: int) -> Iterator[Values]:
    """Every choice of documents that keep their values, as rows of 0 and 1."""
    rows = _batch(documents)
    for begin in range(0, 2**documents, rows):
        numbers = np.arange(begin, min(begin + rows, 2**documents), dtype=np.int64)
        yield (numbers[:, None] >> np.arange(documents) & 1).astype(float)


def _some_swaps(documents: int, permutations: int, seed: int) -> Iterator[Values]:
    """Random choices of documents that keep their values, as rows of 0 and 1."""
    generator = np.random.Generator(np.random.PCG64(seed))
    rows = min(permutations, _batch(documents))
    buffer = np.empty((rows, documents))
    words = (documents + 63) // 64
    for begin in range(0, permutations, rows):
        size = min(rows, permutations - begin)
        drawn = generator.integers(0, 2**64 - 1, size=(size, words), dtype=np.uint64, endpoint=True)
        bits = np.unpackbits(drawn.astype("<u8", copy=False).view(np.uint8), axis=1, count=documents)
        np.copyto(buffer[:size], bits)
        yield buffer[:size]


def bootstrap(
    values: Values,
    pairs: Sequence[Pair],
    *,
    aggregate: Aggregate = MEAN,
    resamples: int = DRAWS,
    level: float = 0.95,
    seed: int = SEED,
) -> list[Resampled | None]:
    """The paired bootstrap of pairs of systems, all with the same resamples of the documents.

    Documents are drawn with replacement, as many as there are, and scores are made anew. The interval
    has the middle `level` of the differences (percentiles). For p they are moved so that their middle is
    0, as if the systems were alike: p = (hits + 1) / (resamples + 1), where a hit is a resample whose
    difference lies at least as far from the observed one as that lies from 0. (Koehn 2004 counts the
    resamples in which the worse system wins; that is one-sided and no test of a hypothesis.) With few
    documents, below some 30, p is too small and the interval too short.

    Arguments as for `randomisation`. None for a pair without documents; p is 1 for a single document.

    Source: Efron and Tibshirani (1993), sections 13.3 and 16.4; Sakai (2006), section 3.
    """
    _at_least_one("resamples", resamples)
    found: list[Resampled | None] = [None] * len(pairs)
    for block, columns, numbers in _blocks(values, pairs):
        for number, pair, drawn in zip(
            numbers, columns, _resampled(block, columns, aggregate, resamples, seed), strict=True
        ):
            sums = block.sum(axis=0)
            a, b = pair
            observed = float(aggregate.differences(sums[a][None], sums[b][None], len(block))[0])
            least = abs(observed) - _rounding(block, pair, aggregate)
            hits = int(np.count_nonzero(np.abs(drawn - observed) >= least))
            low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
            error = float(drawn.std(ddof=1)) if resamples > 1 else 0.0
            p = (hits + 1) / (resamples + 1) if len(block) > 1 else 1.0
            found[number] = Resampled(p, len(block), float(low), float(high), error)
    return found


def _resampled(
    block: Values, pairs: Sequence[Pair], aggregate: Aggregate, resamples: int, seed: int
) -> list[Values]:
    """For each pair its differences in all resamples."""
    generator = np.random.Generator(np.random.PCG64(seed))
    documents = len(block)
    flat = block.reshape(documents, -1)
    rows = min(resamples, _batch(documents))
    drawn = [np.empty(resamples) for _ in pairs]
    for begin in range(0, resamples, rows):
        size = min(rows, resamples - begin)
        chosen = generator.integers(0, documents, size=(size, documents))
        chosen += documents * np.arange(size)[:, None]
        often = np.bincount(chosen.ravel(), minlength=size * documents).reshape(size, documents)
        own = (often.astype(float) @ flat).reshape(size, *block.shape[1:])
        for differences, (a, b) in zip(drawn, pairs, strict=True):
            differences[begin : begin + size] = aggregate.differences(own[:, a], own[:, b], documents)
    return drawn


def _blocks(values: Values, pairs: Sequence[Pair]) -> Iterator[tuple[Values, list[Pair], list[int]]]:
    """Pairs that use the same documents: their values, the pairs within them, and their numbers."""
    whole = values[:, :, None] if values.ndim == 2 else values
    counted: NDArray[np.bool_] = np.logical_not(np.isnan(whole).any(axis=2))
    together: dict[bytes, list[int]] = {}
    for number, (a, b) in enumerate(pairs):
        together.setdefault((counted[:, a] & counted[:, b]).tobytes(), []).append(number)
    for used, numbers in together.items():
        rows = np.frombuffer(used, dtype=bool)
        if rows.any():
            systems = sorted({system for number in numbers for system in pairs[number]})
            place = {system: i for i, system in enumerate(systems)}
            columns = [(place[pairs[number][0]], place[pairs[number][1]]) for number in numbers]
            yield np.ascontiguousarray(whole[rows][:, systems]), columns, numbers


def _batch(documents: int) -> int:
    return max(1, _CELLS // documents)


def _at_least_one(name: str, number: int) -> None:
    if number < 1:
        raise SpecError.at(name, f"must be at least 1, not {number}", "10000 is usual")
