"""The graph of co-occurrences and the centralities on it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from families import every
from ranking_texts import candidates, keys, scores

from kpframe.errors import SpecError, StageError
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._graph import cooccurrence_graph
from kpframe.ranking.cooccurrence import Cooccurrence

MEASURES = ["pagerank", "degree", "betweenness", "closeness", "eigenvector", "hits"]
FIVE = "example sentence funny second example"
LEMMAS = ("long test sentence", "second test sentence", "more sentence necessary test")
"""Nouns and adjectives of the text of DKPro's unit tests (algorithms.md, section 2)."""


def edges(made: Candidates, **settings: Any) -> dict[str, float]:
    """The edges as {"one–other": weight}, keys in order of occurrence."""
    chosen: dict[str, Any] = {"window": 2, "units": "candidates", **settings}
    graph = cooccurrence_graph(made, **chosen)
    triples = zip(graph.left.tolist(), graph.right.tolist(), graph.weights.tolist(), strict=True)
    return {f"{made.keys[one]}–{made.keys[other]}": weight for one, other, weight in triples}


def rank(made: Candidates, **settings: Any) -> Keyphrases:
    """Rank by the given parameters."""
    return Cooccurrence(**settings).rank(made)


@pytest.mark.parametrize(("window", "count"), [(2, 4), (3, 6)])
def test_a_wider_window_has_more_edges(window: int, count: int) -> None:
    """Figures of the unit test of the paper's framework: 4 and 6."""
    assert len(edges(candidates(FIVE), window=window)) == count


def test_the_weight_is_the_number_of_meetings() -> None:
    """a and b meet in a b, b a and a b; there is no loop."""
    assert edges(candidates("a b a b b")) == {"a–b": 3.0}


def test_sentence_ends_are_not_crossed_unless_asked() -> None:
    """The last word of a sentence and the first of the next."""
    made = candidates("a b", "c d")
    assert edges(made) == {"a–b": 1.0, "c–d": 1.0}
    assert edges(made, cross_sentences=True) == {"a–b": 1.0, "b–c": 1.0, "c–d": 1.0}


def test_units_of_the_text_keep_their_distance() -> None:
    """With window 2 words parted by a stopword meet only where candidates are counted."""
    made = candidates("mice of men", without="of")
    assert edges(made, units="candidates") == {"mice–men": 1.0}
    assert edges(made, units="text") == {}
    assert edges(made, units="text", window=3) == {"mice–men": 1.0}


@pytest.mark.parametrize("units", ["candidates", "text"])
def test_phrases_meet_what_begins_after_their_end(units: str) -> None:
    """Two tokens of one phrase are no distance."""
    made = candidates("red kite soars high", places=[(0, 2), (2, 3), (3, 4)])
    assert edges(made, units=units) == {"red kite–soars": 1.0, "soars–high": 1.0}
    assert edges(made, units=units, window=3) == {
        "red kite–soars": 1.0,
        "red kite–high": 1.0,
        "soars–high": 1.0,
    }


@pytest.mark.parametrize("units", ["candidates", "text"])
def test_overlapping_candidates_never_meet(units: str) -> None:
    """Tokens a b c d e with candidates "a b", "b c d" and "a b c" share tokens, all of them."""
    made = candidates("a b c d e", places=[(0, 2), (1, 4), (0, 3)])
    assert edges(made, units=units, window=9) == {}
    assert len(rank(made, units=units)) == 3


def test_ngrams_that_begin_at_one_token_are_equally_far() -> None:
    """Each n-gram meets all n-grams that begin where it ends."""
    made = candidates("a b c", longest=2)
    assert edges(made) == {"a–b": 1.0, "a–b c": 1.0, "a b–c": 1.0, "b–c": 1.0}


def _brute_force(made: Candidates, window: int, units: str, cross: bool) -> dict[str, float]:
    begins = sorted({b for b, _ in made.places}) if units == "candidates" else range(len(made.annotations))
    found: dict[tuple[int, int], float] = {}
    for (one, (_, end)), (other, (begin, _)) in combinations(zip(made.owners, made.places, strict=True), 2):
        between = sum(end <= unit < begin for unit in begins)
        sentences = made.annotations.sentence_of
        if end <= begin and between <= window - 2 and (cross or sentences[end - 1] == sentences[begin]):
            pair = (min(one, other), max(one, other))
            found[pair] = found.get(pair, 0.0) + (one != other)
    return {f"{made.keys[a]}–{made.keys[b]}": w for (a, b), w in sorted(found.items()) if w}


@pytest.mark.parametrize("units", ["candidates", "text"])
@pytest.mark.parametrize("cross_sentences", [False, True])
@pytest.mark.parametrize("window", [2, 3, 7, 1000])
def test_the_graph_is_what_the_definition_says(units: str, cross_sentences: bool, window: int) -> None:
    """Against the definition spelled out pair by pair, on random overlapping phrases."""
    draw = np.random.default_rng(window)
    lines = [" ".join(draw.choice(list("abcdefgh.,"), size)) for size in (1, 12, 30, 7)]
    made = candidates(*lines, longest=3, without=". ,")
    expected = _brute_force(made, window, units, cross_sentences)
    assert edges(made, window=window, units=units, cross_sentences=cross_sentences) == expected


