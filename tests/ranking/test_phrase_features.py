"""Features of the form of a phrase, and those of WINGNUS beside pke's."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import pytest
from published_rows import SETS, originals, ranked
from ranking_texts import candidates

from kpframe.model import Candidates
from kpframe.ranking._features import Description, TrainingCounts, describe, feature_matrix
from kpframe.ranking._phrase_forms import ENDINGS, PATTERNS, ending, is_acronym, pattern
from kpframe.ranking.classifier import Classifier

_PASSED_OVER = {"other", "larg", "side", "same", "name", "third", "top", "sever", "just-in-tim"}
"""First stems of the phrases of which pke does not count every part."""

WINGNUS = {
    "tf": "tf",
    "first_position": "first_occurrence",
    "last_position": "last_occurrence",
    "length": "length",
}


def test_each_sequence_of_classes_has_its_number() -> None:
    """Names and nouns are one class; what is longer than three tokens is one pattern."""
    assert pattern(["ADJ", "NOUN"]) == pattern(["ADJ", "PROPN"]) != pattern(["NOUN", "ADJ"])
    assert pattern(["NOUN"] * 4) == pattern(["ADJ"] * 5) == 0
    classes = ("NOUN", "ADJ", "VERB", "ADP", "X")
    every = {
        pattern(tags) for a in classes for b in classes for c in classes for tags in ([a], [a, b], [a, b, c])
    }
    assert every == set(range(1, PATTERNS))


@pytest.mark.parametrize(
    ("word", "like"),
    [("evaluation", "Versions"), ("densities", "density"), ("network", "graph"), ("sing", "king"), ("", "a")],
)
def test_words_with_the_same_ending_are_alike(word: str, like: str) -> None:
    """Singular and plural too; an ending must leave two letters."""
    assert ending(word) == ending(like) < ENDINGS
    assert ending("evaluation") != ending("density") != ending("network") == 0


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("HTTP", True),
        ("SVMs", True),
        ("COVID-19", True),
        ("A", False),
        ("As", False),
        ("Http", False),
        ("42", False),
    ],
)
def test_an_acronym_is_in_capitals(word: str, expected: bool) -> None:
    """Two letters at least."""
    assert is_acronym(word) is expected


def test_parts_of_a_candidate_are_counted() -> None:
    """For "a b c": a 2, b 1, c 1, "a b" 1, "b c" 1; for "a" nothing."""
    made = candidates("a b c", "a", longest=3)
    found = describe(made, ("parts_tf",), None).columns["parts_tf"].tolist()
    assert dict(zip(made.keys, found, strict=True)) == {
        "a": 0.0, "b": 0.0, "c": 0.0, "a b": 3.0, "b c": 2.0, "a b c": 6.0,
    }  # fmt: skip


def test_parts_of_speech_are_asked_for_where_they_are_read() -> None:
    """And nowhere else."""
    assert Classifier(features=("pos_sequence",)).requires() == {"pos"}
    assert Classifier(features=("ending", "acronym")).requires() == frozenset()


def described(texts: str, features: tuple[str, ...]) -> Iterator[tuple[str, Candidates, Description, Any]]:
    """Id, candidates, our features and pke's entries of each document of a set."""
    expected = originals("pke.wingnus-features.stems", texts)
    if not expected:
        pytest.skip(f"no features of {texts} in {SETS[texts]}")
    for name, keyphrases in ranked("pke.wingnus-features.stems", texts).items():
        places = sorted(place for entry in keyphrases for place in entry.places)
        key_of = {place: entry.key for entry in keyphrases for place in entry.places}
        made = Candidates.build(keyphrases.document, keyphrases.annotations, places, key=key_of.__getitem__)
        yield name, made, describe(made, features, None), expected[name]["ranked"]  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("texts", SETS)
def test_the_features_of_wingnus_are_those_of_pke(texts: str) -> None:
    """Occurrences, places and length of the phrases that its spec selects."""
    for name, made, found, entries in described(texts, tuple(WINGNUS)):
        rows = {key: number for number, key in enumerate(made.keys)}
        for entry in entries:
            for ours, theirs in WINGNUS.items():
                value = found.columns[ours][rows[entry["key"]]]
                assert value == pytest.approx(entry["features"][theirs]), (name, entry["key"], ours)


@pytest.mark.slow
@pytest.mark.parametrize("texts", SETS)
def test_tfidf_of_wingnus_is_that_of_pke(texts: str) -> None:
    """With pke's document frequencies; its tf is a number of occurrences, ours their share of the tokens."""
    table = SETS[texts] / f"df.stemming.{texts}.tsv.gz"
    if not table.exists():
        pytest.skip(f"no {table.name}")
    with gzip.open(table, "rt", encoding="utf-8") as lines:
        df = {key: int(count) for key, count in (line.rstrip("\n").split("\t") for line in lines)}
    counts = TrainingCounts(df.pop("--NB_DOC--"), df, {})
    for name, made, found, entries in described(texts, ()):
        ours = feature_matrix(found, ("tfidf",), counts)[:, 0] * len(made.annotations)
        value = dict(zip(made.keys, ours.tolist(), strict=True))
        for entry in entries:
            assert value[entry["key"]] == pytest.approx(entry["features"]["tfidf"], rel=1e-12), name


@pytest.mark.slow
@pytest.mark.parametrize("texts", SETS)
def test_parts_of_phrases_are_those_of_pke_but_for_its_habits(texts: str) -> None:
    """It passes over parts with a stop word ("other" of "other region") and those right behind the phrase."""
    equal, habits = 0, 0
    for name, made, found, entries in described(texts, ("parts_tf",)):
        ours = dict(zip(made.keys, found.columns["parts_tf"], strict=True))
        for entry in entries:
            theirs = entry["features"]["tf_of_substrings"]
            if ours[entry["key"]] == theirs:
                equal += 1
                continue
            habits += 1
            assert ours[entry["key"]] > theirs, (name, entry["key"])
            assert entry["key"].split()[0] in _PASSED_OVER or "name" in entry["key"], (name, entry["key"])
    assert 0 < habits < 0.005 * equal
