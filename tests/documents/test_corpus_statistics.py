"""Figures about corpora, worked by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from kpframe.analysis.text_statistics import CorpusStatistics, statistics
from kpframe.errors import SpecError
from kpframe.model import Document, Gold, Skipped


def document(text: str, *gold: str, split: str = "") -> Document:
    """A document with gold keyphrases of one form each; its id is its text."""
    return Document(
        text, text, gold=tuple(Gold((g,)) for g in gold), metadata={"split": split} if split else {}
    )


def test_counts_and_means_by_hand() -> None:
    """Two documents with text, an empty one, and one entry skipped."""
    made = statistics(
        [
            document("The cat's state-of-the-art networks.", "neural network", "network", split="train"),
            Skipped("c:2", "malformed"),
            document("A party, art.", "art", split="test"),
            document(" \n", split="test"),
        ]
    )
    assert (made.documents, made.skipped, made.empty, made.without_gold) == (3, 1, 1, 1)
    assert (made.words, made.tokens) == (4 + 3, 6 + 5)
    assert (made.gold, made.gold_tokens, made.present_gold, made.documents_with_present) == (3, 4, 2, 2)
    assert made.mean_words == 7 / 3
    assert made.mean_tokens == 11 / 3
    assert made.mean_gold == 1.0
    assert made.mean_gold_length == 4 / 3
    assert made.absent_share == 1 / 3
    assert {name: (part.documents, part.gold) for name, part in made.splits.items()} == {
        "train": (1, 2),
        "test": (2, 1),
    }


@pytest.mark.parametrize(
    ("text", "gold", "stems", "words"),
    [
        ("a party", "art", False, False),
        ("Neural  Networks learn", "neural network", True, False),
        ("neural, networks", "neural networks", False, False),
        ("networks that are neural", "neural networks", False, False),
        ("the user’s guide", "user's guide", True, True),
        ("C++ programs", "C", True, True),
        ("object-oriented design", "object-oriented", True, True),
        ("object oriented", "object-oriented", False, False),
        ("state", "STATE", True, True),
    ],
)
def test_presence_is_contiguous_tokens(text: str, gold: str, stems: bool, words: bool) -> None:
    """Never by characters; punctuation is a token of its own."""
    assert statistics([document(text, gold)]).present_gold == stems
    assert statistics([document(text, gold)], present="words").present_gold == words


@pytest.mark.parametrize(
    ("text", "gold", "alphanumeric", "characters"),
    [
        ("a party", "art", False, True),
        ("Neural  Networks learn", "neural network", True, True),
        ("neural, networks", "neural networks", True, False),
        ("object oriented", "object-oriented", True, False),
        ("networked", "networks", True, False),
        ("the user’s  guide", "User's guide", True, True),
        ("three marks", "+++", False, False),
        ("a +++ b", "+++", False, True),
    ],
)
def test_presence_without_marks_and_by_characters(
    text: str, gold: str, alphanumeric: bool, characters: bool
) -> None:
    """Marks are no tokens, or any run of folded characters is enough; an empty form is in no text."""
    assert statistics([document(text, gold)], present="alphanumeric").present_gold == alphanumeric
    assert statistics([document(text, gold)], present="characters").present_gold == characters


def test_one_variant_in_the_text_is_enough() -> None:
    """A gold keyphrase counts once."""
    made = statistics(
        [Document("1", "service quality", gold=(Gold(("quality of service", "service quality")),))]
    )
    assert (made.gold, made.present_gold) == (1, 1)


def test_length_and_gold_correlate_by_hand() -> None:
    """Words 1, 2, 3 and gold 1, 3, 2: r = 1/2."""
    made = statistics([document("a", "x"), document("a b", "x", "y", "z"), document("a b c", "x", "y")])
    assert made.pearson_r == pytest.approx(0.5, abs=1e-15)


@pytest.mark.slow
def test_correlation_does_not_lose_digits_on_long_texts() -> None:
    """Whole numbers are summed, so a perfect correlation stays one."""
    sums = statistics([document("w " * (10**5 + n), *["k"] * n) for n in range(1, 4)])
    assert sums.pearson_r == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("documents", [[], [document("a b", "x")], [document("a", "x"), document("b", "y")]])
def test_what_is_undefined_is_none(documents: list[Document]) -> None:
    """No documents, or nothing that varies."""
    assert statistics(documents).pearson_r is None
    if not documents:
        empty = statistics(documents)
        assert (empty.mean_words, empty.mean_gold, empty.absent_share) == (None, None, None)


def test_statistics_are_plain_json() -> None:
    """Counts and derived values, those of the parts inside."""
    made = statistics([document("a b", "a", split="test")])
    assert isinstance(made, CorpusStatistics)
    plain = json.loads(json.dumps(made.to_json()))
    assert plain["mean_words"] == 2.0 and plain["present"] == "stems"
    assert plain["keyphrases"]["sizes"] == [[1, 1, 1]]
    assert plain["splits"]["test"]["gold"] == 1 and "splits" not in plain["splits"]["test"]


def test_a_corpus_streams_through() -> None:
    """One document is taken after the other, none is kept."""
    alive = 0

    def stream() -> Iterator[Document]:
        nonlocal alive
        for number in range(100):
            alive += 1
            yield document(f"text {number}", "text")

    assert statistics(stream()).documents == alive == 100


def test_an_unknown_test_is_refused() -> None:
    """With those that there are."""
    with pytest.raises(SpecError) as caught:
        statistics([], present="lemmas")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "present: unknown test 'lemmas'; use stems, words, alphanumeric or characters"
    )
