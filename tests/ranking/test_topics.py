"""TopicRank and MultipartiteRank: topics of candidates that share words, and their distances in the text."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranking_texts import candidates, keys, scores
from scipy.spatial.distance import pdist

from kpframe.errors import StageError
from kpframe.model import Candidates
from kpframe.ranking._matrix_pagerank import matrix_pagerank
from kpframe.ranking._topics import _distances, nearness, topics_of
from kpframe.ranking.multipartiterank import MultipartiteRank
from kpframe.ranking.topicrank import TopicRank

TEXT = "red kites soar over grey hills while one red kite rests and hills sleep"
PLACES = [(0, 2), (4, 6), (8, 10), (12, 13)]
"""red kites, grey hills, red kite, hills"""


def text() -> Candidates:
    """Two topics of two candidates each."""
    return candidates(TEXT, places=PLACES)


def topics(of: Candidates, threshold: float = 0.74) -> list[int]:
    """The topics by the folded words themselves."""
    return topics_of(of, None, threshold=threshold, linkage="average").tolist()


def test_candidates_that_share_words_are_a_topic() -> None:
    """Hills is half of grey hills; without stems red kite shares a third with red kites."""
    assert topics(text()) == [0, 1, 0, 1]
    assert topics(text(), threshold=0.6) == [0, 1, 2, 1]


def test_topics_are_told_apart_by_what_was_asked() -> None:
    """They are found once for a text: with another threshold, or of other candidates, they are others."""
    whole = text()
    some = whole.keep(lambda key, places: key != "grey hills")
    assert topics(whole) == [0, 1, 0, 1]
    assert topics(whole, threshold=0.6) == [0, 1, 2, 1]
    assert topics(some) == [0, 0, 1]
    assert topics_of(whole, "porter", threshold=0.6, linkage="average").tolist() == [0, 1, 0, 1]


def test_candidates_that_share_nothing_stay_apart() -> None:
    """Whatever the threshold, which is below 1."""
    assert topics(candidates("a b c"), threshold=0.999) == [0, 1, 2]


@given(st.lists(st.frozensets(st.sampled_from("abcdef"), min_size=1), min_size=2, max_size=12))
@settings(deadline=None)
@pytest.mark.slow
def test_distances_are_those_of_scipy(sets: list[frozenset[str]]) -> None:
    """Bit for bit, since ties of the clustering hang on them."""
    matrix = np.array([[word in words for word in "abcdef"] for words in sets])
    assert _distances(sets).tolist() == pdist(matrix, "jaccard").tolist()


def test_topics_that_stand_near_each_other_are_linked_strongly() -> None:
    """Worked by hand: from kites to grey are 3 tokens, from hills to red 3, from kite to hills 3, and

    from kites (token 1) to hills (12) are 11: 1/3 + 1/3 + 1/3 + 1/11.
    """
    near = nearness(text(), np.array([0, 1, 0, 1]))
    weight = 3 * (1 / 3) + 1 / 11
    assert near == pytest.approx(np.array([[0.0, weight], [weight, 0.0]]))


def test_candidates_that_overlap_are_at_the_least_distance() -> None:
    """As if they touched; nothing is divided by 0."""
    found = candidates("a b c", places=[(0, 2), (1, 3), (2, 3)])
    near = nearness(found, np.arange(3))
    assert near == pytest.approx(np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]]))


def test_pieces_do_not_change_the_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded by summing some rows at a time."""
    words = " ".join("abcdefgh"[i * i % 8] for i in range(40))
    whole = nearness(candidates(words), np.arange(len(candidates(words))))
    monkeypatch.setattr("kpframe.ranking._topics._PAIRS_AT_ONCE", 100)
    assert nearness(candidates(words), np.arange(len(candidates(words)))) == pytest.approx(whole)


@pytest.mark.parametrize("nodes", [1, 2, 7, 150])
@pytest.mark.slow
def test_directed_pagerank_agrees_with_networkx(nodes: int) -> None:
    """On random weights, with a node that nothing leaves."""
    weights = np.random.default_rng(nodes).random((nodes, nodes))
    np.fill_diagonal(weights, 0.0)
    weights[-1] = 0.0
    graph = nx.DiGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from((i, j, w) for (i, j), w in np.ndenumerate(weights) if w)
    expected = nx.pagerank(graph, tol=1e-14, max_iter=5000)
    assert matrix_pagerank(weights) == pytest.approx([expected[i] for i in range(nodes)], abs=1e-12)


