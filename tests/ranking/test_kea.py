"""Kea: what it learns, how it ranks, what it refuses."""

from __future__ import annotations

import json
import logging
import math
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from ranking_texts import candidates, keys, scores

from kpframe.errors import ResourceError, SpecError, StageError
from kpframe.language.stems import stem
from kpframe.model import Candidates, Document, Gold, Keyphrases
from kpframe.ranking._features import TrainingCounts, describe, feature_matrix
from kpframe.ranking._labels import label, stemmed
from kpframe.ranking._prediction import strictly_descending
from kpframe.ranking.kea import Kea
from kpframe.stages.registry import lookup

ROOT = Path(__file__).resolve().parents[2]
DATA = (ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets")).resolve()


def stems(surface: str) -> str:
    """Kea's identity of phrases."""
    return " ".join(stem(word.casefold()) for word in surface.split())


TRAINING = [
    candidates(
        "red kites soar above red kites", "weather today", longest=2, gold=["red kite"], id="1", key=stems
    ),
    candidates(
        "grey herons wade", "the weather near grey herons", longest=2, gold=["grey heron"], id="2", key=stems
    ),
    candidates(
        "white storks nest", "weather for white storks", longest=2, gold=["white stork"], id="3", key=stems
    ),
    candidates(
        "black swans swim", "weather and black swans", longest=2, gold=["black swan"], id="4", key=stems
    ),
]
NEW = candidates(
    "sea eagles dive",
    "weather over sea eagles , weather again",
    longest=2,
    without=",",
    id="5",
    key=stems,
)


def trained(made: list[Candidates] = TRAINING, **settings: Any) -> dict[str, Any]:
    """The state after training, as it is read back from JSON."""
    ranking = Kea(**settings)
    state: dict[str, Any] = json.loads(json.dumps(ranking.fit(ranking.observe(c) for c in made)))
    return state


def rank(target: Candidates = NEW, state: dict[str, Any] | None = None, **settings: Any) -> Keyphrases:
    """Rank by a trained Kea."""
    ranking = Kea(**settings)
    return ranking.restore(trained() if state is None else state).rank(target)


def test_early_and_frequent_phrases_win() -> None:
    """What recurs in one document and not in the others; the weather stands in all."""
    ranked = rank()
    assert keys(ranked)[0] == "sea eagl"
    assert ranked.surfaces[0] == "sea eagles"
    assert "weather" not in keys(ranked)[:3]


def test_scores_are_probabilities() -> None:
    """Between 0 and 1, and the probability that Naive Bayes gives, to 1e-9."""
    state = trained()
    ranked = rank(state=state, subphrases="keep")
    negatives, positives = state["naive_bayes"]["classes"]
    odds = (positives + 1) / (negatives + 1)
    for no, yes in state["naive_bayes"]["bins"]:
        best = max((y + 1) / (n + 1) for n, y in zip(no, yes, strict=True))
        odds *= best * (negatives + len(no)) / (positives + len(yes))
    assert ranked.entries[0].score == pytest.approx(odds / (1 + odds), abs=1e-9)
    assert all(0 < entry.score < 1 for entry in ranked)


def test_training_leaves_the_document_out_of_its_own_counts() -> None:
    """Of 4 documents, a key in this one alone has log2(4/1) while training, log2(5/2) afterwards."""
    made = candidates("a b c d")
    described = describe(made, ("tfidf", "first_position"), None)
    counts = TrainingCounts(4, {"a": 1, "b": 4, "c": 2, "d": 1}, {})
    own = feature_matrix(described, ("tfidf", "first_position"), counts, own_gold=())
    assert own[:, 0].tolist() == pytest.approx([0.5, 0.0, 0.25, 0.5])
    later = feature_matrix(described, ("tfidf", "first_position"), counts)
    assert later[:, 0].tolist() == pytest.approx([math.log2(5 / df) / 4 for df in (2, 5, 3, 2)])
    assert own[:, 1].tolist() == [0.0, 0.25, 0.5, 0.75]


def test_a_phrase_of_no_training_document_has_the_greatest_idf() -> None:
    """log2((N + 1) / 1)."""
    counts = TrainingCounts(3, {}, {})
    matrix = feature_matrix(describe(candidates("new"), ("tfidf",), None), ("tfidf",), counts)
    assert matrix.tolist() == [[2.0]]


def test_document_frequencies_count_candidates_of_documents_with_gold() -> None:
    """Each document once."""
    assert trained()["df"]["weather"] == 4
    assert trained()["documents"] == 4


def test_a_candidate_equal_to_a_stemmed_gold_is_positive() -> None:
    """By its most frequent form; case and number do not matter."""
    forms = [stemmed(surface, "porter") for surface in ("Red  Kites", "kite", "soar")]
    labels = label(forms, [Gold(("red kite",)), Gold(("absent",))], "porter")
    assert labels.positive == (True, False, False)
    assert (labels.reached, labels.gold) == (1, 2)


def test_two_candidates_cannot_both_claim_a_gold() -> None:
    """The first in the text has it; also through variants."""
    labels = label(["kite", "glede", "kite"], [Gold(("kites", "glede"))], "porter")
    assert labels.positive == (True, False, False)


def test_gold_that_is_equal_after_stemming_counts_once() -> None:
    """As where author and reader assign it."""
    labels = label(["kite"], [Gold(("kite",), "author"), Gold(("Kites",), "reader")], "porter")
    assert (labels.reached, labels.gold) == (1, 1)


def test_without_stemming_only_the_folded_form_counts() -> None:
    """stem: casefold."""
    assert label(["kites"], [Gold(("Kites",))], "casefold").positive == (True,)
    assert label(["kites"], [Gold(("kite",))], "casefold").positive == (False,)


def test_training_reports_how_many_gold_keyphrases_it_can_reach(caplog: pytest.LogCaptureFixture) -> None:
    """In the log and in the state; documents without gold are counted apart."""
    extra = candidates("grey seals", longest=2, gold=["grey seal", "elsewhere"], id="6", key=stems)
    with caplog.at_level(logging.INFO, logger="kpframe.ranking"):
        state = trained([*TRAINING, extra, candidates("no gold here")])
    assert caplog.messages == ["training: candidates reach 5 of 6 gold keyphrases (83.3 %) in 5 documents"]
    assert state["reach"] == {"reached": 5, "gold": 6, "documents": 5, "without_gold": 1}


def test_documents_without_gold_are_ignored() -> None:
    """Also in the document frequencies."""
    with_extra = trained([*TRAINING, candidates("weather without gold")])
    assert {**with_extra, "reach": None} == {**trained(), "reach": None}


def test_training_without_any_gold_is_refused() -> None:
    """Say so instead of learning that nothing is a keyphrase."""
    with pytest.raises(StageError) as caught:
        trained([candidates("a"), candidates("b")])
    assert str(caught.value) == (
        "training: none of the 2 training documents has gold keyphrases; "
        "train on documents with gold keyphrases"
    )


def test_training_that_reaches_no_gold_is_refused() -> None:
    """With what may help."""
    with pytest.raises(StageError) as caught:
        trained([candidates("a b", gold=["x"]), candidates("c", gold=["y", "z"])])
    assert str(caught.value) == (
        "training: no candidate equals any of the 3 gold keyphrases in 2 training documents; "
        "check that the gold belongs to these texts, allow longer candidates, or lower the "
        "selection's min_frequency"
    )


def test_how_often_a_candidate_must_occur_is_said_in_one_place() -> None:
    """By the selection alone: everything that it gives is learned from and ranked."""
    assert "min_count" not in Kea.model_fields
    assert set(keys(rank(subphrases="keep"))) == set(NEW.keys)


def test_equal_probabilities_are_ordered_by_tfidf_then_place() -> None:
    """All words of a text whose features fall into the same bins."""
    state = trained()
    state["cuts"] = {"tfidf": [], "first_position": []}
    state["naive_bayes"] = {"classes": [9, 1], "bins": [[[9], [1]], [[9], [1]]]}
    state["df"] = {"often": 4, "seldom": 1}
    ranked = rank(candidates("often seldom new newer new often"), state=state)
    assert keys(ranked) == ["new", "newer", "seldom", "often"]
    assert [entry.score for entry in ranked] == pytest.approx([2 / 12] * 4, abs=1e-9)
    assert len({entry.score for entry in ranked}) == 4


def test_the_least_differences_keep_the_order_of_equals() -> None:
    """Strictly descending, within 1e-9, below 1, also at 0 and at 1."""
    given = [1.0] * 400 + [0.25] * 3 + [math.nextafter(0.25, 0)] * 2 + [0.0] * 300
    found = strictly_descending(given)
    assert all(high > low for high, low in pairwise(found))
    assert found == pytest.approx(given, abs=2e-9)
    assert found[0] < 1
    assert found[-1] == 0.0
    assert strictly_descending([]) == []
    assert strictly_descending([0.7, 0.2]) == [0.7, 0.2]


def test_parts_of_a_better_phrase_are_dropped_or_kept() -> None:
    """Kea 3.0 drops them; "sea" and "eagl" are parts of "sea eagl"."""
    dropped, kept = keys(rank(subphrases="drop")), keys(rank(subphrases="keep"))
    assert {"sea", "eagl"} <= set(kept)
    assert not {"sea", "eagl"} & set(dropped)
    assert set(dropped) < set(kept)


def test_parts_are_whole_tokens_and_dropped_phrases_count_too() -> None:
    """ "a b" goes because of "x a b", and "a" because of either, but "b" ranked first stays, as does "ax"."""
    made = candidates("b", "x a b", "ax", places=[(0, 1), (1, 4), (2, 4), (2, 3), (4, 5)])
    state = trained()
    state["cuts"] = {"tfidf": [], "first_position": []}
    state["naive_bayes"] = {"classes": [9, 1], "bins": [[[9], [1]], [[9], [1]]]}
    state["df"] = {"a": 2, "a b": 1, "ax": 3}
    assert keys(rank(made, state=state, subphrases="keep")) == ["b", "x a b", "a b", "a", "ax"]
    assert keys(rank(made, state=state, subphrases="drop")) == ["b", "x a b", "ax"]


def test_a_part_tied_in_everything_is_dropped() -> None:
    """ "sea" and "sea eagle" begin together and are equally rare: the part goes, though it comes first."""
    state = trained()
    state["df"] = {}
    made = candidates("sea eagle", longest=2)
    assert keys(rank(made, state=state, subphrases="keep")) == ["sea", "sea eagle", "eagle"]
    assert keys(rank(made, state=state, subphrases="drop")) == ["sea eagle"]


def test_how_to_rank_is_never_frozen_into_the_model() -> None:
    """One fit serves both settings of subphrases, and no limit is stored: all candidates are ranked."""
    selection = lookup("candidates", "ngrams")()
    drop, keep = Kea(subphrases="drop"), Kea(subphrases="keep")
    assert drop.fit_identity(selection) == keep.fit_identity(selection)
    assert trained(subphrases="drop") == trained(subphrases="keep")
    assert "subphrases" not in json.dumps(trained())
    assert len(rank(state=trained(subphrases="drop"), subphrases="keep")) == len(NEW)


def test_what_training_depends_on_is_part_of_its_identity() -> None:
    """The candidates, how often they must occur, and the stemming of labels."""
    ngrams, longer = lookup("candidates", "ngrams")(), lookup("candidates", "ngrams")(max=4)
    identities = [
        Kea().fit_identity(ngrams),
        Kea().fit_identity(longer),
        Kea().fit_identity(lookup("candidates", "ngrams")(min_frequency=2)),
        Kea(stem="snowball").fit_identity(ngrams),
    ]
    assert len({json.dumps(identity, sort_keys=True) for identity in identities}) == 4


def test_ranking_before_training_is_refused() -> None:
    """With the two ways out."""
    with pytest.raises(StageError) as caught:
        Kea().rank(NEW)
    assert str(caught.value) == (
        "ranking: kea: has not been trained; train it on documents with gold, or give a model"
    )


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_saved_model_needs_no_training(tmp_path: Path, wrapped: bool) -> None:
    """The state alone, or the file of a trained pipeline that holds it."""
    path = tmp_path / "kea.json"
    path.write_text(json.dumps({"state": trained()} if wrapped else trained()), encoding="utf-8")
    ranking = Kea(model=str(path))
    assert ranking.fits_on() == ""
    assert list(ranking.problems(["en"])) == []
    assert scores(ranking.rank(NEW)) == scores(rank())


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"kind": "classifier"}', '{"state": 3}'])
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, content: str) -> None:
    """By the check, and again when it is used."""
    path = tmp_path / "kea.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ResourceError) as caught:
        Kea(model=str(path)).rank(NEW)
    assert str(caught.value) == (f"{path}: is no trained Kea model; give a file that `kpframe train` wrote")
    assert list(Kea(model=str(path)).problems([])) == [
        ("model", f"{path}: is no trained Kea model", "give a file that `kpframe train` wrote")
    ]


