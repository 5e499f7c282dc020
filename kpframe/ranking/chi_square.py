"""Terms that stand with some of the frequent terms more often than with others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.stages import Ranking

__all__ = ["ChiSquare"]

Floats = NDArray[np.float64]

_DENSE = 100_000
"""Terms × sentences up to which their table is a plain array; and meetings of terms that are made at once."""

_ROWS = 1024
"""Terms whose values are worked out at a time, so that memory grows with the text alone."""


class ChiSquare(Ranking):
    """Chi-square of a term's co-occurrence with the frequent terms, within sentences.

    Terms are the single words among the candidates, and the phrases with more than `min_phrase` - 1
    occurrences; other candidates are left out. Frequent terms are the most frequent ones that together
    have at most `share` of all occurrences of terms, among equals the earlier ones. With n_w the
    occurrences of terms in sentences that hold w, p_c the share of all occurrences that is in
    sentences with c, and freq(w, c) how often they meet (in each sentence the lesser of their
    occurrences), the score is Σ_c (freq(w, c) - n_w p_c)² / (n_w p_c) less the greatest summand, over
    all frequent terms c, w itself with freq 0.

    `clusters: similar` joins frequent terms first, by complete linkage, where their distributions are
    alike (Jensen-Shannon similarity above .95 ln 2) or they meet often (pointwise mutual information above
    ln 2); with the single linkage that the paper's words suggest all of them end in one cluster, and
    all scores are 0. A cluster's frequencies are summed, and its sentences united.

    Needs documents of some length: in an abstract nearly all terms stand in one sentence. Time grows
    with terms × frequent terms; in a text of 100,000 words about 2 · 10⁷ pairs, more where hardly a word is
    repeated. With clusters memory and time grow with the square of the frequent terms.
    """

    source: ClassVar[str] = "Matsuo & Ishizuka 2004, sections 2 and 3"
    leaves_out: ClassVar[bool] = True

    share: float = Field(
        0.3, gt=0, le=1, description="The frequent terms' share of all occurrences of terms, at most."
    )
    min_phrase: int = Field(
        4, ge=1, description="Phrases of several words need at least this many occurrences."
    )
    clusters: Literal["none", "similar"] = Field(
        "none", description="Whether frequent terms that are alike count as one."
    )

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The terms by chi-square."""
        terms = candidates.keep(
            lambda key, places: places[0][1] == places[0][0] + 1 or len(places) >= self.min_phrase
        )
        if not len(terms):
            return Keyphrases.ranked(terms, [])
        table = _Table.of(terms)
        frequent = self._frequent(table.occurrences)
        groups = _clusters(table, frequent) if self.clusters == "similar" else [[g] for g in frequent]
        return Keyphrases.ranked(terms, _scores(table, groups).tolist())

    def _frequent(self, occurrences: NDArray[np.int64]) -> list[int]:
        """The numbers of the frequent terms, at least one."""
        order = np.argsort(-occurrences, kind="stable")
        within = np.cumsum(occurrences[order]) <= self.share * occurrences.sum()
        chosen: list[int] = order[: max(int(within.sum()), 1)].tolist()
        return chosen


