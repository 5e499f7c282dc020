"""PageRank on undirected graphs, to machine precision and fast on the small graphs of texts."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from kpframe.errors import KpframeError, StageError
from kpframe.ranking._graph import Graph, Weights

__all__ = ["pagerank"]

_SOLVED_BELOW = 100
"""Smaller graphs are solved directly, in a tenth of the time (`tests/benchmarks/choices.py`): LAPACK leaves
systems of this size on one thread, so that the result does not depend on the number of threads; larger ones
are iterated without any BLAS."""

_SUMMED_BELOW = 3000
"""With fewer links, calling scipy takes longer than summing them by numpy; the sums are the same."""

_TOLERANCE = 2e-14
"""The residual of the iteration, relative to the sum of the solution."""


def pagerank(graph: Graph, *, damping: float = 0.85, restart: Weights | None = None) -> Weights:
    """The PageRank of each node, shape (nodes,), summing to 1; positive unless `restart` has zeros.

    A surfer follows an edge with probability `damping` (in 0 … 1, exclusive), in proportion to its
    weight, and jumps otherwise, to any node alike or in proportion to `restart` (shape (nodes,), not
    negative, of a positive sum); from an isolated node it always jumps. At the usual damping of 0.85 the
    absolute errors sum to less than 1e-12; `networkx.pagerank` (there, `personalization`) agrees.

    Raises StageError if weights or `restart` are not such numbers, so that no such vector can be found.

    Source: Brin & Page 1998; the weighted, undirected form of Mihalcea & Tarau 2004, section 2.2; the
    restart of Haveliwala 2002 (topic-sensitive PageRank).
    The system y = damping · W D⁻¹ y + restart has a multiple of the PageRank for its solution, since a
    jump from an isolated node leads where every jump leads. It is solved directly, or by the Chebyshev
    semi-iterative method (Golub & Varga 1961), the power iteration with two remembered steps: W D⁻¹ is
    similar to a symmetric matrix, its spectrum is real and lies in -1 … 1, and about 50 steps do
    what takes the plain power iteration 180.
    """
    if graph.nodes == 0:
        return np.zeros(0)
    jumps = np.ones(graph.nodes) if restart is None else _per_node(restart, graph)
    solve = _solved if graph.nodes < _SOLVED_BELOW else _iterated
    visits = solve(graph, damping, jumps)
    total = float(visits.sum())
    if not (math.isfinite(total) and total > 0.0):
        raise _not_converged(graph)
    return np.asarray(visits / total, dtype=np.float64)


def _per_node(restart: Weights, graph: Graph) -> Weights:
    """`restart` scaled to 1 a node on average."""
    total = float(restart.sum())
    if not (math.isfinite(total) and total > 0.0 and float(restart.min()) >= 0.0):
        raise _not_converged(graph)
    scaled: Weights = restart * (graph.nodes / total)
    return scaled


def _shares(graph: Graph, damping: float) -> Weights:
    """For each node, what it passes on along an edge of weight 1."""
    degrees = graph.degrees()
    degrees[degrees == 0] = 1.0
    shares: Weights = damping / degrees
    return shares


def _solved(graph: Graph, damping: float, jumps: Weights) -> Weights:
    nodes = graph.nodes
    matrix = np.zeros((nodes, nodes))
    shares = _shares(graph, damping)
    matrix[graph.left, graph.right] = -graph.weights * shares[graph.right]
    matrix[graph.right, graph.left] = -graph.weights * shares[graph.left]
    matrix.flat[:: nodes + 1] = 1.0
    return np.asarray(np.linalg.solve(matrix, jumps), dtype=np.float64)


def _iterated(graph: Graph, damping: float, jumps: Weights) -> Weights:
    step = _step(graph, damping)
    previous = jumps
    visits = step(previous) + jumps
    relaxation = 1.0 / (1.0 - damping**2 / 2.0)
    for count in range(_most_steps(damping)):
        following = step(visits)
        following += jumps
        if count % 4 == 0 and np.abs(following - visits).sum() <= _TOLERANCE * visits.sum():
            return np.asarray(visits, dtype=np.float64)
        following -= previous
        following *= relaxation
        following += previous
        previous, visits = visits, following
        relaxation = 1.0 / (1.0 - damping**2 * relaxation / 4.0)
    raise _not_converged(graph)


def _step(graph: Graph, damping: float) -> Callable[[Weights], Weights]:
    """What the nodes get along their edges when each has so much; summed in the order of the sources."""
    to = np.concatenate((graph.left, graph.right))
    source = np.concatenate((graph.right, graph.left))
    passed = np.concatenate((graph.weights, graph.weights)) * _shares(graph, damping)[source]
    if len(to) > _SUMMED_BELOW:
        from scipy.sparse import csr_array

        matrix = csr_array((passed, (to, source)), shape=(graph.nodes, graph.nodes))
        return lambda visits: np.asarray(matrix @ visits, dtype=np.float64)
    # The rows of the matrix one after the other, each by columns: the same sums, without a matrix.
    order = np.argsort(to * graph.nodes + source)
    to, source, passed = to[order], source[order], passed[order]
    return lambda visits: np.bincount(to, passed * visits[source], graph.nodes).astype(np.float64, copy=False)


def _most_steps(damping: float) -> int:
    """Four times the steps after which the error bound of the method is below machine precision."""
    rate = damping / (1.0 + math.sqrt(1.0 - damping**2))
    return 20 + 4 * math.ceil(math.log(1e-16) / math.log(rate))


def _not_converged(graph: Graph) -> KpframeError:
    return StageError.at(
        "ranking",
        f"PageRank did not converge on a graph of {graph.nodes} nodes and {len(graph.weights)} edges",
        "edge weights and restart must be positive finite numbers and damping clearly below 1",
    )
