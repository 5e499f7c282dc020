"""Which candidates of a text meet each other, and how often: the co-occurrence graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kpframe.model import Candidates

__all__ = ["Graph", "cooccurrence_graph", "token_graph"]

Indexes = NDArray[np.int64]
Weights = NDArray[np.float64]

_COUNTED_BELOW = 20_000
"""Pairs of nodes up to which all are counted, whether they meet or not: sorting takes longer then."""

_PAIRS_AT_ONCE = 1_000_000
"""How many meetings are held in memory before they are summed; bounds memory for wide windows."""


@dataclass(frozen=True, eq=False)
class Graph:
    """An undirected weighted graph on the nodes 0 … `nodes` - 1.

    Edge i joins `left[i]` < `right[i]` with the positive weight `weights[i]`. Every pair stands
    once and there are no self-loops; edges are sorted by (left, right). Nodes may be isolated.
    """

    nodes: int
    left: Indexes
    right: Indexes
    weights: Weights

    def unweighted(self) -> Graph:
        """The same edges, each with weight 1."""
        return replace(self, weights=np.ones_like(self.weights))

    def degrees(self) -> Weights:
        """The sum of the weights of the edges at each node, shape (nodes,)."""
        ends = np.concatenate((self.left, self.right))
        sums = np.bincount(ends, np.concatenate((self.weights, self.weights)), self.nodes)
        return sums.astype(np.float64, copy=False)


def cooccurrence_graph(
    candidates: Candidates,
    *,
    window: int,
    units: Literal["text", "candidates"],
    cross_sentences: bool = False,
) -> Graph:
    """Link each occurrence to those in the `window` - 1 units before it; weight = number of meetings.

    The nodes are the indexes of `candidates.keys`. Occurrence B follows occurrence A at distance
    d ≥ 0 if A has ended before B begins and d units begin in between; A and B meet if
    d ≤ `window` - 2. A unit is a token of the text (`text`) or a token at which at least one
    candidate begins (`candidates`). Hence for candidates that do not overlap, `candidates` counts
    along the sequence of occurrences; overlapping occurrences never meet, and the candidates that
    begin at one token are equally far from everything before it.
    """
    if not candidates:
        none = np.zeros(0, dtype=np.int64)
        return Graph(0, none, none, np.zeros(0))
    places = np.fromiter(chain.from_iterable(candidates.places), np.int64, 2 * len(candidates.places))
    begins, ends = places[::2], places[1::2]
    start, stop = begins, ends
    if units == "candidates":
        new = np.concatenate(([True], begins[1:] != begins[:-1]))  # places are in order
        start, stop = np.cumsum(new) - 1, np.searchsorted(begins[new], ends)
    # Occurrences stand in text order, so those that one meets are a range of numbers: found by bisection, all
    # at once. It begins where the occurrence has ended, since overlapping ones never meet.
    first = np.searchsorted(start, stop)
    behind = np.searchsorted(start, stop + window - 1)
    if not cross_sentences:
        sentence_ends = candidates.annotations.sentences[:, 1]
        own_end = sentence_ends[np.searchsorted(sentence_ends, begins, side="right")]
        behind = np.minimum(behind, np.searchsorted(begins, own_end))
    owners = np.array(candidates.owners, dtype=np.int64)
    return _count_meetings(owners, first, np.maximum(behind - first, 0), len(candidates))


def token_graph(
    owners: Indexes, positions: Indexes, nodes: int, *, window: int, sentence_ends: Indexes | None = None
) -> Graph:
    """Link each token to those at most `window` - 1 positions before it; weight = number of meetings.

    `owners` are the nodes (0 … `nodes` - 1) of the tokens, `positions` their places, ascending; both have
    the shape (tokens,). `sentence_ends` are the places, ascending, past the last token of each sentence,
    over which nothing meets; None lets the window cross them.
    """
    behind = positions + window
    if sentence_ends is not None:
        behind = np.minimum(behind, sentence_ends[np.searchsorted(sentence_ends, positions, side="right")])
    first = np.arange(1, len(positions) + 1)
    return _count_meetings(owners, first, np.searchsorted(positions, behind) - first, nodes)


def _count_meetings(owners: Indexes, first: Indexes, partners: Indexes, nodes: int) -> Graph:
    """Sum the meetings of occurrence i with the occurrences first[i] … first[i] + partners[i] - 1."""
    pairs_before = np.concatenate(([0], np.cumsum(partners)))
    edges: list[Indexes] = []
    counts: list[Indexes] = []
    begin = 0
    # A wide window over a long text has more meetings than memory: they are made and summed in parts, and a
    # part ends between occurrences, never inside the meetings of one.
    while begin < len(owners):
        limit = pairs_before[begin] + _PAIRS_AT_ONCE
        end = max(begin + 1, int(np.searchsorted(pairs_before, limit, side="right")) - 1)
        part = slice(begin, end)
        found, times = _counted(_meetings(owners, first, partners, part, nodes), nodes)
        edges.append(found)
        counts.append(times)
        begin = end
    if not edges:
        codes, weights = np.zeros(0, dtype=np.int64), np.zeros(0)
    elif len(edges) == 1:
        codes, weights = edges[0], counts[0].astype(np.float64)
    else:
        codes, inverse = np.unique(np.concatenate(edges), return_inverse=True)
        weights = np.bincount(inverse, np.concatenate(counts), len(codes)).astype(np.float64)
    left, right = np.divmod(codes, max(nodes, 1))
    return Graph(nodes, left, right, weights)


def _counted(codes: Indexes, nodes: int) -> tuple[Indexes, Indexes]:
    """The distinct codes, ascending, and how often each occurs."""
    if nodes * nodes > max(10 * len(codes), _COUNTED_BELOW):
        return np.unique(codes, return_counts=True)
    times = np.bincount(codes)  # several times as fast as sorting where most pairs meet
    found = np.flatnonzero(times)
    return found, times[found]


def _meetings(owners: Indexes, first: Indexes, partners: Indexes, part: slice, nodes: int) -> Indexes:
    """One number, lesser key × `nodes` + greater key, for each meeting of two different keys."""
    many = partners[part]
    one = np.repeat(owners[part], many)
    # Occurrence i is written many[i] times; how far each copy is from the first of its run says which of the
    # partners it stands beside. So all pairs are made without a loop.
    run_begins = np.cumsum(many) - many
    other = owners[np.arange(len(one)) + np.repeat(first[part] - run_begins, many)]
    # The lesser key first, because an edge has no direction, and a pair as one number sorts faster than two.
    codes: Indexes = np.minimum(one, other) * nodes + np.maximum(one, other)
    different: Indexes = codes[one != other]
    return different
