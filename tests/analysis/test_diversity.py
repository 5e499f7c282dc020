"""How much predictions repeat each other."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.statistics.diversity import Diversities, Diversity, indel_similarities, self_bleu_scores

ROOT = Path(__file__).resolve().parents[2]
ORACLES = ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets") / "../reference/oracles"
MEASURES = ("unique_phrase_ratio", "unique_token_ratio", "dup_token_ratio", "self_bleu", "self_edit_distance")

token_lists = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), max_size=8)


@pytest.mark.skipif(
    not (ORACLES / "acceptance.json").is_file(), reason=f"the peers' figures are not in {ORACLES}"
)
def test_the_means_of_sixty_documents_are_those_of_kpeval() -> None:
    """All predictions of all documents, also of those without any."""
    figures = json.loads((ORACLES / "acceptance.json").read_text(encoding="utf-8"))
    expected = {figure["name"]: figure["expected"] for figure in figures}
    lines = (ORACLES / "inspec60.freq.jsonl").read_text(encoding="utf-8").splitlines()
    found = [Diversity.of(json.loads(line)["tok"]["predicted"]) for line in lines]
    for name in MEASURES:
        mean = sum(getattr(diversity, name) for diversity in found) / len(found)
        assert mean == pytest.approx(expected[f"kpeval/inspec60.freq/diversity/{name}"], abs=1e-9), name


def test_an_empty_list_repeats_every_token() -> None:
    """0, 0, 1, 0, 0, as in KPEval."""
    assert [getattr(Diversity.of([]), name) for name in MEASURES] == [0.0, 0.0, 1.0, 0.0, 0.0]
    assert [getattr(Diversity.of([" "]), name) for name in MEASURES] == [1.0, 0.0, 1.0, 0.0, 0.0]


def test_a_single_phrase_is_like_no_other() -> None:
    """Nothing to compare it to."""
    found = Diversity.of(["neural networks"])
    assert (found.self_bleu, found.self_edit_distance, found.unique_phrase_ratio) == (0.0, 0.0, 1.0)


def test_phrases_are_compared_by_stems_and_duplicates_count() -> None:
    """Three phrases, two distinct; stems neural, network, neural, network, graph."""
    found = Diversity.of(["Neural networks", "neural network", "graphs"])
    assert (found.phrases, found.unique_phrases, found.tokens, found.unique_tokens) == (3, 2, 5, 3)
    assert found.unique_phrase_ratio == pytest.approx(2 / 3)
    assert found.dup_token_ratio == pytest.approx(2 / 5)
    assert found.to_json()["unique_phrases"] == 2


def test_bleu_of_equal_phrases_lacks_the_trigram_that_they_do_not_have() -> None:
    """Two equal phrases of two tokens: precisions 1, 1 and 0.1 for the missing trigram: 0.1^(1/3)."""
    assert self_bleu_scores([["a", "b"], ["a", "b"]]) == pytest.approx([0.1 ** (1 / 3)] * 2)


def test_the_edit_distance_is_a_similarity() -> None:
    """Equal phrases have 100, phrases without a common letter 0; "abc" and "ac" have 200 · 2 / 5 = 80."""
    assert list(indel_similarities(["ab", "ab"])) == [100.0]
    assert list(indel_similarities(["ab", "cd"])) == [0.0]
    assert list(indel_similarities(["abc", "ac"])) == [80.0]


@settings(deadline=None)
@given(token_lists)
@pytest.mark.slow
def test_bleu_is_that_of_nltk(phrases: list[list[str]]) -> None:
    """Weights of a third, smoothing method 1, every other phrase a reference."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    smoothing = SmoothingFunction().method1
    theirs = [
        sentence_bleu(phrases[:i] + phrases[i + 1 :], phrase, (1 / 3,) * 3, smoothing)
        if len(phrases) > 1
        else 0.0
        for i, phrase in enumerate(phrases)
    ]
    assert self_bleu_scores(phrases) == pytest.approx(theirs, abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.text("abcä😀 ", max_size=12), max_size=7))
def test_similarities_are_those_of_rapidfuzz(phrases: list[str]) -> None:
    """All pairs, also with empty strings."""
    fuzz = pytest.importorskip("rapidfuzz.fuzz", reason="rapidfuzz is only a cross-check")
    theirs = [fuzz.ratio(phrases[i], phrases[j]) for i in range(len(phrases)) for j in range(i)]
    assert list(indel_similarities(phrases)) == pytest.approx(theirs, abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.text("abc ", max_size=8), max_size=7), st.randoms(use_true_random=False))
def test_the_order_of_the_phrases_changes_nothing(phrases: list[str], random: Any) -> None:
    """Diversity knows no ranks."""
    shuffled = list(phrases)
    random.shuffle(shuffled)
    assert Diversity.of(shuffled).to_json() == Diversity.of(phrases).to_json()


@settings(deadline=None)
@given(st.lists(st.text("abc ", max_size=8), max_size=7))
def test_all_values_lie_in_their_ranges(phrases: list[str]) -> None:
    """0 … 1, and 0 … 100 for the similarity."""
    found = Diversity.of(phrases)
    assert all(0 <= getattr(found, name) <= 1 + 1e-12 for name in MEASURES[:4])
    assert 0 <= found.self_edit_distance <= 100


@pytest.mark.slow
@given(st.lists(token_lists, max_size=5))
@settings(deadline=None)
def test_many_lists_together_have_the_numbers_of_each(lists: list[list[list[str]]]) -> None:
    """Property: numpy over all lists gives what each list gives by itself, bit by bit."""
    phrases = [[" ".join(tokens) for tokens in one] for one in lists]
    together = Diversities(phrases)
    for name in (
        "phrases",
        "pairs",
        "unique_phrases",
        "tokens",
        "unique_tokens",
        "bleu_sum",
        "similarity_sum",
    ):
        assert getattr(together, name) == [getattr(Diversity.of(one), name) for one in phrases], name


def test_lists_do_not_share_their_words() -> None:
    """What only another list has is no repetition; "a a" is clipped by how often another phrase has it."""
    assert Diversities([["a b"], ["a b"], []]).bleu_sum == [0.0, 0.0, 0.0]
    twice = Diversities([["a a", "a a a", "b"], ["a a", "b"]])
    assert twice.bleu_sum == [Diversity.of(["a a", "a a a", "b"]).bleu_sum, 0.0]
