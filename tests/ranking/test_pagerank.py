"""PageRank on undirected graphs."""

from __future__ import annotations

import os
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

from kpframe.errors import StageError
from kpframe.ranking import _pagerank
from kpframe.ranking._graph import Graph
from kpframe.ranking._pagerank import pagerank


def graph(nodes: int, *edges: tuple[int, int, float]) -> Graph:
    """A graph from (node, node, weight)."""
    ordered = sorted(edges)
    left, right = (np.array([e[i] for e in ordered], dtype=np.int64) for i in (0, 1))
    return Graph(nodes, left, right, np.array([e[2] for e in ordered], dtype=np.float64))


def random_graph(nodes: int, meetings: int, seed: int, isolated: int = 0) -> Graph:
    """A graph of random meetings; the last `isolated` nodes have none."""
    draw = np.random.default_rng(seed)
    pairs = np.sort(draw.integers(0, nodes - isolated, (meetings, 2)), axis=1)
    pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    distinct, times = np.unique(pairs, axis=0, return_counts=True)
    return Graph(nodes, distinct[:, 0], distinct[:, 1], times.astype(np.float64))


def as_networkx(made: Graph) -> nx.Graph:
    """The same graph in networkx."""
    other = nx.Graph()
    other.add_nodes_from(range(made.nodes))
    other.add_weighted_edges_from(
        zip(made.left.tolist(), made.right.tolist(), made.weights.tolist(), strict=True)
    )
    return other


def test_the_hub_of_a_star_wins() -> None:
    """With four leaves the hub has x = .03 + .85 · 4y and each leaf y = .03 + .85/4 · x."""
    ranks = pagerank(graph(5, (0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0), (0, 4, 1.0)))
    hub = (0.03 + 0.85 * 4 * 0.03) / (1 - 0.85**2)
    assert ranks == pytest.approx([hub, *[0.03 + 0.85 / 4 * hub] * 4], abs=1e-12)


@pytest.mark.parametrize("nodes", [2, 3, 10, 99, 100, 101, 400])
@pytest.mark.parametrize("per_node", [0.5, 2, 8])
@pytest.mark.parametrize("isolated", [0, 1])
def test_it_agrees_with_networkx(nodes: int, per_node: float, isolated: int) -> None:
    """On random weighted graphs, sparse and dense, of either method's size, to 1e-9."""
    made = random_graph(nodes, int(nodes * per_node), seed=nodes, isolated=isolated)
    expected = nx.pagerank(as_networkx(made), tol=1e-14, max_iter=2000)
    assert pagerank(made) == pytest.approx([expected[n] for n in range(nodes)], abs=1e-9)


@pytest.mark.parametrize("damping", [0.1, 0.5, 0.99, 0.999])
@pytest.mark.parametrize("nodes", [20, 200])
def test_other_dampings_agree_too(damping: float, nodes: int) -> None:
    """From nearly uniform to nearly the share of the degrees."""
    made = random_graph(nodes, 3 * nodes, seed=1)
    expected = nx.pagerank(as_networkx(made), alpha=damping, tol=1e-14, max_iter=50_000)
    assert pagerank(made, damping=damping) == pytest.approx([expected[n] for n in range(nodes)], abs=1e-9)


@pytest.mark.parametrize("nodes", [1, 50, 150, 10_000])
def test_ranks_sum_to_one(nodes: int) -> None:
    """Whatever the size, also with isolated nodes."""
    ranks = pagerank(random_graph(nodes, nodes, seed=3))
    assert ranks.sum() == pytest.approx(1.0, abs=1e-12)
    assert (ranks > 0).all()


def test_an_isolated_node_has_the_share_of_the_jumps() -> None:
    """Two linked nodes have 1 / (1 - .85) times the rank of the isolated one."""
    ranks = pagerank(graph(3, (0, 1, 1.0)))
    assert ranks[0] / ranks[2] == pytest.approx(1 / 0.15)
    assert ranks[0] == pytest.approx(ranks[1])


def test_no_edges_means_equal_ranks() -> None:
    """Every node is reached by jumps alone."""
    assert pagerank(graph(4)).tolist() == [0.25] * 4


