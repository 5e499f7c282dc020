"""RAKE, KP-Miner, heads, clusters, chi-square and YAKE on texts small enough to work by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from ranking_texts import annotate, candidates, keys, scores

from kpframe.model import Candidates, Document
from kpframe.ranking._word_statistics import word_statistics
from kpframe.ranking.chi_square import ChiSquare
from kpframe.ranking.kpminer import KpMiner
from kpframe.ranking.length import Length
from kpframe.ranking.noun_heads import NounHeads
from kpframe.ranking.phrase_clusters import PhraseClusters
from kpframe.ranking.rake import Rake
from kpframe.ranking.tfidf import TfIdf
from kpframe.ranking.yake import Yake

PHRASES = candidates("red kite sees red fox", "fox sleeps", places=[(0, 2), (3, 5), (5, 6)])
"""Runs between stop words: "red kite", "red fox", "fox"."""


def test_rake_sums_degree_over_frequency() -> None:
    """Degrees: red 2 + 2, kite 2, fox 2 + 1; frequencies 2, 1, 2."""
    assert scores(Rake().rank(PHRASES)) == {"red kite": 4.0, "red fox": 3.5, "fox": 1.5}


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("degree", {"red kite": 6.0, "red fox": 7.0, "fox": 3.0}),
        ("frequency", {"red kite": 3.0, "red fox": 4.0, "fox": 2.0}),
    ],
)
def test_rake_may_score_words_by_degree_or_frequency(measure: str, expected: dict[str, float]) -> None:
    """Then words of many phrases win."""
    assert scores(Rake.model_validate({"measure": measure}).rank(PHRASES)) == expected


def test_the_longest_phrase_wins_by_length() -> None:
    """In tokens or in characters; equals in the order of the text."""
    assert keys(Length().rank(PHRASES)) == ["red kite", "red fox", "fox"]
    assert scores(Length(unit="characters").rank(PHRASES))["red kite"] == 8.0


def test_phrases_with_the_most_frequent_head_are_kept() -> None:
    """fox heads two places, kite one; a phrase scores its occurrences × its tokens."""
    assert scores(NounHeads(heads=1).rank(PHRASES)) == {"red fox": 2.0, "fox": 1.0}
    assert scores(NounHeads(heads=None).rank(PHRASES)) == {"red kite": 2.0, "red fox": 2.0, "fox": 1.0}


def test_one_phrase_stands_for_all_that_share_a_word() -> None:
    """All three are one cluster: 3 occurrences + the mean of red 2, kite 1, fox 2."""
    found = scores(PhraseClusters().rank(PHRASES))
    assert found == {"red fox": pytest.approx(3 + 5 / 3)}


def test_stop_words_connect_no_phrases() -> None:
    """ "the" is in both, and parts them no less."""
    target = candidates("the kite", "the fox", longest=2, places=[(0, 2), (2, 4)])
    assert len(PhraseClusters().rank(target)) == 2
    assert len(PhraseClusters(stopwords=()).rank(target)) == 1


def test_whole_candidates_have_their_own_tfidf() -> None:
    """2 · log2(3 / 2) for a phrase that stands twice here and in one of two documents."""
    here = candidates("a b a b", longest=2)
    ranking = TfIdf.model_validate({"over": "candidates", "idf": {"form": "log2"}})
    ranker = ranking.restore(ranking.fit(map(ranking.observe, [here, candidates("a c", longest=2)])))
    found = scores(ranker.rank(here))
    assert found["a b"] == pytest.approx(2 * math.log2(3 / 2))
    assert found["a"] == 0.0


def kpminer(target: Candidates, **settings: object) -> dict[str, float]:
    """Scores of a KP-Miner that has seen the target and one other document."""
    ranking = KpMiner.model_validate({"least_frequency": 1, **settings})
    seen = [target, candidates("x y", longest=2, id="other")]
    return scores(ranking.restore(ranking.fit(map(ranking.observe, seen))).rank(target))


def test_phrases_are_boosted_by_how_rare_they_are() -> None:
    """Of five occurrences two are of phrases: 5 / (2 · 2.3); phrases have no df, so idf = log2 3."""
    target = candidates("a b a", longest=2)
    assert kpminer(target)["a b"] == pytest.approx(math.log2(3) * 5 / 4.6)
    assert kpminer(target, alpha=0.1)["a b"] == pytest.approx(math.log2(3) * 3.0)
    assert kpminer(target)["a"] == pytest.approx(2 * math.log2(3 / 2))


def test_rare_and_late_candidates_go_but_still_count_as_known_words() -> None:
    """The frequencies were counted over all of them."""
    target = candidates("a b a c", longest=1)
    assert set(kpminer(target, least_frequency=2)) == {"a"}
    assert set(kpminer(target, cutoff=1)) == {"a", "b"}
    assert set(KpMiner().fit([KpMiner().observe(target)])["df"]) == {"a", "b", "c"}


def test_rare_and_late_candidates_can_stand_behind_all_others() -> None:
    """In the order of their own scores, above zero; those before them score as if they were alone."""
    target = candidates("a b a c b b c c d", longest=2)
    alone = kpminer(target, least_frequency=2, cutoff=1)
    found = kpminer(target, least_frequency=2, cutoff=1, rest="behind")
    assert set(alone) == {"a", "b"} and set(found) == set(target.keys)
    assert {key: found[key] for key in alone} == alone
    others = {key: score for key, score in found.items() if key not in alone}
    assert 0.0 < max(others.values()) < min(alone.values())
    free = kpminer(target)
    both = [(one, other) for one in others for other in others if free[one] > free[other]]
    assert all(others[one] > others[other] for one, other in both if (" " in one) == (" " in other))


def test_where_nothing_is_frequent_all_are_ranked_by_their_scores() -> None:
    """A long text that repeats nothing at its beginning would have no keyphrase; phrases keep their boost."""
    target = candidates("a b c c d c d", longest=2)
    assert kpminer(target, least_frequency=9) == {}
    assert kpminer(target, least_frequency=9, rest="behind") == kpminer(target)


def test_others_lie_below_words_that_all_documents_have() -> None:
    """Whose idf is 0: the others keep their order, below it."""
    target = candidates("x x y y y z", longest=1)
    ranking = KpMiner.model_validate({"least_frequency": 2, "cutoff": 1, "rest": "behind"})
    seen = [target, candidates("x", longest=1, id="other")]
    found = scores(ranking.restore(ranking.fit(map(ranking.observe, seen))).rank(target))
    assert found["x"] == 0.0 > found["y"] > found["z"]


def test_chi_square_prefers_terms_that_keep_to_some_frequent_ones() -> None:
    """Worked by hand: terms k k f f x in three sentences, of which k and f are frequent."""
    target = candidates("k x", "k f", "f y", longest=1)
    found = scores(ChiSquare(share=0.7).rank(target))
    # n_x = 2, p_k = p_f = 4/6: (1 - 4/3)² / (4/3) with k, (0 - 4/3)² / (4/3) with f, which is left out
    assert found["x"] == pytest.approx((1 / 9) / (4 / 3))
    # n_k = 4: with itself (8/3)² / (8/3) = 8/3, left out; with f (1 - 8/3)² / (8/3)
    assert found["k"] == pytest.approx((25 / 9) / (8 / 3))


def test_phrases_must_be_frequent_to_be_terms() -> None:
    """Single words need not."""
    target = candidates("a b", "a b", longest=2)
    assert set(scores(ChiSquare().rank(target))) == {"a", "b"}
    assert set(scores(ChiSquare(min_phrase=2).rank(target))) == {"a", "b", "a b"}


def yake_features(*sentences: str, **settings: object) -> tuple[list[str], dict[str, np.ndarray]]:
    """The words and their features."""
    made = annotate(*sentences)
    options = {"window": 1, "punctuation": False, **settings}
    found = word_statistics(made, made.folded_words, {"the"}, **options)  # type: ignore[arg-type]
    names = ("casing", "position", "frequency", "relatedness", "different", "weight")
    return list(found.number), {name: getattr(found, name) for name in names}


def test_features_of_words_are_those_of_the_paper() -> None:
    """Kite: twice, once capitalised inside a sentence; in both of two sentences; a neighbour on each side."""
    words, found = yake_features("the Kite soars", "kite sleeps")
    kite = words.index("kite")
    assert found["casing"][kite] == pytest.approx(1 / (1 + math.log(2)))
    assert found["position"][kite] == pytest.approx(math.log(math.log(3.5)))
    usual = (2 + 1 + 1) / 3 + math.sqrt(2) / 3
    assert found["frequency"][kite] == pytest.approx(2 / usual)
    assert found["different"][kite] == 1.0
    assert found["relatedness"][kite] == pytest.approx(1 + (1 / 1 + 2 / 2) * 2 / 2)


def test_punctuation_parts_neighbours_unless_it_counts_as_a_word() -> None:
    """Only then has kite a neighbour."""
    words, found = yake_features("kite , fox")
    assert words == ["kite", "fox"]
    assert found["relatedness"].tolist() == [1.0, 1.0]
    words, found = yake_features("kite , fox", punctuation=True)
    assert words == ["kite", ",", "fox"]
    assert found["relatedness"].tolist() == [2.0, 3.0, 2.0]


def test_yake_scores_are_negative_products_over_sums() -> None:
    """Π weight / (occurrences · (1 + Σ weight)), and higher is better."""
    target = candidates("grey kites meet grey kites", longest=2)
    words, found = yake_features("grey kites meet grey kites")
    grey, kites = (float(found["weight"][words.index(word)]) for word in ("grey", "kites"))
    expected = -(grey * kites) / (2 * (1 + grey + kites))
    ranked = Yake().rank(target)
    assert scores(ranked)["grey kites"] == pytest.approx(expected)
    assert keys(ranked)[0] == "grey kites"


def test_a_stop_word_inside_costs_what_chance_does_not_explain() -> None:
    """ "king of spain" each time: P = 1, so that nothing is lost; "king" without "of" halves it."""
    bound = candidates("king of spain", places=[(0, 3)])
    loose = candidates("king of spain", "king sleeps", places=[(0, 3)])
    for target, probability in ((bound, 1.0), (loose, 0.5)):
        made = target.annotations
        found = word_statistics(made, made.folded_words, {"of"}, window=1, punctuation=False)
        king, spain = (float(found.weight[found.number[word]]) for word in ("king", "spain"))
        lost = 1 - probability
        expected = king * spain * (1 + lost) / (1 + king + spain - lost)
        assert scores(Yake().rank(target)) == {"king of spain": pytest.approx(-expected)}


def test_no_phrase_gains_by_many_stop_words() -> None:
    """Two of them cannot turn the sum negative, which would make it the best of all."""
    target = candidates("end of the line", "end line", "of", "the", places=[(0, 4)])
    assert all(entry.score < 0 for entry in Yake().rank(target))


def test_stop_words_and_short_words_end_no_keyphrase() -> None:
    """A candidate that begins or ends with one is left out."""
    assert set(scores(Yake().rank(candidates("the kite of ox", longest=2)))) == {"kite"}


def test_a_clitic_inside_a_candidate_is_no_word() -> None:
    """It counts as a stop word that nothing predicts."""
    made = annotate("women 's rights")
    target = Candidates.build(Document("d", made.text), made, [(0, 3)])
    assert len(Yake().rank(target)) == 1


@pytest.mark.parametrize("clusters", ["none", "similar"])
def test_chi_square_is_the_same_by_a_plain_array_and_by_a_sparse_one(
    clusters: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which of the two holds the counts is a matter of the length of the text alone."""
    draw = np.random.default_rng(3)
    sentences = [" ".join(f"w{int(number)}" for number in draw.zipf(1.5, 12) % 40) for _ in range(30)]
    terms = candidates(*sentences)
    ranking = ChiSquare.model_validate({"clusters": clusters})
    short = scores(ranking.rank(terms))
    monkeypatch.setattr("kpframe.ranking.chi_square._DENSE", 0)
    assert scores(ranking.rank(terms)) == short
