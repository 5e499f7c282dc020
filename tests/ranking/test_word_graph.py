"""Phrases by the PageRank of their words: SingleRank, PositionRank and their kin."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
import pytest
from ranking_texts import candidates, keys, scores

from kpframe.errors import SpecError, StageError
from kpframe.model import Candidates
from kpframe.ranking._topic_model import TopicModel, Topics, learn_topics
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


@pytest.mark.slow
def test_twenty_thousand_words_are_no_trouble() -> None:
    """Memory and time grow with tokens × window."""
    text = candidates(" ".join(f"w{i}" for i in range(20_000)))
    assert len(WordGraph(restart="position").rank(text)) == 20_000


@pytest.mark.parametrize("wrong", [{"window": 1}, {"pos": []}, {"pos": ["nuon"]}, {"damping": 1.0}])
def test_wrong_parameters_are_refused(wrong: dict[str, Any]) -> None:
    """Before any text is read."""
    with pytest.raises(SpecError):
        WordGraph(**wrong)


COOKS = [candidates(*["flour sugar oven flour"] * 3, id=f"c{i}", pos="NOUN " * 12) for i in range(6)]
SAILORS = [candidates(*["mast sail rope mast"] * 3, id=f"s{i}", pos="NOUN " * 12) for i in range(6)]
TOPICAL = WordGraph(pos=NOUNS, restart="topics", topics=Topics(number=2), window=3, phrase="sum")


def test_words_of_the_text_s_topic_are_preferred() -> None:
    """A rope in a text about cakes stands as the sugar does, and is no word of its topic."""
    state = json.loads(json.dumps(TOPICAL.fit([TOPICAL.observe(one) for one in [*COOKS, *SAILORS]])))
    cake = candidates("flour sugar flour oven", "flour rope flour oven", pos="NOUN " * 8)
    plain = scores(TOPICAL.model_copy(update={"restart": "none"}).rank(cake))
    topical = scores(TOPICAL.restore(state).rank(cake))
    assert plain["sugar"] == pytest.approx(plain["rope"], rel=1e-9)
    assert topical["sugar"] > 1.05 * topical["rope"]
    assert sum(topical.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("prefer", ["topic_given_word", "word_given_topic", "product"])
def test_one_run_is_the_sum_of_a_run_for_each_topic(prefer: Any) -> None:
    """As published: R(w) = Σ p(z | d) · R_z(w), each R_z by networkx, jumping to z's words."""
    settings = Topics(number=2, prefer=prefer)
    ranking = TOPICAL.model_copy(update={"topics": settings, "window": 2})
    state = ranking.fit([ranking.observe(one) for one in [*COOKS, *SAILORS]])
    model = TopicModel.from_state(state, settings)
    mixed = candidates("flour rope sugar mast rope", pos="NOUN " * 5)
    graph = nx.Graph()
    edges = [("flour", "rope", 1.0), ("rope", "sugar", 1.0), ("sugar", "mast", 1.0), ("mast", "rope", 1.0)]
    graph.add_weighted_edges_from(edges)
    weights = {word: model.weights[:, column] for column, word in enumerate(model.words)}
    expected = dict.fromkeys(graph, 0.0)
    shares = model.shares({"flour": 1, "rope": 2, "sugar": 1, "mast": 1})
    for topic, share in enumerate(shares):
        of_word = {word: weights[word][topic] / weights[word].sum() for word in graph}
        of_topic = {word: weights[word][topic] / model.weights[topic].sum() for word in graph}
        jumps = {
            "topic_given_word": of_word,
            "word_given_topic": of_topic,
            "product": {word: of_word[word] * of_topic[word] for word in graph},
        }[prefer]
        for word, rank in nx.pagerank(graph, personalization=jumps, tol=1e-14, max_iter=5000).items():
            expected[word] += share * rank
    assert scores(ranking.restore(state).rank(mixed)) == pytest.approx(expected, rel=1e-9)


def test_shares_of_topics_are_those_of_scikit_learn() -> None:
    """The model made from its weights says of the documents what the fitted one says."""
    from sklearn.decomposition import LatentDirichletAllocation

    counts = [dict(TOPICAL.observe(one)) for one in [*COOKS, *SAILORS]]
    words = sorted({word for document in counts for word in document})
    rows = [[document.get(word, 0) for word in words] for document in counts]
    fitted = LatentDirichletAllocation(2, max_iter=20, random_state=1).fit(rows)
    model = TopicModel.from_state(learn_topics(counts, Topics(number=2)), Topics(number=2))
    for document, expected in zip(counts, fitted.transform(rows), strict=True):
        assert model.shares(document) == pytest.approx(expected, rel=1e-5)


def test_words_that_no_topic_knows_are_preferred_as_much_as_the_mean() -> None:
    """And if there are none but these, jumps lead anywhere alike, as in SingleRank."""
    state = TOPICAL.fit([TOPICAL.observe(one) for one in [*COOKS, *SAILORS]])
    model = TopicModel.from_state(state, Topics(number=2))
    found = model.preferences({"flour": 2.0, "zebra": 1.0, "mast": 1.0})
    assert found is not None
    assert found[1] == pytest.approx((found[0] + found[2]) / 2)
    new = candidates("zebra gnu zebra", pos="NOUN NOUN NOUN")
    plain = TOPICAL.model_copy(update={"restart": "none"}).rank(new)
    assert TOPICAL.restore(state).rank(new).entries == plain.entries


def test_a_single_document_has_no_topics() -> None:
    """No word stands in two documents; it is SingleRank then."""
    state = TOPICAL.fit([TOPICAL.observe(COOKS[0])])
    assert state == {"words": [], "topics": []}
    plain = TOPICAL.model_copy(update={"restart": "none"}).rank(COOKS[0])
    assert TOPICAL.restore(state).rank(COOKS[0]).entries == plain.entries


def test_topics_must_be_learned_first() -> None:
    """The error says of what there is none."""
    with pytest.raises(StageError) as caught:
        TOPICAL.rank(COOKS[0])
    assert str(caught.value) == (
        "ranking: word_graph: has no topics yet; fit it on the collection, or set restart: none or position"
    )