def test_the_empty_graph_has_no_ranks() -> None:
    """No node, no rank, no error."""
    assert pagerank(graph(0)).tolist() == []


@pytest.mark.parametrize("nodes", [40, 160])
def test_the_scale_of_weights_does_not_matter(nodes: int) -> None:
    """Only the proportions at a node do."""
    made = random_graph(nodes, 3 * nodes, seed=5)
    scaled = Graph(made.nodes, made.left, made.right, made.weights * 1e6)
    assert pagerank(scaled) == pytest.approx(pagerank(made), abs=1e-12)


@pytest.mark.parametrize("nodes", [3, 200])
def test_it_says_that_it_did_not_converge(nodes: int) -> None:
    """A weight that is no number must not become a rank."""
    with pytest.raises(StageError) as caught:
        pagerank(graph(nodes, (0, 1, float("nan"))))
    assert str(caught.value) == (
        f"ranking: PageRank did not converge on a graph of {nodes} nodes and 1 edges; "
        "edge weights and restart must be positive finite numbers and damping clearly below 1"
    )


@pytest.mark.slow
def test_the_number_of_threads_does_not_change_a_bit() -> None:
    """The same bytes with one thread and with two, on both sides of the change of method."""
    program = (
        "import numpy as np, hashlib\n"
        "from test_pagerank import pagerank, random_graph\n"
        "ranks = [pagerank(random_graph(n, 3 * n, seed=n)).tobytes() for n in (60, 99, 100, 500)]\n"
        "print(hashlib.sha256(b''.join(ranks)).hexdigest())\n"
    )
    path = os.pathsep.join(p for p in [os.path.dirname(__file__), *sys.path] if p)
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={
                **os.environ,
                "PYTHONPATH": path,
                "OPENBLAS_NUM_THREADS": threads,
                "OMP_NUM_THREADS": threads,
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(digests) == 1


@pytest.mark.parametrize("nodes", [3, 50, 99, 100, 300])
@pytest.mark.parametrize("isolated", [0, 2])
def test_a_restart_agrees_with_networkx(nodes: int, isolated: int) -> None:
    """Jumps lead where it says, from isolated nodes too (`personalization`, and `dangling` like it)."""
    made = random_graph(nodes, 2 * nodes, seed=nodes, isolated=isolated)
    restart = np.random.default_rng(nodes).random(nodes)
    restart[: nodes // 3] = 0.0
    expected = nx.pagerank(
        as_networkx(made), personalization=dict(enumerate(restart)), tol=1e-14, max_iter=5000
    )
    found = pagerank(made, restart=restart)
    assert found == pytest.approx([expected[n] for n in range(nodes)], abs=1e-9)
    assert found.sum() == pytest.approx(1.0, abs=1e-12)


def test_the_scale_of_a_restart_does_not_matter() -> None:
    """Only its proportions do; all alike is no restart."""
    made = random_graph(120, 300, seed=5)
    restart = np.arange(1.0, 121.0)
    assert pagerank(made, restart=restart) == pytest.approx(pagerank(made, restart=1e-6 * restart), abs=1e-13)
    assert pagerank(made, restart=np.full(120, 7.0)) == pytest.approx(pagerank(made), abs=1e-13)


@pytest.mark.parametrize("restart", [[0.0, 0.0], [1.0, -0.5], [1.0, float("nan")], [float("inf"), 1.0]])
def test_a_restart_that_leads_nowhere_is_refused(restart: list[float]) -> None:
    """It must be a distribution, up to its scale."""
    with pytest.raises(StageError, match="restart must be positive finite numbers"):
        pagerank(graph(2, (0, 1, 1.0)), restart=np.array(restart))


def test_sums_by_numpy_are_those_of_a_sparse_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """The order of summing is the same, so that the number of links decides no tie."""
    made = random_graph(400, 2400, seed=5, isolated=3)
    assert 1000 < 2 * len(made.weights) > _pagerank._SUMMED_BELOW
    by_scipy = pagerank(made)
    monkeypatch.setattr(_pagerank, "_SUMMED_BELOW", 10_000)
    assert pagerank(made) == pytest.approx(by_scipy, rel=1e-15)
