"""PageRank on directed graphs in which almost every node is linked to every other."""

from __future__ import annotations

import math

import numpy as np

from kpframe.errors import KpframeError, StageError
from kpframe.ranking._graph import Weights

__all__ = ["matrix_pagerank"]

_SOLVED_BELOW = 100
"""Smaller graphs are solved directly, in a fifth of the time; LAPACK leaves these on one thread."""

_TOLERANCE = 1e-14
"""The change of the last step, summed over nodes whose ranks sum to 1."""


def matrix_pagerank(weights: Weights, *, damping: float = 0.85) -> Weights:
    """The PageRank of each node, shape (nodes,), positive and summing to 1.

    `weights[i, j]` (shape (nodes, nodes), not negative) is the weight of the link from i to j; a node
    without links jumps to any node alike. `networkx.pagerank` on a directed graph agrees to 1e-12.
    Raises StageError for weights that are no such numbers.

    The matrix has no symmetric relative, so the method of `_pagerank` does not apply; it is the plain power
    iteration, which on such dense graphs needs some twenty steps, or a direct solution of small ones. The
    products are summed by numpy itself and not by BLAS, whose results depend on the number of threads.

    Source: Brin & Page 1998.
    """
    nodes = len(weights)
    if nodes == 0:
        return np.zeros(0)
    leaving = weights.sum(axis=1)
    stuck = leaving == 0.0
    shares = np.divide(damping, leaving, out=np.zeros(nodes), where=~stuck)
    if nodes < _SOLVED_BELOW:
        return _solved(weights, shares)
    arriving = np.ascontiguousarray(weights.T)
    ranks = np.full(nodes, 1.0 / nodes)
    for _ in range(_most_steps(damping)):
        jumps = (1.0 - damping + damping * ranks[stuck].sum()) / nodes
        following = np.einsum("ij,j->i", arriving, ranks * shares) + jumps
        change = float(np.abs(following - ranks).sum())
        ranks = following / following.sum()
        if change <= _TOLERANCE:
            return np.asarray(ranks, dtype=np.float64)
    raise _not_converged(nodes)


def _solved(weights: Weights, shares: Weights) -> Weights:
    """The solution of y = y · shares · weights + 1: a jump from a stuck node leads where every jump leads."""
    system = -(weights * shares[:, None]).T
    system.flat[:: len(weights) + 1] += 1.0
    visits = np.linalg.solve(system, np.ones(len(weights)))
    total = float(visits.sum())
    if not (math.isfinite(total) and float(visits.min()) > 0.0):
        raise _not_converged(len(weights))
    return np.asarray(visits / total, dtype=np.float64)


def _not_converged(nodes: int) -> KpframeError:
    return StageError.at(
        "ranking",
        f"PageRank did not converge on a graph of {nodes} nodes",
        "edge weights must be positive finite numbers and damping clearly below 1",
    )


def _most_steps(damping: float) -> int:
    """Twice the steps after which `damping` alone has made the error smaller than the tolerance."""
    return 20 + 2 * math.ceil(math.log(_TOLERANCE) / math.log(damping))
