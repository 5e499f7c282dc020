"""Candidates in groups of those that share words, and how near groups stand to each other in the text.

Everything here is quadratic in the number of candidates, in time and in memory, so `refuse_too_many` goes
first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from kpframe.errors import StageError
from kpframe.model import Annotations, Candidates
from kpframe.ranking._graph import Indexes, Weights
from kpframe.ranking._words import Stemmer, token_strings

__all__ = ["Linkage", "MaxCandidates", "Threshold", "nearness", "refuse_too_many", "topics_of"]

Linkage = Literal["average", "complete", "single"]

Threshold = Annotated[
    float,
    Field(
        gt=0.0,
        lt=1.0,
        description="Groups at a distance up to this are one topic; 0.74 is a quarter of the words shared.",
    ),
]
MaxCandidates = Annotated[
    int,
    Field(
        ge=1,
        le=30_000,
        description="Most candidates of a text: memory grows with the square of their number (some 0.6 GB at "
        "5000, 2.4 GB at 10,000), so a text with more is an error, not ranked.",
    ),
]

_DENSE_UP_TO = 40_000
"""Candidates × words up to which the words that they share are counted in a dense matrix."""

_PAIRS_AT_ONCE = 1_000_000
"""How many pairs of places are held in memory before they are summed."""


def refuse_too_many(candidates: Candidates, limit: int, kind: str) -> None:
    """Raise StageError, with what can be done, for a text of more than `limit` candidates."""
    if len(candidates) > limit:
        raise StageError.at(
            f"document {candidates.document.id!r}, ranking: {kind}",
            f"{len(candidates):,} candidates; time and memory grow with the square of their number",
            f"set candidates.first_within or candidates.min_frequency to have at most {limit:,}, or raise "
            "ranking.max_candidates",
        )


def topics_of(candidates: Candidates, stem: Stemmer | None, *, threshold: float, linkage: Linkage) -> Indexes:
    """The topic of each candidate, shape (candidates,), numbered 0, 1, … by first occurrence.

    Candidates are clustered agglomeratively by the Jaccard distance of the sets of their words, or of these
    words' stems (those of the first place count). Where distances tie, the candidate with the first key in
    alphabetical order is joined first, so that the order of the text has no say in what belongs together.
    """
    return candidates.annotations.once(_topics_of, candidates, stem, threshold, linkage)


def _topics_of(
    _: Annotations, candidates: Candidates, stem: Stemmer | None, threshold: float, linkage: Linkage
) -> Indexes:
    count = len(candidates)
    if count < 2:
        return np.zeros(count, dtype=np.int64)
    from scipy.cluster.hierarchy import linkage as tree_of

    strings = token_strings(candidates, stem)
    order = sorted(range(count), key=candidates.keys.__getitem__)
    places = candidates.places_of
    sets = [frozenset(strings[slice(*places[i][0])]) for i in order]
    clusters = _cut(tree_of(_distances(sets), method=linkage), threshold)
    of_candidate = [0] * count
    for place, cluster in zip(order, clusters, strict=True):
        of_candidate[place] = cluster
    number: dict[int, int] = {}
    return np.array([number.setdefault(cluster, len(number)) for cluster in of_candidate], dtype=np.int64)


def _cut(tree: Weights, threshold: float) -> list[int]:
    """For each leaf of scipy's tree the greatest subtree around it that was joined at most at `threshold`.

    `scipy.cluster.hierarchy.fcluster` finds the same, and spends most of its time on checking the tree.
    """
    count = len(tree) + 1
    whole = [True] * count
    top = list(range(2 * count - 1))
    for left, right, distance, _ in tree.tolist():
        whole.append(distance <= threshold and whole[int(left)] and whole[int(right)])
    # From the root down: what was joined belongs to where its joined subtree belongs.
    for node in range(2 * count - 2, count - 1, -1):
        if whole[node]:
            top[int(tree[node - count, 0])] = top[int(tree[node - count, 1])] = top[node]
    return top[:count]


def _distances(sets: Sequence[frozenset[str]]) -> Weights:
    """The Jaccard distances of all pairs, as scipy orders them: (0, 1), (0, 2), …, (1, 2), …"""
    count = len(sets)
    number: dict[str, int] = {}
    # In any order: how many words two sets share does not depend on which column a word has.
    columns = [number.setdefault(word, len(number)) for words in sets for word in words]
    sizes = np.array([len(words) for words in sets], dtype=np.int64)
    if count * len(number) <= _DENSE_UP_TO:  # on abstracts a sparse product takes ten times as long
        member = np.zeros((count, len(number)))
        member[np.repeat(np.arange(count), sizes), columns] = 1.0
        shared = member @ member.T  # sums of ones, exact in any order
        either = sizes[:, None] + sizes - shared
        apart: Weights = ((either - shared) / either)[~np.tri(count, dtype=np.bool_)]
        return apart
    row, column, common = _shared(sizes, columns, len(number))
    union = sizes[row] + sizes[column] - common
    distances = np.ones(count * (count - 1) // 2)
    distances[row * (2 * count - row - 1) // 2 + column - row - 1] = (union - common) / union
    return distances


def _shared(sizes: Indexes, columns: Sequence[int], words: int) -> tuple[Indexes, Indexes, Indexes]:
    """The pairs of sets that share words, each once, and how many they share.

    The sets have the sizes `sizes` and, one after the other, the words `columns`.
    """
    from scipy.sparse import csr_array

    starts = np.concatenate(([0], np.cumsum(sizes)))
    sparse = csr_array((np.ones(len(columns), dtype=np.int64), columns, starts), shape=(len(sizes), words))
    shared = (sparse @ sparse.T).tocoo()
    upper = shared.row < shared.col
    return shared.row[upper].astype(np.int64), shared.col[upper].astype(np.int64), shared.data[upper]


def nearness(candidates: Candidates, groups: Indexes) -> Weights:
    """How near groups of candidates stand, shape (groups, groups), symmetric, 0 on the diagonal.

    `groups` has the group (0, 1, …, none empty) of each candidate. For two groups it is Σ 1/gap over all
    pairs of places of the one and the other; the gap is the number of tokens from the end of the earlier to
    the begin of the later, 1 if they touch, and 1 if they overlap.
    """
    of_place = groups[np.array(candidates.owners, dtype=np.int64)]
    order = np.argsort(of_place, kind="stable")
    places = np.array(candidates.places, dtype=np.int64).reshape(-1, 2)[order]
    begins, lasts = places[:, 0].astype(np.float64), places[:, 1] - 1.0
    group = of_place[order]
    starts = np.flatnonzero(np.concatenate((np.ones(min(1, len(group)), np.bool_), group[1:] != group[:-1])))
    sums = np.zeros((len(starts), len(starts)))
    step = max(1, _PAIRS_AT_ONCE // max(1, len(group)))
    for first in range(0, len(group), step):
        rows = slice(first, first + step)
        gaps = np.maximum(begins[rows, None] - lasts[None, :], begins[None, :] - lasts[rows, None])
        by_group = np.add.reduceat(np.reciprocal(np.maximum(gaps, 1.0)), starts, axis=1)
        if step >= len(group):
            sums = np.add.reduceat(by_group, starts, axis=0)
            break
        found, where = np.unique(group[rows], return_index=True)
        sums[found] += np.add.reduceat(by_group, where, axis=0)
    np.fill_diagonal(sums, 0.0)
    return sums
