"""ExpandRank and CollabRank: documents lend each other the links of their words."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
import pytest
from ranking_texts import candidates, scores

from kpframe.errors import StageError
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._collection_words import CollectionWords
from kpframe.ranking.collabrank import CollabRank
from kpframe.ranking.expandrank import ExpandRank
from kpframe.ranking.word_graph import WordGraph

NOUNS = ("noun",)


def document(id: str, *sentences: str) -> Candidates:
    """A document whose words are all nouns but for `and`."""
    pos = " ".join("CCONJ" if word == "and" else "NOUN" for word in " ".join(sentences).split())
    return candidates(*sentences, id=id, pos=pos, without="and")


COLLECTION = [
    document("a", "kites kites soar"),
    document("b", "kites hills soar"),
    document("c", "ships harbours"),
    document("d", "ships storms"),
]


def fitted(ranking: ExpandRank | CollabRank, collection: list[Candidates] = COLLECTION) -> Any:
    """The ranker after the collection was seen, its state once through JSON."""
    return ranking.restore(json.loads(json.dumps(ranking.fit([ranking.observe(one) for one in collection]))))


def test_a_neighbour_lends_its_links_by_its_similarity() -> None:
    """Document a has 2 ln 2 for kites and ln 2 for soar, b has ln 2 for both and ln 4 for hills.

    Their cosine is (2 + 1) / (√5 · √6) in units of ln² 2. In a, with a window of two, kites meets soar
    once; in b it meets hills once, and hills soar once.
    """
    cosine = 3 / (5**0.5 * 6**0.5)
    graph = nx.Graph()
    graph.add_weighted_edges_from(
        [("kites", "soar", 1.0), ("kites", "hills", cosine), ("hills", "soar", cosine)]
    )
    ranks = nx.pagerank(graph, tol=1e-14, max_iter=5000)
    found = fitted(ExpandRank(pos=NOUNS, window=2)).rank(COLLECTION[0])
    assert scores(found) == pytest.approx({"kites": ranks["kites"], "soar": ranks["soar"]}, rel=1e-9)


def test_only_the_most_similar_documents_are_neighbours() -> None:
    """As many as asked for; documents that share no word are none, however many are wanted."""
    collection = CollectionWords.of([ExpandRank(pos=NOUNS).observe(one) for one in COLLECTION])
    near = collection.similar(ExpandRank(pos=NOUNS).observe(COLLECTION[0]))
    assert [collection.documents[index].id for index, _ in near] == ["b"]
    wanting = [fitted(ExpandRank(pos=NOUNS, neighbours=n)).rank(COLLECTION[0]).entries for n in (1, 100)]
    assert wanting[0] == wanting[1]


def test_stop_words_make_no_documents_similar() -> None:
    """`and` stands in two of three documents."""
    collection = [
        document("a", "kites and hills"),
        document("b", "ships and storms"),
        document("c", "trains"),
    ]
    seen = [ExpandRank(pos=NOUNS).observe(one) for one in collection]
    assert CollectionWords.of(seen).similar(seen[0]) == []


def single_rank(text: Candidates) -> Keyphrases:
    """The document by itself."""
    return WordGraph(pos=NOUNS).rank(text)


@pytest.mark.parametrize("ranking", [ExpandRank(pos=NOUNS), CollabRank(pos=NOUNS)])
def test_a_collection_of_one_document_lends_nothing(ranking: ExpandRank | CollabRank) -> None:
    """What is left is SingleRank."""
    ranker = fitted(ranking, COLLECTION[:1])
    assert ranker.rank(COLLECTION[0]).entries == single_rank(COLLECTION[0]).entries


@pytest.mark.parametrize("ranking", [ExpandRank(pos=NOUNS), CollabRank(pos=NOUNS)])
def test_an_empty_collection_lends_nothing(ranking: ExpandRank | CollabRank) -> None:
    """Neither does it fail."""
    assert fitted(ranking, []).rank(COLLECTION[0]).entries == single_rank(COLLECTION[0]).entries


@pytest.mark.parametrize("ranking", [ExpandRank(pos=NOUNS), CollabRank(pos=NOUNS)])
@pytest.mark.parametrize("text", ["Nepal", "and"])
def test_texts_of_almost_nothing_are_ranked(ranking: ExpandRank | CollabRank, text: str) -> None:
    """One word, no noun; the contract of stages tries none at all."""
    assert len(fitted(ranking).rank(document("new", text))) == (text == "Nepal")


def test_a_new_document_finds_its_neighbours_in_the_collection() -> None:
    """It shares kites with a and b, and the links of b change the order of its own words."""
    new = document("new", "hills kites")
    assert fitted(ExpandRank(pos=NOUNS)).rank(new).entries != single_rank(new).entries


def test_the_order_of_the_collection_does_not_matter() -> None:
    """Documents are taken by their ids."""
    for ranking in (ExpandRank(pos=NOUNS), CollabRank(pos=NOUNS)):
        one, other = fitted(ranking), fitted(ranking, COLLECTION[::-1])
        assert [one.rank(d).entries for d in COLLECTION] == [other.rank(d).entries for d in COLLECTION]


def test_the_end_of_a_sentence_parts_the_words_of_neighbours_too() -> None:
    """In b the sentence ends between hills and soar; crossing it makes a link more."""
    collection = [COLLECTION[0], document("b", "kites hills", "soar"), *COLLECTION[2:]]
    inside = fitted(ExpandRank(pos=NOUNS, window=2), collection).rank(collection[0])
    across = fitted(ExpandRank(pos=NOUNS, window=2, cross_sentences=True), collection).rank(collection[0])
    assert scores(inside)["soar"] < scores(across)["soar"]


def test_a_cluster_shares_one_graph() -> None:
    """Two clusters: of a and b, all links count alike, and kites-soar meets once in a."""
    graph = nx.Graph()
    graph.add_weighted_edges_from([("kites", "soar", 1.0), ("kites", "hills", 1.0), ("hills", "soar", 1.0)])
    ranks = nx.pagerank(graph, tol=1e-14, max_iter=5000)
    found = fitted(CollabRank(pos=NOUNS, window=2, clusters=2)).rank(COLLECTION[0])
    assert scores(found) == pytest.approx({"kites": ranks["kites"], "soar": ranks["soar"]}, rel=1e-9)


def test_as_many_clusters_as_documents_lend_nothing() -> None:
    """Each is alone."""
    ranker = fitted(CollabRank(pos=NOUNS, clusters=4))
    assert ranker.rank(COLLECTION[0]).entries == single_rank(COLLECTION[0]).entries


def test_too_many_documents_to_cluster_are_refused() -> None:
    """With what can be done."""
    ranking = CollabRank(pos=NOUNS, max_documents=3)
    with pytest.raises(StageError, match="take at most 3, or raise"):
        ranking.fit([ranking.observe(one) for one in COLLECTION])


@pytest.mark.parametrize("ranking", [ExpandRank(), CollabRank()])
def test_the_collection_must_be_seen_first(ranking: ExpandRank | CollabRank) -> None:
    """The message says how."""
    with pytest.raises(StageError, match="knows no other documents yet; fit it on the collection"):
        ranking.rank(COLLECTION[0])


def test_an_unknown_stop_list_is_found_beforehand() -> None:
    """With those that there are."""
    ((parameter, problem, remedy),) = ExpandRank(stopwords=("xx",)).problems(["en"])
    assert (parameter, problem) == ("stopwords", "there is no stop list 'xx'")
    assert "en" in remedy
