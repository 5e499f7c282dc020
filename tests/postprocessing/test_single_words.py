"""Single words only of certain parts of speech."""

from __future__ import annotations

import numpy as np
import pytest

from kpframe.model import Annotations, Document, Keyphrases, Ranked
from kpframe.postprocessing.single_words import SingleWords
from kpframe.preprocessing.simple import Simple

TAGS = "ADJ NOUN VERB ADJ NOUN ADJ"


def ranked(*places: tuple[tuple[int, int], ...]) -> Keyphrases:
    """Phrases of "red kites soar green energy green", best first."""
    document = Document("d", "red kites soar green energy green")
    made: Annotations = Simple().annotate(document, None)
    names = TAGS.split()
    vocabulary = (*made.vocabulary, *names)
    pos = np.array([len(made.vocabulary) + number for number in range(len(names))], dtype=np.int32)
    made = made.with_layers(vocabulary=vocabulary, pos=pos)
    entries = [
        Ranked(str(number), made.surface(*where[0]) if where else "label", 9.0 - number, where)
        for number, where in enumerate(places)
    ]
    return Keyphrases(document, made, tuple(entries))


def test_lone_adjectives_go_and_phrases_stay() -> None:
    """A phrase of several words may hold, and even end in, an adjective."""
    given = ranked(((0, 1),), ((0, 2),), ((1, 2),), ((2, 3),), ((3, 6),))
    assert SingleWords().process(given).surfaces == ["red kites", "kites", "green energy green"]


def test_one_place_with_the_part_of_speech_is_enough() -> None:
    """Taggers err; what is a noun somewhere is one."""
    assert SingleWords().process(ranked(((3, 4), (4, 5)))).surfaces == ["green"]


def test_a_phrase_that_stands_nowhere_stays() -> None:
    """It has no part of speech."""
    assert SingleWords().process(ranked(())).surfaces == ["label"]


def test_other_parts_of_speech_may_be_asked_for() -> None:
    """By their plain names; the layer is said."""
    stage = SingleWords(pos=("verb",))
    assert stage.process(ranked(((1, 2),), ((2, 3),))).surfaces == ["soar"]
    assert stage.requires() == {"pos"}
    with pytest.raises(ValueError, match="unknown part of speech"):
        SingleWords(pos=("nown",))
