"""What holds of every selection on every text."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from annotated_texts import annotated, select
from families import every
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.candidates.lemmas import Lemmas
from kpframe.candidates.named_entities import NamedEntities
from kpframe.candidates.ngrams import NGrams
from kpframe.candidates.noun_phrases import NounPhrases
from kpframe.candidates.pos_pattern import PosPattern
from kpframe.candidates.tokens import Tokens
from kpframe.candidates.vocabulary import Vocabulary
from kpframe.language.words import is_wordlike, token_spans
from kpframe.model import Annotations

pytestmark = pytest.mark.slow

WORDS = [
    "the", "The", "cat", "cats", "of", "CO2", "COVID-19", "don't", "user’s", "12", "two", "red", "NASA",
    "Paris", ".", ",", "--", "?", "http://ex.org", "état", "ﬁn", "ß", "机器", "n't", "“", "😀",
]  # fmt: skip
SPACES = [" ", "  ", "\n", "\n\n", "\t", "\u00a0"]
TAGS = ["NN", "NNS", "NNP", "JJ", "DT", "IN", "VBZ", "PRP", "CD", "CC", "POS", "RB"]

SLICES = [
    Tokens(),
    Tokens(pos=["noun", "adjective"], min_frequency=2),
    Lemmas(),
    NGrams(max=4),
    NGrams(stopwords=["en"], stem="porter", numbers="boundary", drop_single_proper_nouns=True),
    NounPhrases(),
    NounPhrases(determiners="keep"),
    NamedEntities(),
    PosPattern(),
    PosPattern(preset="kim2010"),
    PosPattern(preset="dkpro"),
]
LISTED = [
    Vocabulary(
        terms={"felis": ["cat", "red cat"], "carbon dioxide": ["CO2"], "two cats": ["the"]}, match="stem"
    ),
    Vocabulary(terms=["Cat", "état", "12"], overlap="all", min_characters=3),
]


@st.composite
def texts(draw: st.DrawFn) -> Annotations:
    """A text of odd words, with layers of random tags, sentences, chunks and entities."""
    pairs = draw(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SPACES)), max_size=25))
    text = "".join(word + space for word, space in pairs)
    count = len(token_spans(text))
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=count, max_size=count))
    cuts = sorted({0, count, *draw(st.lists(st.integers(0, count), max_size=4))})
    sentences = list(pairwise(cuts))
    chunks = [(b, e) for b, e in sentences if draw(st.booleans())]
    lemmas = [text[b:e].lower().rstrip("s") or "s" for b, e in token_spans(text)]
    return annotated(
        text,
        tags=" ".join(tags),
        lemmas=" ".join(lemmas),
        sentences=sentences,
        chunks=chunks,
        entities=[(b, e, "ORG") for b, e in chunks],
    )


def names(stages):
    return [f"{stage.kind}-{number}" for number, stage in enumerate(stages)]


@pytest.mark.parametrize("stage", SLICES + LISTED, ids=names(SLICES + LISTED))
@settings(max_examples=25, deadline=None)
@given(text=texts())
def test_candidates_are_distinct_contiguous_and_in_order(stage, text):
    """Distinct keys, sorted places inside one sentence, words at both ends, twice the same."""
    found = select(stage, text)
    assert len(set(found.keys)) == len(found.keys) == len(found.surfaces) == len(set(found.owners))
    assert list(found.places) == sorted(set(found.places))
    assert list(dict.fromkeys(found.owners)) == list(range(len(found.keys)))
    words = text.strings(text.words)
    for begin, end in found.places:
        assert 0 <= begin < end <= len(text)
        assert text.sentence_of[begin] == text.sentence_of[end - 1]
        assert is_wordlike(words[begin]) and is_wordlike(words[end - 1])
    again = select(stage, text.with_layers())
    assert (again.keys, again.surfaces, again.places) == (found.keys, found.surfaces, found.places)


@pytest.mark.parametrize("stage", SLICES, ids=names(SLICES))
@settings(max_examples=25, deadline=None)
@given(text=texts())
def test_surfaces_are_slices_of_the_text(stage, text):
    """Of one of the candidate's places, with white space squeezed."""
    found = select(stage, text)
    for surface, places in zip(found.surfaces, found.places_of, strict=True):
        begins = [" ".join(text.text[text.begins[b] : text.ends[e - 1]].split()) for b, e in places]
        assert surface in begins


@pytest.mark.parametrize("stage", LISTED, ids=names(LISTED))
@settings(max_examples=25, deadline=None)
@given(text=texts())
def test_a_vocabulary_yields_a_subset_of_itself(stage, text):
    """As the list spells its terms."""
    assert set(select(stage, text).surfaces) <= set(stage.terms)


@every("stage", SLICES + LISTED, ids=names(SLICES + LISTED))
def test_ids_of_the_vocabulary_do_not_matter(stage):
    """A text whose strings are numbered otherwise has the same candidates."""
    text = annotated(
        "The red cats saw Paris. CO2 of the cat!",
        tags="DT JJ NNS VBD NNP . NN IN DT NN .",
        lemmas="the red cat see paris . co2 of the cat !",
        chunks=[(0, 3), (4, 5), (6, 7), (8, 10)],
        entities=[(4, 5, "GPE")],
    )
    count = len(text.vocabulary)
    layers = ("words", "lemmas", "tags", "pos", "entity_labels")
    turned = {name: np.int32(count - 1) - getattr(text, name) for name in layers}
    other = text.with_layers(vocabulary=text.vocabulary[::-1], **turned)
    one, two = select(stage, text), select(stage, other)
    assert (one.keys, one.surfaces, one.places) == (two.keys, two.surfaces, two.places)


@every("stage", SLICES + LISTED, ids=names(SLICES + LISTED))
def test_a_text_without_tokens_has_no_candidates(stage):
    """Whatever layers are needed."""
    empty = annotated("", tags="", lemmas="", chunks=[], entities=[])
    assert len(select(stage, empty)) == 0


def test_every_parameter_is_described():
    """For editors and for `kpframe check`."""
    for stage in SLICES + LISTED:
        for name, field in type(stage).model_fields.items():
            assert field.description, (stage.kind, name)
