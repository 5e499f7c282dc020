"""Centralities of undirected graphs other than PageRank; finite on disconnected graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from kpframe.errors import StageError
from kpframe.ranking._graph import Graph, Indexes, Weights

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["betweenness", "closeness", "degree", "eigenvector", "hits"]

_DENSE_UP_TO = 256
_SOURCES_AT_ONCE = 128


def degree(graph: Graph) -> Weights:
    """The weight of a node's edges as a share of all edges' weight; 0 … 1, all 0 without edges."""
    total = graph.weights.sum()
    shares: Weights = graph.degrees() / (total or 1.0)
    return shares


def betweenness(graph: Graph) -> Weights:
    """The share of shortest paths that lead through a node (Freeman 1977); an edge is 1/weight long."""
    import networkx as nx

    return _in_order(graph, nx.betweenness_centrality(_as_networkx(graph), weight="length"))


def closeness(graph: Graph) -> Weights:
    """The inverse mean distance to the nodes that can be reached, scaled by their share.

    The scaling (Wasserman & Faust 1994) makes nodes of different components comparable; isolated
    nodes have 0. An edge is 1/weight long.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    rows = np.concatenate((graph.left, graph.right))
    columns = np.concatenate((graph.right, graph.left))
    lengths = np.concatenate((1.0 / graph.weights, 1.0 / graph.weights))
    matrix = csr_array((lengths, (rows, columns)), shape=(graph.nodes, graph.nodes))
    scores = np.zeros(graph.nodes)
    for first in range(0, graph.nodes, _SOURCES_AT_ONCE):  # all at once would take memory for nodes²
        sources = np.arange(first, min(first + _SOURCES_AT_ONCE, graph.nodes))
        distances = dijkstra(matrix, indices=sources)
        reached = np.isfinite(distances)
        others = reached.sum(axis=1) - 1.0
        total = np.where(reached, distances, 0.0).sum(axis=1)
        mean = np.divide(others, total, out=np.zeros(len(sources)), where=total > 0.0)
        scores[sources] = mean * others / max(graph.nodes - 1, 1)
    return scores


def eigenvector(graph: Graph) -> Weights:
    """The leading eigenvector of the weight matrix (Bonacich 1972).

    A disconnected graph has one for each component. Each is scaled to sum to the component's share
    of all edges' weight; isolated nodes have 0. Raises StageError if it cannot be found.
    """
    return _by_component(graph, "eigenvector")


def hits(graph: Graph) -> Weights:
    """The authority scores of HITS (Kleinberg 1999), which on an undirected graph equal the hubs'.

    They are the limit of the iteration from equal scores, which for a bipartite component differs
    from the eigenvector. Components are scaled as for `eigenvector`.
    """
    return _by_component(graph, "hits")


def _as_networkx(graph: Graph) -> nx.Graph[int]:
    import networkx as nx

    made: nx.Graph[int] = nx.Graph()
    made.add_nodes_from(range(graph.nodes))
    edges = zip(graph.left.tolist(), graph.right.tolist(), graph.weights.tolist(), strict=True)
    made.add_edges_from((one, other, {"length": 1.0 / weight}) for one, other, weight in edges)
    return made


def _in_order(graph: Graph, scores: dict[int, float]) -> Weights:
    return np.array([scores[node] for node in range(graph.nodes)])


def _by_component(graph: Graph, measure: Literal["eigenvector", "hits"]) -> Weights:
    import networkx as nx

    scores = np.zeros(graph.nodes)
    whole = _as_networkx(graph)
    for component in nx.connected_components(whole):
        if len(component) == 1:
            continue
        nodes = np.array(sorted(component))
        part = _subgraph(graph, nodes)
        vector = _leading_eigenvector(part)
        inner = whole.subgraph(component)
        if measure == "hits" and nx.is_bipartite(inner):
            one_side = np.isin(nodes, list(nx.bipartite.sets(inner)[0]))
            vector = _limit_from_equal_scores(vector, one_side)
        share = part.weights.sum() / graph.weights.sum()
        scores[nodes] = vector / vector.sum() * share
    return scores


def _subgraph(graph: Graph, nodes: Indexes) -> Graph:
    """The component `nodes` (sorted) as a graph of its own."""
    inside = np.isin(graph.left, nodes)
    left, right = np.searchsorted(nodes, graph.left[inside]), np.searchsorted(nodes, graph.right[inside])
    return Graph(len(nodes), left, right, graph.weights[inside])


def _leading_eigenvector(graph: Graph) -> Weights:
    """The positive eigenvector of a connected graph's weight matrix."""
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    rows = np.concatenate((graph.left, graph.right))
    columns = np.concatenate((graph.right, graph.left))
    weights = np.concatenate((graph.weights, graph.weights))
    matrix = csr_array((weights, (rows, columns)), shape=(graph.nodes, graph.nodes))
    if graph.nodes <= _DENSE_UP_TO:
        vectors: Weights = np.linalg.eigh(matrix.toarray())[1]
        return np.abs(vectors[:, -1])
    try:
        vectors = eigsh(matrix, k=1, which="LA", v0=np.ones(graph.nodes))[1]
    except ArpackNoConvergence as error:
        raise StageError.at(
            "ranking: cooccurrence",
            f"the leading eigenvector of a graph of {graph.nodes} nodes was not found ({error})",
            "use measure: pagerank or degree",
        ) from error
    return np.abs(vectors[:, 0])


def _limit_from_equal_scores(
    vector: Weights, one_side: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> Weights:
    """Where the HITS iteration ends on a bipartite graph, whose sides do not mix."""
    limit = vector.copy()
    for side in (one_side, ~one_side):
        limit[side] *= vector[side].sum()
    return limit
