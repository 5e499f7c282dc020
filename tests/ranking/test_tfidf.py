"""tf.idf of tokens and of candidates."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from ranking_texts import candidates, keys, scores

from kpframe.errors import ResourceError, SpecError, StageError
from kpframe.model import Candidates
from kpframe.ranking.tfidf import TfIdf
from kpframe.stages.registry import lookup

LN2, LN3 = math.log(2), math.log(3)


def ranked(target: Candidates, collection: list[Candidates], **settings: Any) -> dict[str, float]:
    """The scores of `target` with frequencies from `collection`, through a state in JSON."""
    ranking = TfIdf(**settings)
    state = ranking.fit(ranking.observe(made) for made in collection)
    return scores(ranking.restore(json.loads(json.dumps(state))).rank(target))


def test_tf_times_the_logarithm_of_inverse_df() -> None:
    """Of two documents, red stands in one and twice there, kite in both."""
    first, second = candidates("red kite red"), candidates("blue kite")
    assert ranked(first, [first, second]) == pytest.approx({"red": 2 * LN2, "kite": 0.0})


def test_a_token_counts_wherever_it_stands() -> None:
    """tf runs over the text, not over the candidates' places."""
    first, second = candidates("red kite red", places=[(0, 1)]), candidates("blue")
    assert ranked(first, [first, second]) == pytest.approx({"red": 2 * LN2})


@pytest.mark.parametrize(("combine", "one", "two"), [("max", 10, 5), ("mean", 6, 4.5), ("sum", 18, 9)])
def test_a_candidate_combines_its_tokens(combine: str, one: float, two: float) -> None:
    """algorithms.md, section 2, ten times: (10, 5, 3) and (4, 5) give 10 and 5, on average 6 and 4.5."""
    often = {"a": 9, "b": 4, "c": 2, "d": 3, "e": 4}
    rest = " ".join(" ".join([token] * times) for token, times in often.items())
    made = candidates("a b c", "d e", rest, places=[(0, 3), (3, 5)])
    found = scores(TfIdf(combine=combine, idf={"from": "none"}).rank(made))
    assert found == {"a b c": one, "d e": two}


def test_a_key_of_several_forms_takes_its_best_place() -> None:
    """The stem net stands for net (once) and nets (twice)."""
    made = candidates("net nets nets", key=lambda surface: surface.rstrip("s"))
    assert scores(TfIdf(idf={"from": "none"}).rank(made)) == {"net": 2.0}


@pytest.mark.parametrize(("tf", "weight"), [("raw", 3.0), ("log", 1 + LN3), ("binary", 1.0)])
def test_tf_may_be_damped(tf: str, weight: float) -> None:
    """Three occurrences."""
    assert scores(TfIdf(tf=tf, idf={"from": "none"}).rank(candidates("a a a")))["a"] == pytest.approx(weight)


def test_a_collection_of_one_document_gives_zero_in_the_order_of_the_text() -> None:
    """ln(1 / 1) for every token: finite, and documented."""
    made = candidates("b a c a")
    ranking = TfIdf()
    result = ranking.restore(ranking.fit([ranking.observe(made)])).rank(made)
    assert [(entry.key, entry.score) for entry in result] == [("b", 0.0), ("a", 0.0), ("c", 0.0)]


def test_a_term_in_every_document_has_zero_and_a_term_in_none_counts_as_in_one() -> None:
    """idf is finite and never negative."""
    collection = [candidates("all x"), candidates("all y"), candidates("all z")]
    found = ranked(candidates("all x unseen"), collection)
    assert found == pytest.approx({"all": 0.0, "x": LN3, "unseen": LN3})


def test_smoothed_idf_is_never_zero() -> None:
    """ln(4 / 4) + 1 in all, ln(4 / 2) + 1 in one, ln(4 / 1) + 1 in none of three documents."""
    collection = [candidates("all x"), candidates("all y"), candidates("all z")]
    found = ranked(candidates("all x unseen"), collection, idf={"form": "smooth"})
    assert found == pytest.approx({"all": 1.0, "x": 1 + LN2, "unseen": 1 + 2 * LN2})


