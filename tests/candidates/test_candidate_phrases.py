"""Noun phrases and named entities."""

from __future__ import annotations

import pytest
from annotated_texts import annotated, parsed, select, surfaces
from families import every

from kpframe.candidates.named_entities import NamedEntities
from kpframe.candidates.noun_phrases import NounPhrases
from kpframe.errors import StageError


def phrase(text: str, tags: str) -> list[str]:
    """The candidates of a chunk that is the whole text."""
    return surfaces(NounPhrases(), annotated(text, tags=tags, chunks=[(0, len(tags.split()))]))


@every(
    ("text", "tags", "expected"),
    [
        ("the systems", "DT NNS", ["systems"]),
        ("its own accuracy", "PRP$ JJ NN", ["accuracy"]),
        ("such a method", "JJ DT NN", ["method"]),
        ("each of the systems", "DT IN DT NNS", ["systems"]),
        ("all of mankind", "DT IN NN", ["mankind"]),
        ("each and every system", "DT CC DT NN", ["system"]),
        ("only a small part", "RB DT JJ NN", ["small part"]),
        ("a very large network", "DT RB JJ NN", ["very large network"]),
        ("two fast disks", "CD JJ NNS", ["fast disks"]),
        ("the two hundred students", "DT CD CD NNS", ["students"]),
        ("Two disks", "CD NNS", ["disks"]),
        ("802.11 networks", "CD NNS", ["802.11 networks"]),
        ("the S&P 500 index", "DT NNP CD NN", ["S&P 500 index"]),
        ("1 The method", "CD DT NN", ["method"]),
        ("it", "PRP", []),
        ("those", "DT", []),
        ("each of them", "DT IN PRP", []),
        ("two", "CD", []),
        ("...", ".", []),
        ("“the best” solution", "`` DT JJ '' NN", ["solution"]),
        ("(new models)", ". JJ NNS .", ["new models"]),
        ("John's old car", "NNP POS JJ NN", ["John's old car"]),
        ("the users'", "DT NNS POS", ["users"]),
        ("in vitro fertilization", "IN NN NN", ["in vitro fertilization"]),
    ],
)
def test_a_noun_phrase_begins_with_its_own_words(text, tags, expected):
    """What merely introduces a phrase is left off; a phrase of nothing else is none."""
    assert phrase(text, tags) == expected


def test_a_capitalised_number_inside_a_sentence_belongs_to_a_name():
    """ "Three Mile Island" stays whole where the capital is no sentence's beginning."""
    text = annotated("near Three Mile Island", tags="IN CD NNP NNP", chunks=[(1, 4)])
    assert surfaces(NounPhrases(), text) == ["Three Mile Island"]


def test_determiners_can_be_kept():
    """Then only punctuation and half quotes are left off, and no part of speech is needed."""
    text = annotated('"the best" model, it', chunks=[(0, 5), (6, 7)])
    assert surfaces(NounPhrases(determiners="keep"), text) == ["the best", "it"]
    assert NounPhrases(determiners="keep").requires() == {"chunks"}
    assert NounPhrases().requires() == {"chunks", "pos"}


def test_equal_phrases_are_one_candidate():
    """With and without determiner, in any case."""
    text = annotated("The car and a Car", tags="DT NN CC DT NN", chunks=[(0, 2), (3, 5)])
    found = select(NounPhrases(), text)
    assert found.keys == ("car",)
    assert found.places == ((1, 2), (4, 5))


def test_candidates_are_contiguous():
    """Never "car drive" out of "a car I drive"."""
    assert surfaces(NounPhrases(), parsed("This is a car I drive.")) == ["car"]


def test_noun_phrases_of_a_parsed_text():
    """With spaCy's chunks."""
    text = parsed("The method loses its own accuracy. Each of the systems has two fast disks.")
    assert surfaces(NounPhrases(), text) == ["method", "accuracy", "systems", "fast disks"]


def test_missing_chunks_are_told():
    """The error names the layer."""
    with pytest.raises(StageError, match=r"^annotations: no layer chunks; add the annotator to the spec$"):
        select(NounPhrases(determiners="keep"), annotated("a cat"))


ENTITIES = annotated(
    "the United Nations praised Annan's plan for Nepal in 1999",
    tags="DT NNP NNPS VBD NNP POS NN IN NNP IN CD",
    entities=[(0, 3, "ORG"), (4, 6, "PERSON"), (8, 9, "GPE"), (10, 11, "DATE")],
)


def test_all_entities_are_candidates():
    """Without determiners at the beginning and clitics at the end."""
    assert surfaces(NamedEntities(), ENTITIES) == ["United Nations", "Annan", "Nepal", "1999"]


def test_labels_restrict_the_entities():
    """Labels are those of the model."""
    assert surfaces(NamedEntities(labels=["ORG", "GPE"]), ENTITIES) == ["United Nations", "Nepal"]
    assert surfaces(NamedEntities(labels=["EVENT"]), ENTITIES) == []


def test_entities_can_keep_determiners():
    """Then no part of speech is needed."""
    stage = NamedEntities(determiners="keep", labels=["ORG"])
    assert surfaces(stage, ENTITIES) == ["the United Nations"]
    assert stage.requires() == {"entities"}
    assert NamedEntities().requires() == {"entities", "pos"}


def test_a_title_keeps_its_inner_words():
    """An entity is a name: prepositions and numbers at its beginning belong to it."""
    text = annotated("Over the Rainbow", tags="IN DT NNP", entities=[(0, 3, "WORK_OF_ART")])
    assert surfaces(NamedEntities(), text) == ["Over the Rainbow"]


def test_missing_entities_are_told():
    """The error names the layer."""
    with pytest.raises(StageError, match=r"^annotations: no layer entities; add the annotator to the spec$"):
        select(NamedEntities(determiners="keep"), annotated("a cat"))


@pytest.mark.parametrize("stage", [NounPhrases(), NamedEntities()])
def test_an_empty_text_has_no_phrases(stage):
    """No tokens, no candidates."""
    assert surfaces(stage, parsed("")) == []
    assert surfaces(stage, parsed("  \n\t ")) == []