def test_directed_pagerank_refuses_what_is_no_weight() -> None:
    """A rank that is no number must not come out."""
    with pytest.raises(StageError, match="did not converge on a graph of 2 nodes"):
        matrix_pagerank(np.array([[0.0, math.nan], [1.0, 0.0]]))


def test_each_topic_gives_the_candidate_that_stands_first() -> None:
    """Two topics that are linked to each other alone share the rank."""
    assert scores(TopicRank(stem=None).rank(text())) == pytest.approx({"red kites": 0.5, "grey hills": 0.5})


def test_a_topic_may_give_its_most_frequent_candidate() -> None:
    """Hills stands twice, grey hills once."""
    found = candidates(TEXT + " hills", places=[*PLACES, (14, 15)])
    assert keys(TopicRank(stem=None, keyphrase="frequent").rank(found)) == ["red kites", "hills"]


def test_stems_make_one_topic_of_what_differs_in_its_ending() -> None:
    """Red kites and red kite are the same set of stems, at any threshold."""
    assert keys(TopicRank(threshold=0.01).rank(text())) == ["red kites", "grey hills", "hills"]


def test_multipartite_edges_lead_to_other_topics_and_prefer_the_first() -> None:
    """By networkx on the graph worked by hand: kites 0, grey hills 1, kite 2, hills 3; topics {0, 2}, {1, 3}.

    Weights 1/gap: 0-1 1/3, 0-3 1/11, 1-2 1/3, 2-3 1/3. To 0, first of its topic at token 0, come from 1
    and 3 what leads to 2, times 1.1 · e; to 1, at token 4, from 0 and 2 what leads to 3, times 1.1 · e^(1/5).
    """
    both = {(0, 1): 1 / 3, (0, 3): 1 / 11, (1, 2): 1 / 3, (2, 3): 1 / 3}
    weights = {**both, **{(j, i): w for (i, j), w in both.items()}}
    for node, other in ((1, 2), (3, 2)):
        weights[node, 0] += both[min(node, other), max(node, other)] * 1.1 * math.e
    for node in (0, 2):
        weights[node, 1] += both[node, 3] * 1.1 * math.exp(1 / 5)
    graph = nx.DiGraph()
    graph.add_weighted_edges_from((i, j, w) for (i, j), w in weights.items())
    ranks = nx.pagerank(graph, tol=1e-14, max_iter=5000)
    expected = dict(zip(text().keys, (ranks[i] for i in range(4)), strict=True))
    assert scores(MultipartiteRank(stem=None).rank(text())) == pytest.approx(expected, rel=1e-9)


def test_without_the_bonus_first_places_do_not_count() -> None:
    """Kites and grey hills lose; the graph is symmetric then."""
    plain, preferring = MultipartiteRank(alpha=0.0).rank(text()), MultipartiteRank().rank(text())
    assert scores(preferring)["red kites"] > scores(plain)["red kites"]


@pytest.mark.parametrize("kind", [TopicRank, MultipartiteRank])
@pytest.mark.parametrize("words", ["", "Nepal", "Nepal Nepal", "red kites"])
def test_few_candidates_are_ranked(kind: type[TopicRank | MultipartiteRank], words: str) -> None:
    """None, one, one again and again, two; the ranks sum to 1."""
    found = kind().rank(candidates(words))
    assert len(found) == len(set(words.split()))
    assert sum(entry.score for entry in found) == pytest.approx(1.0 if words else 0.0)


@pytest.mark.parametrize("kind", [TopicRank, MultipartiteRank])
def test_candidates_of_one_topic_are_ranked(kind: type[TopicRank | MultipartiteRank]) -> None:
    """Nothing is linked to anything, and nothing fails."""
    assert len(kind().rank(candidates("kite and kites", without="and"))) >= 1


@pytest.mark.parametrize("kind", [TopicRank, MultipartiteRank])
def test_too_many_candidates_are_refused_before_memory_grows(
    kind: type[TopicRank | MultipartiteRank],
) -> None:
    """With their number, and what can be done."""
    many = candidates(" ".join(f"w{i}" for i in range(20_000)))
    with pytest.raises(StageError) as caught:
        kind().rank(many)
    assert str(caught.value) == (
        f"document 'd', ranking: {kind.kind}: 20,000 candidates; time and memory grow with the square of "
        "their number; set candidates.first_within or candidates.min_frequency to have at most 5,000, or "
        "raise ranking.max_candidates"
    )