@dataclass(frozen=True, eq=False)
class _Table:
    """`times` (terms × sentences) counts occurrences; `sizes` are all terms' occurrences in each sentence."""

    times: Any
    occurrences: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def of(cls, terms: Candidates) -> _Table:
        sentence_of = terms.annotations.sentence_of
        columns = np.array([sentence_of[begin] for begin, _ in terms.places], dtype=np.int64)
        rows = np.array(terms.owners, dtype=np.int64)
        shape = (len(terms), len(terms.annotations.sentences))
        occurrences, sizes = np.bincount(rows), np.bincount(columns, minlength=shape[1])
        if shape[0] * shape[1] <= _DENSE:
            counted = np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1]).reshape(shape)
            return _DenseTable(counted, occurrences, sizes)
        from scipy.sparse import csr_array

        times = csr_array((np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=shape)
        times.sum_duplicates()
        return cls(times, occurrences, sizes)

    def meetings(self, rows: Sequence[int] | slice, others: Sequence[int]) -> Floats:
        """How often terms meet others, shape (rows, others): min(a, b) = Σ_t [a ≥ t] [b ≥ t]."""
        mine, theirs = self.times[rows], self.times[others]
        met = np.zeros((mine.shape[0], len(others)))
        for least in range(1, int(min(mine.data.max(initial=0), theirs.data.max(initial=0))) + 1):
            met += ((mine >= least).astype(np.int64) @ (theirs >= least).astype(np.int64).T).toarray()
        return met

    def around(self, group: Sequence[int]) -> float:
        """The occurrences of terms in the sentences that hold a member of the group."""
        begins, sentences = self.times.indptr, self.times.indices
        held = np.unique(np.concatenate([sentences[begins[term] : begins[term + 1]] for term in group]))
        return float(self.sizes[held].sum())


class _DenseTable(_Table):
    """The table of a short text as a plain array: the matrices of scipy take ten times as long to make."""

    def meetings(self, rows: Sequence[int] | slice, others: Sequence[int]) -> Floats:
        """How often terms meet others, shape (rows, others)."""
        mine, theirs = self.times[rows], self.times[others]
        if len(mine) * theirs.size > _DENSE:
            return np.array([np.minimum(row, theirs).sum(axis=1) for row in mine], dtype=np.float64)
        met: Floats = np.minimum(mine[:, np.newaxis], theirs).sum(axis=2).astype(np.float64)
        return met

    def around(self, group: Sequence[int]) -> float:
        """The occurrences of terms in the sentences that hold a member of the group."""
        return float(self.sizes[self.times[group].any(axis=0)].sum())


def _scores(table: _Table, groups: Sequence[Sequence[int]]) -> Floats:
    """Chi-square of each term less the greatest summand."""
    members = [number for group in groups for number in group]
    group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    joined = np.zeros((len(members), len(groups)))
    joined[np.arange(len(members)), group_of] = 1.0
    around = np.array([table.around(group) for group in groups]) / table.sizes.sum()
    in_sentences = (table.times > 0).astype(np.int64) @ table.sizes
    column_of = {number: column for column, number in enumerate(members)}
    scores = np.zeros(len(table.occurrences))
    for begin in range(0, len(scores), _ROWS):
        rows = range(begin, min(begin + _ROWS, len(scores)))
        met = table.meetings(slice(begin, begin + _ROWS), members)
        for row in rows:
            if row in column_of:
                met[row - begin, column_of[row]] = 0.0
        expected = in_sentences[begin : begin + _ROWS, np.newaxis] * around
        summands = (met @ joined - expected) ** 2 / expected
        scores[begin : begin + _ROWS] = summands.sum(axis=1) - summands.max(axis=1)
    return np.maximum(scores, 0.0)


def _clusters(table: _Table, frequent: Sequence[int]) -> list[list[int]]:
    """The frequent terms in groups of which any two members are alike."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    if len(frequent) < 2:
        return [list(frequent)]
    met = table.meetings(slice(None), frequent)
    distribution = (met / met.sum(axis=0)).T
    alike = np.zeros((len(frequent), len(frequent)), dtype=np.bool_)
    for number, own in enumerate(distribution):
        both = (own + distribution) / 2.0
        divergence = _entropy(both) - (_entropy(own) + _entropy(distribution)) / 2.0
        alike[number] = np.log(2.0) - divergence > 0.95 * np.log(2.0)
    counts = table.occurrences[list(frequent)].astype(np.float64)
    alike |= met[list(frequent)] * float(table.occurrences.sum()) > 2.0 * np.outer(counts, counts)
    distances = squareform(~(alike | alike.T) & ~np.eye(len(frequent), dtype=np.bool_), checks=False)
    labels = fcluster(linkage(distances.astype(np.float64), "complete"), 0.5, criterion="distance")
    groups: dict[int, list[int]] = {}
    for number, label in zip(frequent, labels.tolist(), strict=True):
        groups.setdefault(label, []).append(number)
    return list(groups.values())


def _entropy(shares: Floats) -> Floats:
    """-Σ p ln p along the last axis."""
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    total: Floats = -(shares * logs).sum(axis=-1)
    return total
