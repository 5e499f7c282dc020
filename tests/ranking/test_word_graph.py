"""Phrases by the PageRank of their words: SingleRank, PositionRank and their kin."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
import pytest
from pydantic import ValidationError
from ranking_texts import candidates, keys, scores

from kpframe.errors import StageError
from kpframe.model import Candidates
from kpframe.ranking.word_graph import WordGraph

TEXT = ("red kites soar over grey hills", "grey herons and red kites rest")
POS = "ADJ NOUN VERB ADP ADJ NOUN ADJ NOUN CCONJ ADJ NOUN VERB"
NOUNS = ("noun", "adjective")


def phrases(*places: tuple[int, int], **options: Any) -> Candidates:
    """Candidates of the text at the given places."""
    return candidates(*TEXT, pos=POS, places=places or [(0, 2), (4, 6), (6, 8), (9, 11)], **options)


def words(**options: Any) -> dict[str, float]:
    """The scores of single nouns and adjectives, which are those of the graph's words."""
    single = phrases(*[(i, i + 1) for i in (0, 1, 4, 5, 6, 7, 9, 10)])
    return scores(WordGraph(pos=NOUNS, **options).rank(single))


def networkx_ranks(
    *edges: tuple[str, str, float], restart: dict[str, float] | None = None
) -> dict[str, float]:
    """PageRank by networkx on a graph worked out by hand."""
    graph = nx.Graph()
    graph.add_nodes_from(["red", "kites", "grey", "hills", "herons"])
    graph.add_weighted_edges_from(edges)
    return nx.pagerank(graph, personalization=restart, tol=1e-14, max_iter=5000)


INSIDE = [("red", "kites", 2.0), ("grey", "hills", 1.0), ("grey", "herons", 1.0)]
"""Neighbours inside sentences: red kites, grey hills; grey herons, red kites."""


def test_words_are_linked_as_often_as_they_meet() -> None:
    """With a window of two tokens only neighbours do."""
    assert words(window=2) == pytest.approx(networkx_ranks(*INSIDE), rel=1e-9)


def test_links_may_all_weigh_the_same() -> None:
    """As in TextRank."""
    expected = networkx_ranks(*[(one, other, 1.0) for one, other, _ in INSIDE])
    assert words(window=2, weighted=False) == pytest.approx(expected, rel=1e-9)


def test_the_window_may_reach_over_the_end_of_a_sentence() -> None:
    """Then hills and the grey after it meet too."""
    expected = networkx_ranks(("red", "kites", 2.0), ("grey", "hills", 2.0), ("grey", "herons", 1.0))
    assert words(window=2, cross_sentences=True) == pytest.approx(expected, rel=1e-9)


def test_the_window_may_count_the_words_of_the_graph_alone() -> None:
    """Kites and grey are neighbours then, and so are herons and red; ends of sentences still part."""
    expected = networkx_ranks(*INSIDE, ("kites", "grey", 1.0), ("herons", "red", 1.0))
    assert words(window=2, units="words") == pytest.approx(expected, rel=1e-9)


def test_position_favours_words_that_stand_early_and_often() -> None:
    """The restart of red is 1/1 + 1/10, of kites 1/2 + 1/11, of grey 1/5 + 1/7, of hills 1/6, herons 1/8."""
    restart = {"red": 1.1, "kites": 1 / 2 + 1 / 11, "grey": 1 / 5 + 1 / 7, "hills": 1 / 6, "herons": 1 / 8}
    assert words(window=2, restart="position") == pytest.approx(
        networkx_ranks(*INSIDE, restart=restart), rel=1e-9
    )


def test_tfidf_favours_words_that_are_frequent_here_and_rare_elsewhere() -> None:
    """Of four documents red stands in all: nothing jumps there; the others have tf · ln(4 / df)."""
    ranking = WordGraph(pos=NOUNS, window=2, restart="tfidf")
    state = {"documents": 4, "df": {"red": 4, "kites": 2, "grey": 2, "hills": 1, "herons": 1}}
    single = phrases(*[(i, i + 1) for i in (0, 1, 4, 5, 6, 7, 9, 10)])
    restart = {"red": 0.0, "kites": 2.0, "grey": 2.0, "hills": 2.0, "herons": 2.0}  # in units of ln 2
    expected = networkx_ranks(*INSIDE, restart=restart)
    assert scores(ranking.restore(state).rank(single)) == pytest.approx(expected, rel=1e-9)