@pytest.mark.parametrize("window", [50, 5000])
@pytest.mark.slow
def test_a_wide_window_over_a_long_text_does_not_blow_up(window: int) -> None:
    """5,000 words, the window as wide as the text: all meetings are counted."""
    draw = np.random.default_rng(0)
    made = candidates(" ".join(f"w{n}" for n in draw.zipf(1.3, 5000) % 1000))
    graph = cooccurrence_graph(made, window=window, units="candidates", cross_sentences=True)
    ranked = rank(made, window=window, cross_sentences=True)
    same = (
        sum(
            made.owners[i] == made.owners[j] for i in range(5000) for j in range(i + 1, min(i + window, 5000))
        )
        if window == 50
        else sum(len(p) * (len(p) - 1) // 2 for p in made.places_of)
    )
    width = min(window, 5000)
    assert graph.weights.sum() == (width - 1) * 5000 - width * (width - 1) // 2 - same
    assert len(ranked) == len(made)


@pytest.mark.parametrize(
    ("sentences", "window", "expected"),
    [
        (LEMMAS, 2, {"test": 1.648775208, "second": 0.850816528, "long": 0.500408264}),
        (LEMMAS, 5, {"test": 1.223325352, "second": 0.998580751, "long": 0.778093897}),
        (
            ("long test sentence", "second test sentence", "More sentences necessary tests"),
            2,
            {
                "test": 1.389845,
                "sentence": 1.353666,
                "necessary": 1.130446,
                "tests": 0.630539,
                "long": 0.543799,
            },
        ),
    ],
)
def test_pagerank_of_the_framework_of_the_paper(
    sentences: tuple[str, ...], window: int, expected: dict[str, float]
) -> None:
    """algorithms.md, section 2; there ranks sum to n and the iteration stops at a change of 1e-3."""
    made = candidates(*sentences)
    ranked = scores(rank(made, window=window, cross_sentences=True, weighted=False))
    assert {key: ranked[key] * len(made) for key in expected} == pytest.approx(expected, abs=2e-4)


def test_pagerank_of_all_tokens_of_a_text() -> None:
    """algorithms.md, section 2: the full stop leads, as every graph of unfiltered tokens shows."""
    made = candidates(
        "This is a not so long test sentence .",
        "This is a longer second test sentence .",
        "More sentences are necessary for the tests .",
        without="",
    )
    ranked = rank(made, cross_sentences=True, weighted=False)
    assert keys(ranked)[:3] == [".", "a", "test"]
    found = {key: score * len(made) for key, score in scores(ranked).items()}
    assert found["."] == pytest.approx(1.661901, abs=2e-4)
    assert found["sentence"] == pytest.approx(0.866821, abs=2e-4)


def test_nodes_alike_are_ordered_by_their_place() -> None:
    """Ranks that differ by rounding alone are equal: test = sentence, second = necessary, long = more."""
    ranked = rank(candidates(*LEMMAS), cross_sentences=True, weighted=False)
    assert keys(ranked) == ["test", "sentence", "second", "necessary", "long", "more"]


def test_degrees_of_the_framework_of_the_paper() -> None:
    """algorithms.md, section 2: sentence 6/9, test 5/9 of the weight of all edges."""
    ranked = scores(rank(candidates(*LEMMAS), measure="degree", cross_sentences=True))
    assert ranked["sentence"] == pytest.approx(6 / 9)
    assert ranked["test"] == pytest.approx(5 / 9)


def test_degrees_count_every_occurrence() -> None:
    """red–kites twice, kites–soar, where–are and are–red once: five meetings."""
    made = candidates("Red kites soar .", "Where are red kites ?", "Kites !", without=". ? !")
    expected = {"red": 3 / 5, "kites": 3 / 5, "soar": 1 / 5, "where": 1 / 5, "are": 2 / 5}
    assert scores(rank(made, measure="degree")) == pytest.approx(expected)


def test_unweighted_links_count_once() -> None:
    """Three of the four edges end at kites or red."""
    made = candidates("Red kites soar .", "Where are red kites ?", without=". ?")
    assert scores(rank(made, measure="degree", weighted=False))["kites"] == pytest.approx(2 / 4)


@pytest.mark.parametrize("measure", MEASURES)
def test_groups_of_words_that_never_meet_have_finite_scores(measure: str) -> None:
    """Disconnected graphs, isolated words among them, are fine in every measure."""
    ranked = rank(candidates("a b c a", "x y z y", "alone"), measure=measure)
    assert all(np.isfinite(entry.score) and entry.score >= 0 for entry in ranked)
    assert len(ranked) == 7


@every("measure", MEASURES)
@every("text", ["alone", "a b", "a a a"])
def test_tiny_graphs_are_fine(measure: str, text: str) -> None:
    """One node, one edge, nothing but a loop."""
    assert all(np.isfinite(entry.score) for entry in rank(candidates(text), measure=measure))


CONNECTED = candidates("a b c d b e a f c b a g e b a c")


def _in_networkx(made: Candidates) -> nx.Graph:
    graph = cooccurrence_graph(made, window=2, units="candidates")
    other = nx.Graph()
    for one, other_end, weight in zip(graph.left, graph.right, graph.weights, strict=True):
        other.add_edge(int(one), int(other_end), weight=weight, length=1 / weight)
    return other


def test_betweenness_and_closeness_are_those_of_networkx() -> None:
    """An edge is as long as the inverse of its weight."""
    other = _in_networkx(CONNECTED)
    for measure, expected in {
        "betweenness": nx.betweenness_centrality(other, weight="length"),
        "closeness": nx.closeness_centrality(other, distance="length"),
    }.items():
        found = scores(rank(CONNECTED, measure=measure))
        assert [found[key] for key in CONNECTED.keys] == pytest.approx([expected[i] for i in range(7)])


@pytest.mark.parametrize("measure", ["eigenvector", "hits"])
def test_eigenvector_and_hits_agree_with_networkx(measure: str) -> None:
    """Scaled to the sum 1; without odd circles missing, both are the leading eigenvector."""
    other = _in_networkx(CONNECTED)
    vector = nx.eigenvector_centrality(other, max_iter=5000, tol=1e-12, weight="weight")
    if measure == "hits":
        vector = nx.hits(other, max_iter=5000, tol=1e-14)[1]
    found = scores(rank(CONNECTED, measure=measure))
    total = sum(vector.values())
    expected = [vector[i] / total for i in range(7)]
    assert [found[key] for key in CONNECTED.keys] == pytest.approx(expected, abs=1e-7)


def test_hits_on_a_bipartite_graph_is_the_limit_of_the_iteration() -> None:
    """A star: with 1 for all, the hub gets 3 and each leaf 3 · 1, the same after every round."""
    found = scores(rank(candidates("hub a hub b hub c"), measure="hits", weighted=False))
    assert found == pytest.approx({"hub": 0.25, "a": 0.25, "b": 0.25, "c": 0.25})


def test_large_graphs_have_an_eigenvector() -> None:
    """More nodes than are solved densely; the vector is stable under the matrix."""
    draw = np.random.default_rng(2)
    made = candidates(" ".join(f"w{n}" for n in draw.zipf(1.4, 4000) % 900))
    found = scores(rank(made, measure="eigenvector"))
    vector = np.array([found[key] for key in made.keys])
    graph = cooccurrence_graph(made, window=2, units="candidates")
    moved = np.bincount(graph.left, graph.weights * vector[graph.right], len(vector))
    moved += np.bincount(graph.right, graph.weights * vector[graph.left], len(vector))
    assert len(made) > 256
    assert moved / moved.sum() == pytest.approx(vector, abs=1e-9)


def test_a_component_weighs_as_much_as_its_edges() -> None:
    """Three of four meetings are in the first component; an isolated word has 0."""
    found = scores(rank(candidates("a b a b", "x y", "alone"), measure="eigenvector"))
    assert found == pytest.approx({"a": 3 / 8, "b": 3 / 8, "x": 1 / 8, "y": 1 / 8, "alone": 0.0})


@pytest.mark.parametrize("window", [1, 0, -3])
def test_a_window_of_one_is_refused(window: int) -> None:
    """It would link nothing."""
    with pytest.raises(SpecError, match=r"window: must be at least 2"):
        Cooccurrence(window=window)


@pytest.mark.parametrize("damping", [0.0, 1.0])
def test_a_damping_without_jumps_or_without_links_is_refused(damping: float) -> None:
    """PageRank needs both."""
    with pytest.raises(SpecError, match="damping"):
        Cooccurrence(damping=damping)


@pytest.mark.parametrize("measure", ["closeness", "betweenness"])
def test_shortest_paths_that_take_too_long_are_refused_beforehand(measure: str) -> None:
    """With the size of the graph; the other measures have no such limit."""
    text = candidates("a b c d")
    with pytest.raises(StageError) as caught:
        Cooccurrence.model_validate({"measure": measure, "max_work": 11}).rank(text)
    assert str(caught.value) == (
        f"document 'd', ranking: cooccurrence: {measure} of 4 nodes with 3 edges takes 12 steps; use "
        "measure: pagerank or degree, set candidates.first_within, or raise ranking.max_work"
    )
    assert len(Cooccurrence.model_validate({"measure": measure, "max_work": 12}).rank(text)) == 4
    assert len(Cooccurrence(measure="degree", max_work=1).rank(text)) == 4
