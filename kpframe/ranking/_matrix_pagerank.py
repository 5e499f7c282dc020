"""PageRank on directed graphs in which almost every node is linked to every other."""

from __future__ import annotations

import math

import numpy as np

from kpframe.errors import StageError
from kpframe.ranking._graph import Weights

__all__ = ["matrix_pagerank"]

_TOLERANCE = 1e-14
"""The change of the last step, summed over nodes whose ranks sum to 1."""


def matrix_pagerank(weights: Weights, *, damping: float = 0.85) -> Weights:
    """The PageRank of each node, shape (nodes,), positive and summing to 1.

    `weights[i, j]` (shape (nodes, nodes), not negative) is the weight of the link from i to j; a node
    without links jumps to any node alike. `networkx.pagerank` on a directed graph agrees to 1e-12.
    Raises StageError for weights that are no such numbers.

    The matrix has no symmetric relative, so the method of `_pagerank` does not apply; it is the plain power
    iteration, which on such dense graphs needs some twenty steps. The products are summed by numpy itself
    and not by BLAS, whose results depend on the number of threads.

    Source: Brin & Page 1998.
    """
    nodes = len(weights)
    if nodes == 0:
        return np.zeros(0)
    leaving = weights.sum(axis=1)
    stuck = leaving == 0.0
    shares = np.divide(damping, leaving, out=np.zeros(nodes), where=~stuck)
    arriving = np.ascontiguousarray(weights.T)
    ranks = np.full(nodes, 1.0 / nodes)
    for _ in range(_most_steps(damping)):
        jumps = (1.0 - damping + damping * ranks[stuck].sum()) / nodes
        following = np.einsum("ij,j->i", arriving, ranks * shares) + jumps
        change = float(np.abs(following - ranks).sum())
        ranks = following / following.sum()
        if change <= _TOLERANCE:
            return np.asarray(ranks, dtype=np.float64)
    raise StageError.at(
        "ranking",
        f"PageRank did not converge on a graph of {nodes} nodes",
        "edge weights must be positive finite numbers and damping clearly below 1",
    )


def _most_steps(damping: float) -> int:
    """Twice the steps after which `damping` alone has made the error smaller than the tolerance."""
    return 20 + 2 * math.ceil(math.log(_TOLERANCE) / math.log(damping))