def test_a_collection_of_one_document_prefers_nothing() -> None:
    """Every idf is 0, and the surfer jumps anywhere."""
    ranking = WordGraph(pos=NOUNS, window=2, restart="tfidf")
    state = json.loads(json.dumps(ranking.fit([ranking.observe(phrases())])))
    plain = WordGraph(pos=NOUNS, window=2).rank(phrases())
    assert ranking.restore(state).rank(phrases()).entries == plain.entries


def test_frequencies_must_be_counted_first() -> None:
    """The message says how."""
    with pytest.raises(StageError, match="fit it on the collection, or set restart: none or position"):
        WordGraph(restart="tfidf").rank(phrases())


@pytest.mark.parametrize("combine", ["sum", "mean", "max", "product"])
def test_a_phrase_takes_the_scores_of_its_words(combine: str) -> None:
    """Their sum, mean, maximum or product."""
    one = words(window=2)
    red, kites = one["red"], one["kites"]
    expected = {"sum": red + kites, "mean": (red + kites) / 2, "max": max(red, kites), "product": red * kites}
    found = scores(WordGraph(pos=NOUNS, window=2, phrase=combine).rank(phrases()))
    assert found["red kites"] == pytest.approx(expected[combine], rel=1e-9)
    assert list(found) == keys(WordGraph(pos=NOUNS, window=2, phrase=combine).rank(phrases()))


def test_without_parts_of_speech_the_words_of_the_candidates_are_the_graph() -> None:
    """Here the same words, so the same scores."""
    assert (
        WordGraph(window=2).rank(phrases()).entries == WordGraph(pos=NOUNS, window=2).rank(phrases()).entries
    )
    assert WordGraph().requires() == frozenset()
    assert WordGraph(pos=NOUNS).requires() == {"pos"}


def test_a_word_outside_the_graph_has_no_score() -> None:
    """`soar` is a verb: a phrase of it alone has 0, and adds nothing to another."""
    found = scores(WordGraph(pos=NOUNS, window=2).rank(phrases((0, 2), (0, 3), (2, 3))))
    assert found["soar"] == 0.0
    assert found["red kites soar"] == found["red kites"]


def test_words_with_equal_stems_are_one_node() -> None:
    """Kites and kite share what each would have alone."""
    text = candidates(
        "kites and kite and hills", pos="NOUN CCONJ NOUN CCONJ NOUN", places=[(0, 1), (2, 3), (4, 5)]
    )
    found = scores(WordGraph(pos=("noun",), stem="porter", window=3).rank(text))
    assert found["kites"] == found["kite"] == found["hills"] == pytest.approx(0.5)


def test_punctuation_that_was_tagged_as_a_noun_is_no_word_unless_asked() -> None:
    """Programs that look at tags alone let it take a share."""
    text = candidates("kites . hills", pos="NOUN PROPN NOUN", places=[(0, 1), (2, 3)])
    assert scores(WordGraph(pos=("noun",), window=2).rank(text)) == pytest.approx(
        {"kites": 0.5, "hills": 0.5}
    )
    shared = scores(WordGraph(pos=("noun",), window=2, tokens="any").rank(text))
    assert sum(shared.values()) < 0.6


def test_equal_sums_in_another_order_are_a_tie() -> None:
    """The last digits of a sum do not decide: the first in the text does."""
    text = candidates("a b c d c b a", places=[(0, 3), (4, 7)])
    first, second = WordGraph(window=10).rank(text).entries
    assert (first.key, second.key) == ("a b c", "c b a")
    assert first.score == second.score


@pytest.mark.parametrize("places", [[], [(0, 1)]])
def test_few_candidates_are_ranked(places: list[tuple[int, int]]) -> None:
    """None, or one, which has all the rank of a graph of one word."""
    found = WordGraph().rank(candidates("Nepal", places=places))
    assert [entry.score for entry in found] == [1.0] * len(places)


def test_twenty_thousand_words_are_no_trouble() -> None:
    """Memory and time grow with tokens × window."""
    text = candidates(" ".join(f"w{i}" for i in range(20_000)))
    assert len(WordGraph(restart="position").rank(text)) == 20_000


@pytest.mark.parametrize("wrong", [{"window": 1}, {"pos": []}, {"pos": ["nuon"]}, {"damping": 1.0}])
def test_wrong_parameters_are_refused(wrong: dict[str, Any]) -> None:
    """Before any text is read."""
    with pytest.raises(ValidationError):
        WordGraph(**wrong)
