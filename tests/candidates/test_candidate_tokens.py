"""Tokens and lemmas as candidates, and the names of parts of speech."""

from __future__ import annotations

import pytest
from annotated_texts import annotated, parsed, select, surfaces
from families import every

from kpframe.candidates.lemmas import Lemmas
from kpframe.candidates.tokens import Tokens
from kpframe.errors import SpecError, StageError
from kpframe.language.parts_of_speech import CLASSES, parse
from kpframe.stages.registry import lookup

TAGGED = annotated(
    "Fast cars drive to Paris, and a red car waits .", tags="JJ NNS VBP TO NNP , CC DT JJ NN VBZ ."
)


def test_tokens_are_found_by_their_kind():
    """The kind is the name of the file."""
    assert lookup("candidates", "tokens") is Tokens
    assert lookup("candidates", "lemmas") is Lemmas


def test_every_word_is_a_candidate_once():
    """Words are grouped by their folded form, in order of first occurrence."""
    found = select(Tokens(), annotated("The cat saw the Cat, the CAT."))
    assert found.keys == ("the", "cat", "saw")
    assert found.surfaces == ("the", "cat", "saw")
    assert found.places == ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (6, 7), (7, 8))


@every(
    ("text", "expected"),
    [
        ("", []),
        ("  \n\t ", []),
        ("- . …", []),
        ("Nepal", ["Nepal"]),
        ("- not yet", ["not", "yet"]),
        ("A river.        . . . .", ["A", "river"]),
        ("well -- known -- fact", ["well", "known", "fact"]),
        ("Un  modèle   probabiliste", ["Un", "modèle", "probabiliste"]),
        ("See https://ex.org/a/b?c=d for data", ["See", "for", "data"]),
        ("Write to me@ex.org or www.ex.org", ["Write", "to", "or"]),
        ("»Neue Regeln« gelten", ["Neue", "Regeln", "gelten"]),
        ("A state-of-the-art end-of-life policy", ["A", "state-of-the-art", "end-of-life", "policy"]),
        ("COVID-19 and SARS-CoV-2", ["COVID-19", "and", "SARS-CoV-2"]),
        ("The S&P 500 index", ["The", "S&P", "500", "index"]),
        ("C++ and C# in 3.14 %", ["C++", "and", "C#", "in", "3.14"]),
        ("Saturday evening\nThe manager", ["Saturday", "evening", "The", "manager"]),
    ],
)
def test_only_words_and_numbers_are_candidates(text, expected):
    """Neither white space nor punctuation, dashes, URLs and addresses."""
    assert surfaces(Tokens(), annotated(text)) == expected


@pytest.mark.parametrize("mark", ["'", "’"])
def test_no_piece_of_a_contraction_is_a_candidate(mark):
    """Curly and straight apostrophes give the same; the noun before a possessive 's stays."""
    text = f"User{mark}s guide: don{mark}t panic, they{mark}re fine, can{mark}t lose"
    assert surfaces(Tokens(), annotated(text)) == ["User", "guide", "panic", "fine", "lose"]


def test_quotes_of_any_shape_give_the_same_candidates():
    """Typographic quotes are tokens of their own, like ASCII quotes."""
    curly = surfaces(Tokens(), annotated("User’s guide to “smart quotes”, don’t panic"))
    assert curly == surfaces(Tokens(), annotated("User's guide to \"smart quotes\", don't panic"))
    assert curly == ["User", "guide", "to", "smart", "quotes", "panic"]


def test_spacy_tokens_of_contractions_are_no_candidates():
    """spaCy splits "can't" into "ca" and "n't"; neither is a word."""
    assert surfaces(Tokens(), parsed("It can’t work, and don't panic.")) == ["It", "work", "and", "panic"]


@pytest.mark.parametrize(
    ("pos", "expected"),
    [
        (["noun"], ["cars", "Paris", "car"]),
        (["common_noun"], ["cars", "car"]),
        (["proper_noun"], ["Paris"]),
        (["propn"], ["Paris"]),
        (["noun", "adjective"], ["Fast", "cars", "Paris", "red", "car"]),
        (["verb"], ["drive", "waits"]),
        (["NNS"], ["cars"]),
        (["NN", "JJ"], ["Fast", "red", "car"]),
        (["number"], []),
    ],
)
def test_parts_of_speech_restrict_the_tokens(pos, expected):
    """Universal classes in lower case, where noun includes names, and Penn tags in upper case."""
    assert surfaces(Tokens(pos=pos), TAGGED) == expected


