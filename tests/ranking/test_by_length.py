"""Short and long texts have their own candidates and ranking."""

from __future__ import annotations

import pytest
from ranking_texts import annotate

import kpframe
from kpframe.candidates.by_length import ByLength as CandidatesByLength
from kpframe.errors import SpecError
from kpframe.model import Document
from kpframe.ranking.by_length import ByLength
from kpframe.stages.parts import part

SENTENCE = "red kites soar and red kites rest"


def ranked(copies: int) -> list[str]:
    """Single words by frequency in a text of 7 × `copies` tokens, pairs in order if it has fewer than 14."""
    annotations = annotate(*[SENTENCE] * copies)
    document = Document("d", annotations.text)
    selection = CandidatesByLength(bound=14, below={"kind": "ngrams", "min": 2, "max": 2}, above="tokens")
    ranking = ByLength(bound=14, below="position", above="frequency")
    return [entry.key for entry in ranking.rank(selection.select(document, annotations))][:2]


def test_a_text_below_the_bound_goes_one_way_and_one_at_it_the_other() -> None:
    """Seven tokens are below fourteen; fourteen are not."""
    assert ranked(1) == ["red kites", "kites soar"]
    assert ranked(2) == ["red", "kites"]


def test_what_must_learn_first_is_refused() -> None:
    """Nobody would show it the documents."""
    with pytest.raises(SpecError, match="tfidf must learn from documents first, which it cannot here"):
        ByLength(above="tfidf")


def test_words_and_lemmas_do_not_mix() -> None:
    """Post-processing and matching must know what a key is."""
    with pytest.raises(SpecError, match="must both select words, or both lemmas"):
        CandidatesByLength(below="lemmas")


def test_it_reads_what_either_way_reads() -> None:
    """Also of parts given as mappings."""
    selection = CandidatesByLength(below={"kind": "tokens", "pos": ["noun"]}, above="noun_phrases")
    assert selection.requires() == {"pos", "chunks"}
    assert part("candidates", selection.to_spec()) == selection


@pytest.mark.slow
def test_the_default_pipeline_is_three_pipelines() -> None:
    """Noun phrases by heads on abstracts, tf.idf with the shipped frequencies on news, KP-Miner on papers.

    Where these are few, their parts follow.
    """
    default = kpframe.Pipeline.load("by-length")
    short = "Dock workers strike for wages. The dock workers of Hamburg want wages and a harbour. "
    heads = kpframe.Pipeline.load("noun-heads", settings=["ranking.heads=null"])
    tfidf = kpframe.Pipeline.load("tfidf")
    settings = "{kind: kpminer, rest: behind, idf: {from: file, resource: models/tfidf-demo, form: log2}}"
    papers = kpframe.Pipeline.load("noun-heads", settings=[f"ranking={settings}"])
    for text, alone in ((short, heads), (short * 30, tfidf), (short * 200, papers)):
        made, expected = list(default.extract(text)), list(alone.extract(text))
        assert made[: len(expected)] == expected
        assert [phrase.key for phrase in made[len(expected) :]] == ["dock", "workers"]
