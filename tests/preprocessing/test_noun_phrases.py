"""Noun phrases by a grammar of parts of speech, and what `chunk` refuses."""

import numpy as np
import pytest

from kpframe.errors import SpecError, StageError
from kpframe.model import Annotations, Document
from kpframe.preprocessing.chunk import Chunk
from kpframe.preprocessing.pos import Pos
from kpframe.preprocessing.simple import Simple


def phrases(tagged: str, language: str = "en", **parameters: object) -> list[str]:
    """The chunks of a text given as word/POS or word/POS/TAG."""
    parts = [token.split("/") for token in tagged.split()]
    text = " ".join(part[0] for part in parts)
    made = Simple().annotate(Document("d", text), None)
    assert len(made) == len(parts)
    names = [*{name: None for part in parts for name in part[1:]}]
    size = len(made.vocabulary)
    layers = {"pos": np.array([size + names.index(part[1]) for part in parts], dtype=np.int32)}
    if len(parts[0]) == 3:
        layers["tags"] = np.array([size + names.index(part[2]) for part in parts], dtype=np.int32)
    made = made.with_layers(vocabulary=(*made.vocabulary, *names), **layers)
    stage = Chunk(method="grammar", **parameters)  # type: ignore[arg-type]
    done = stage.annotate(Document("d", text, language), made)
    assert done.chunks is not None
    return [done.surface(b, e) for b, e in done.chunks.tolist()]


def test_determiners_adjectives_numbers_and_nouns_form_a_phrase() -> None:
    """The longest run that ends in a noun."""
    tagged = (
        "the/DET very/ADV fast/ADJ 2/NUM Fourier/PROPN transforms/NOUN are/AUX nice/ADJ in/ADP Rome/PROPN"
    )
    assert phrases(tagged) == ["the very fast 2 Fourier transforms", "Rome"]


def test_participles_count_where_the_tags_tell_them() -> None:
    """A past participle before a noun, unless it belongs to a verb; a possessive joins."""
    tagged = "distributed/VERB/VBN systems/NOUN/NNS have/VERB/VBP shown/VERB/VBN results/NOUN/NNS"
    assert phrases(tagged) == ["distributed systems", "results"]
    assert phrases("Lob/PROPN/NNP s/PART/POS theorem/NOUN/NN") == ["Lob s theorem"]
    assert phrases("distributed/VERB systems/NOUN") == ["systems"]


def test_adjectives_may_follow_the_noun_in_romance_languages() -> None:
    """By default there, and not in English."""
    tagged = "le/DET modèle/NOUN probabiliste/ADJ de/ADP langue/NOUN"
    assert phrases(tagged, "fr") == ["le modèle probabiliste", "langue"]
    assert phrases(tagged, "en") == ["le modèle", "langue"]


def test_a_phrase_never_crosses_a_sentence_end() -> None:
    """Whatever the pattern."""
    assert phrases("red/ADJ ./PUNCT Kites/NOUN fly/NOUN", pattern=".+") == ["red .", "Kites fly"]


def test_a_pattern_of_ones_own() -> None:
    """Letters for parts of speech."""
    assert phrases("use/VERB of/ADP force/NOUN", pattern="NIN|N") == ["force"]
    assert phrases("use/NOUN of/ADP force/NOUN", pattern="N(?:I[DA]*N)?") == ["use of force"]
    assert phrases("use/NOUN of/ADP force/NOUN", pattern="A*") == []


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("N(", "is no regular expression"),
        ("NQ+", "Q stands for no part of speech"),
        ("noun", "n, o, u stands"),
    ],
)
def test_a_bad_pattern_is_refused(pattern: str, message: str) -> None:
    """When the spec is read."""
    with pytest.raises(SpecError, match=message):
        Chunk(method="grammar", pattern=pattern)


def test_the_grammar_needs_parts_of_speech() -> None:
    """And says so."""
    stage = Chunk(method="grammar")
    assert stage.requires() == {"tokens", "pos"}
    assert stage.engine("en") == "" and Chunk().engine("en") == "spacy"
    document = Document("d", "Red kites soar.")
    [error] = stage.run([stage], [document], [Simple().annotate(document, None)])
    assert isinstance(error, StageError)


def test_the_grammar_runs_after_the_pass_document_by_document() -> None:
    """In the order of the documents."""
    documents = [Document("a", "Red kites soar."), Document("b", ""), Document("c", "Rome")]
    known = [made for made in Pos().run([Pos()], documents, [None] * 3) if isinstance(made, Annotations)]
    stage = Chunk(method="grammar")
    made = [one for one in stage.run([stage], documents, known) if isinstance(one, Annotations)]
    assert [[one.surface(b, e) for b, e in one.chunks.tolist()] for one in made] == [
        ["Red kites"],
        [],
        ["Rome"],
    ]


def test_the_parser_is_refused_for_languages_without_noun_chunks() -> None:
    """Naming the alternative."""
    assert list(Chunk().problems(["ru"])) == [
        ("method", "spaCy finds no noun chunks in language 'ru'", "use method: grammar"),
        (
            "model",
            "language model 'ru' is not installed",
            "install it with: python -m spacy download ru_core_news_sm",
        ),
    ]
    assert list(Chunk(method="grammar").problems(["ru"])) == []
    assert list(Chunk().problems(["en"])) == []


def test_parameters_without_effect_are_refused() -> None:
    """A pattern for the parser, a model for the grammar."""
    assert list(Chunk(pattern="N").problems(["en"])) == [
        ("pattern", "has no effect with method: parser", "set method: grammar")
    ]
    assert list(Chunk(method="grammar", model="en").problems(["en"])) == [
        ("model", "has no effect with method: grammar", "leave it out, or name it in pos")
    ]


def test_the_identity_of_the_grammar_names_no_model() -> None:
    """It reads layers only."""
    assert "models" not in Chunk(method="grammar").identity(["en"])
    assert "models" in Chunk().identity(["en"])