def test_smoothed_idf_is_that_of_scikit_learn() -> None:
    """TfidfVectorizer with its defaults has the same idf."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = ["all x", "all y x", "all z z"]
    ranking = TfIdf(idf={"form": "smooth"})
    state = ranking.fit(ranking.observe(candidates(text)) for text in texts)
    found = scores(ranking.restore(state).rank(candidates("all x y z")))
    fitted = TfidfVectorizer(token_pattern=r"\S+").fit(texts)
    expected = dict(zip(fitted.get_feature_names_out(), fitted.idf_, strict=True))
    assert found == pytest.approx(expected)


def test_an_observation_has_each_token_once_in_order() -> None:
    """Folded, so that the case of a heading does not matter."""
    assert TfIdf().observe(candidates("Kite red kite", places=[])) == ["kite", "red"]


def test_the_state_counts_documents() -> None:
    """Plain JSON values."""
    ranking = TfIdf()
    state = ranking.fit(iter([["a", "b"], ["a"], []]))
    assert state == {"documents": 3, "df": {"a": 2, "b": 1}}


def test_all_selections_of_one_level_share_a_fit() -> None:
    """Also rankings that differ only in how they use the frequencies."""
    tokens, ngrams = lookup("candidates", "tokens")(), lookup("candidates", "ngrams")(max=2)
    lemmas = lookup("candidates", "lemmas")()
    assert TfIdf().fit_identity(tokens) == TfIdf(combine="sum", tf="log").fit_identity(ngrams)
    assert TfIdf().fit_identity(tokens) != TfIdf().fit_identity(lemmas)
    assert TfIdf().fit_identity(tokens) != TfIdf(idf={"from": "training"}).fit_identity(tokens)


@pytest.mark.parametrize(
    ("source", "fits_on"), [("collection", "collection"), ("training", "training"), ("none", "")]
)
def test_frequencies_come_from_the_collection_or_its_training_part(source: str, fits_on: str) -> None:
    """Or from nowhere."""
    assert TfIdf(idf={"from": source}).fits_on() == fits_on


def test_ranking_before_counting_is_refused() -> None:
    """With the two ways out."""
    with pytest.raises(StageError) as caught:
        TfIdf().rank(candidates("a"))
    assert str(caught.value) == (
        "ranking: tfidf: has no document frequencies yet; "
        "fit it on the collection, or set idf to {from: file, …} or {from: none}"
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("df.json", '{"documents": 4, "df": {"Kite": 2, "kite": 1, "red": 4}}'),
        ("df.tsv", "#documents\t4\nKite\t2\nkite\t1\n\nred\t4\n"),
    ],
)
def test_frequencies_may_come_from_a_file(tmp_path: Path, name: str, content: str) -> None:
    """JSON or rows; tokens are folded and the greater of two counts is taken."""
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    ranking = TfIdf(idf={"from": "file", "path": str(path)})
    assert ranking.fits_on() == ""
    assert list(ranking.problems(["en"])) == []
    found = scores(ranking.rank(candidates("red kite new")))
    assert found == pytest.approx({"kite": LN2, "red": 0.0, "new": 2 * LN2})


def test_a_saved_state_is_such_a_file(tmp_path: Path) -> None:
    """What one collection taught can rank documents of another."""
    ranking = TfIdf()
    state = ranking.fit([["a", "b"], ["a"]])
    (tmp_path / "df.json").write_text(json.dumps(state), encoding="utf-8")
    reused = TfIdf(idf={"from": "file", "path": str(tmp_path / "df.json")})
    made = candidates("a b c")
    assert scores(reused.rank(made)) == scores(ranking.restore(state).rank(made))


def test_a_changed_file_is_read_again_and_has_another_identity(tmp_path: Path) -> None:
    """Also within one process."""
    import os

    path = tmp_path / "df.tsv"
    ranking = TfIdf(idf={"from": "file", "path": str(path)})
    path.write_text("#documents\t2\na\t1\n", encoding="utf-8")
    before = scores(ranking.rank(candidates("a"))), ranking.identity()
    path.write_text("#documents\t3\na\t1\n", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    after = scores(ranking.rank(candidates("a"))), ranking.identity()
    assert (before[0]["a"], after[0]["a"]) == pytest.approx((LN2, LN3))
    assert before[1] != after[1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\t1\n", ":1: does not say the number of documents; begin with the row #documents<TAB>N"),
        ("", ":1: does not say the number of documents; begin with the row #documents<TAB>N"),
        ("#documents\t2\na 1\n", ":2: is no row of a table; write token<TAB>number of documents"),
        ("#documents\t2\na\t-1\n", ":2: is no row of a table; write token<TAB>number of documents"),
        (
            "#documents\t2\na\t3\n",
            ":2: 3 documents with 'a'; the number must lie between 1 and the number of documents, 2",
        ),
        (
            '{"df": {}}',
            ': is no table of document frequencies; write {"documents": N, "df": {token: count}}',
        ),
    ],
)
def test_a_malformed_table_is_refused_by_its_line(tmp_path: Path, content: str, message: str) -> None:
    """Before any text is read, and again when it is used."""
    path = tmp_path / "df.tsv"
    path.write_text(content, encoding="utf-8")
    ranking = TfIdf(idf={"from": "file", "path": str(path)})
    with pytest.raises(ResourceError) as caught:
        ranking.rank(candidates("a"))
    assert str(caught.value) == f"{path}{message}"
    ((parameter, problem, remedy),) = ranking.problems(["en"])
    assert (parameter, f"{problem}; {remedy}") == ("idf", str(caught.value))


def test_a_missing_table_and_an_unknown_resource_are_found_by_the_check() -> None:
    """Both name what was asked for."""
    ((_, problem, _),) = TfIdf(idf={"from": "file", "path": "/no/such.tsv"}).problems([])
    assert problem.startswith("/no/such.tsv: cannot be read")
    ((_, problem, _),) = TfIdf(idf={"from": "file", "resource": "no/such"}).problems([])
    assert problem == "resource 'no/such': is not shipped"


@pytest.mark.parametrize(
    "idf",
    [
        {"from": "file"},
        {"from": "file", "path": "a", "resource": "b"},
        {"from": "collection", "path": "a"},
        {"from": "somewhere"},
        {"smoth": True},
    ],
)
def test_impossible_sources_are_refused(idf: dict[str, Any]) -> None:
    """On construction, without a look at the file system."""
    with pytest.raises(SpecError):
        TfIdf(idf=idf)


def test_the_spec_says_from() -> None:
    """As it was written, so that the resolved spec can be read again."""
    spec = TfIdf(idf={"from": "training"}).to_spec()
    assert spec["idf"]["from"] == "training"
    assert TfIdf(**{k: v for k, v in spec.items() if k != "kind"}) == TfIdf(idf={"from": "training"})


def test_the_best_token_decides_by_default() -> None:
    """Candidates with the same best token are equal and stand in the order of the text."""
    made = candidates("red kite kite", longest=2)
    assert keys(TfIdf(idf={"from": "none"}).rank(made)) == ["red kite", "kite", "kite kite", "red"]