def test_auxiliaries_are_no_verbs():
    """The universal class AUX has a name of its own."""
    text = annotated("Birds can sing", tags="NNS MD VB")
    assert surfaces(Tokens(pos=["verb"]), text) == ["sing"]
    assert surfaces(Tokens(pos=["auxiliary"]), text) == ["can"]


def test_a_text_without_nouns_has_no_noun_candidates():
    """Nothing is found, and nothing breaks."""
    assert surfaces(Tokens(pos=["noun"]), annotated("Run quickly and jump.", tags="VB RB CC VB .")) == []


def test_only_the_layer_of_the_names_is_required():
    """Universal classes need `pos`, Penn tags need `tags`, no restriction needs neither."""
    assert Tokens().requires() == frozenset()
    assert Tokens(pos=["noun"]).requires() == {"pos"}
    assert Tokens(pos=["NN"]).requires() == {"tags"}
    assert Lemmas().requires() == {"lemmas"}
    assert Lemmas(pos=["noun"]).requires() == {"lemmas", "pos"}


def test_a_missing_layer_is_told():
    """The error names the layer."""
    with pytest.raises(StageError, match=r"^annotations: no layer pos; add the annotator to the spec$"):
        select(Tokens(pos=["noun"]), annotated("a cat"))
    with pytest.raises(StageError, match=r"^annotations: no layer lemmas; add the annotator to the spec$"):
        select(Lemmas(), annotated("a cat"))


@every(
    ("pos", "message"),
    [
        (["nuon"], "unknown part of speech 'nuon'; did you mean 'noun'?"),
        (["NOUN"], "unknown part of speech 'NOUN'; did you mean 'noun'?"),
        (["nns"], "unknown part of speech 'nns'; did you mean 'NNS'?"),
        (["Adj"], "unknown part of speech 'Adj'; did you mean 'adj'?"),
        (
            ["zzzzzz"],
            "unknown part of speech 'zzzzzz'; there are: noun, common_noun, proper_noun, adjective, verb, "
            "auxiliary, adverb, number, pronoun, determiner, preposition, adposition, conjunction, "
            "particle, interjection, other",
        ),
        ([], "name at least one part of speech, or write null for all"),
        (
            ["noun", "JJ"],
            "universal classes (lower case) and Penn tags (upper case) are mixed; use one of the two",
        ),
    ],
)
@every("kind", [Tokens, Lemmas])
def test_wrong_parts_of_speech_are_refused(kind, pos, message):
    """With a suggestion where there is one."""
    with pytest.raises(SpecError) as caught:
        kind(pos=pos)
    (found,) = caught.value.problems
    problem, _, remedy = message.partition("; ")
    assert found.problem.partition(" (given: ")[0] == problem
    assert found.remedy.startswith(remedy or "it means: ")


def test_all_universal_word_classes_have_a_name():
    """Nothing but punctuation, symbols and spaces is left out."""
    named = frozenset().union(*(parse((name,)).tags for name in CLASSES))
    assert " ".join(sorted(named)) == ("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN SCONJ VERB X")


def test_lemmas_join_the_forms_of_a_word():
    """The key is the lemma, what is shown is the most frequent form."""
    text = annotated(
        "Cars pass cars and a car passed",
        lemmas="car pass car and a car pass",
        tags="NNS VBP NNS CC DT NN VBD",
    )
    found = select(Lemmas(pos=["noun", "verb"]), text)
    assert found.keys == ("car", "pass")
    assert found.surfaces == ("Cars", "pass")
    assert found.places_of == [((0, 1), (2, 3), (5, 6)), ((1, 2), (6, 7))]
    assert found.level == "lemmas" == Lemmas().level()


def test_the_most_frequent_form_is_shown():
    """ "models" twice wins over "model" once, although "model" came first."""
    text = annotated("A model of models and models", lemmas="a model of model and model")
    assert select(Lemmas(), text).surfaces == ("A", "models", "of", "and")


def test_the_shared_filters_apply():
    """Frequency, length and first place, which every selection has."""
    text = annotated("to be or not to be, that is one question: to be")
    assert surfaces(Tokens(min_frequency=2), text) == ["to", "be"]
    assert surfaces(Tokens(min_characters=4), text) == ["that", "question"]
    assert surfaces(Tokens(first_within=3), text) == ["to", "be", "or"]


def test_parameters_survive_a_spec():
    """Dumped and rebuilt, a stage is the same."""
    stage = Tokens(pos=["noun", "adjective"], min_frequency=2)
    spec = stage.to_spec()
    assert spec["kind"] == "tokens" and spec["pos"] == ["noun", "adjective"]
    assert Tokens(**{name: value for name, value in spec.items() if name != "kind"}) == stage