def test_a_missing_model_is_found_by_the_check() -> None:
    """File and resource alike."""
    ((_, problem, _),) = Kea(model="/no/such.json").problems([])
    assert problem.startswith("/no/such.json: cannot be read")
    ((_, problem, _),) = Kea(resource="no/such").problems([])
    assert problem == "resource 'no/such': is not shipped"
    with pytest.raises(SpecError, match="give either model or resource"):
        Kea(model="a", resource="b")


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2]])
def test_the_order_of_training_documents_does_not_matter(order: list[int]) -> None:
    """The same counts, cuts and scores."""
    assert scores(rank(state=trained([TRAINING[i] for i in order]))) == scores(rank())


@pytest.mark.skipif(
    not (DATA / "Hulth2003.tar.gz").exists(), reason=f"Hulth2003.tar.gz is not in {DATA} (KPFRAME_DATA)"
)
@pytest.mark.slow
def test_kea_beats_chance_on_abstracts() -> None:
    """150 abstracts of Inspec: two thirds train, and the rest is ranked several times better than chance."""
    reader = lookup("documents", "hulth2003")(path=str(DATA / "Hulth2003.tar.gz"))
    annotator = lookup("preprocessing", "simple")()
    selection = lookup("candidates", "ngrams")(stopwords=("en",), stem="porter")
    read = (document for document in reader.read() if isinstance(document, Document))
    documents = [document for _, document in zip(range(150), read, strict=False)]
    made = [selection.select(document, annotator.annotate(document, None)) for document in documents]
    state = trained(made[:100])
    assert 0.6 < state["reach"]["reached"] / state["reach"]["gold"] < 0.85
    ranker, chance = Kea().restore(state), lookup("ranking", "random")()
    kea_hits = sum(_hits(ranker.rank(target)) for target in made[100:])
    chance_hits = sum(_hits(chance.rank(target)) for target in made[100:])
    assert kea_hits > 2 * chance_hits > 0


def _hits(ranked: Keyphrases) -> int:
    gold = {stemmed(g.text, "porter") for g in ranked.document.gold}
    return len(gold.intersection(stemmed(surface, "porter") for surface in ranked.surfaces[: len(gold)]))
