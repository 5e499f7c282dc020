"""BERTScore: its arithmetic on given vectors, and the model around it."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pair_measures import NO_MODEL, similarity, tiny_bert

from kpframe.errors import ResourceError, SpecError
from kpframe.similarity._greedy_cosine import TokenVectors, greedy_score

needs_model = pytest.mark.skipif(bool(NO_MODEL), reason=NO_MODEL or "-")


def tokens(*vectors: Sequence[float], weights: Sequence[float] | None = None) -> TokenVectors:
    """Token vectors, of equal weights unless some are given."""
    return TokenVectors(
        np.array(vectors, dtype=float), np.array(weights if weights else [1.0] * len(vectors))
    )


# --- arithmetic -------------------------------------------------------------------------------------


def test_each_token_is_matched_with_the_most_similar_one() -> None:
    """By hand: cosines (1, .6) and (0, .8); P = (1 + .8) / 2, R = (1 + .8) / 2."""
    score = greedy_score(tokens((1, 0), (0, 1)), tokens((2, 0), (3, 4)))
    assert score == pytest.approx((0.9, 0.9, 0.9))


def test_precision_and_recall_differ_in_their_side() -> None:
    """By hand: the one predicted token matches fully, of the gold tokens one; P = 1, R = 1/2, F = 2/3."""
    score = greedy_score(tokens((1, 0)), tokens((5, 0), (0, 7)))
    assert score == pytest.approx((1.0, 0.5, 2 / 3))
    back = greedy_score(tokens((5, 0), (0, 7)), tokens((1, 0)))
    assert (back.precision, back.recall, back.f) == pytest.approx((score.recall, score.precision, score.f))


def test_a_token_without_weight_may_be_matched_but_does_not_count() -> None:
    """By hand: the predicted token matches the gold side's special token, whose own match is not averaged."""
    gold = tokens((1, 0), (0, 1), weights=[0, 1])
    assert greedy_score(tokens((1, 0)), gold) == pytest.approx((1.0, 0.0, 0.0))
    assert greedy_score(tokens((3, 4)), gold) == pytest.approx((0.8, 0.8, 0.8))


def test_what_has_no_weight_no_length_or_no_likeness_is_zero() -> None:
    """Nothing becomes NaN."""
    assert greedy_score(tokens((1, 0), weights=[0]), tokens((1, 0))) == (0.0, 0.0, 0.0)
    assert greedy_score(tokens((0, 0)), tokens((1, 0))) == (0.0, 0.0, 0.0)
    assert greedy_score(tokens((1, 0)), tokens((-1, 0))) == (-1.0, -1.0, 0.0)
    mixed = greedy_score(tokens((0, 1), (1, 0)), tokens((1, -9)))
    assert mixed.precision < 0.0 < mixed.recall and mixed.f == 0.0


vectors = st.lists(st.tuples(*[st.integers(-3, 3).map(float)] * 3).filter(any), min_size=1, max_size=4)


@given(vectors, vectors)
@settings(max_examples=100, deadline=None)
@pytest.mark.slow
def test_scores_lie_between_minus_one_and_one(
    left: list[tuple[float, ...]], right: list[tuple[float, ...]]
) -> None:
    """Sides change places with precision and recall, and equal sides have 1."""
    one, other = greedy_score(tokens(*left), tokens(*right)), greedy_score(tokens(*right), tokens(*left))
    assert all(-1.0 - 1e-12 <= value <= 1.0 + 1e-12 for value in one)
    assert (one.precision, one.recall) == pytest.approx((other.recall, other.precision))
    assert greedy_score(tokens(*left), tokens(*left)) == pytest.approx((1.0, 1.0, 1.0))


# --- packages and models ----------------------------------------------------------------------------


def test_missing_packages_are_told_with_their_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a check, and by the first comparison."""
    found = importlib.util.find_spec
    absent = ("torch", "transformers")
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name in absent else found(name, *rest)
    )
    remedy = 'install it with: pip install "kpframe[bertscore]"'
    measure = similarity("bertscore", model="never-asked-for")
    problem = "needs what is not installed: torch and transformers"
    assert list(measure.problems(["en"])) == [("model", problem, remedy)]
    with pytest.raises(ResourceError) as caught:
        measure.compare("grid", "grid computing")
    assert str(caught.value) == f"similarity: bertscore: {problem}; {remedy}"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A BERT of two layers."""
    return tiny_bert(tmp_path_factory.mktemp("model"))


@needs_model
def test_the_score_is_made_of_the_models_vectors(model: str) -> None:
    """The vectors of layer 1, taken from the model by hand; [CLS] and [SEP] are matched but do not count."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    bert = transformers.AutoModel.from_pretrained(model).eval()
    sides = []
    for phrase in ("grid computing", "effective grid computing algorithms"):
        ids = tokenizer(phrase, return_tensors="pt")
        with torch.no_grad():
            hidden = bert(**ids, output_hidden_states=True).hidden_states[1][0].numpy()
        sides.append(hidden / np.linalg.norm(hidden, axis=1, keepdims=True))
    assert [len(side) for side in sides] == [4, 7]
    cosines = sides[0] @ sides[1].T
    precision, recall = cosines.max(axis=1)[1:-1].mean(), cosines.max(axis=0)[1:-1].mean()
    pair = ("grid computing", "effective grid computing algorithms")
    for measure, expected in (
        ("precision", precision),
        ("recall", recall),
        ("f", 2 * precision * recall / (precision + recall)),
    ):
        found = similarity("bertscore", model=model, layer=1, measure=measure).compare(*pair)
        assert found == pytest.approx(float(expected), abs=1e-5)


@needs_model
def test_values_are_those_of_the_authors_program(model: str) -> None:
    """bert-score on the same model, the same layer."""
    library = pytest.importorskip("bert_score", reason="bert-score is not installed")
    scorer = library.BERTScorer(model_type=model, num_layers=2, idf=False, device="cpu")
    phrases = ["grid computing", "effective grid computing algorithms", "quality of service", "red kites"]
    table = similarity("bertscore", model=model, layer=2).matrix(phrases, phrases)
    for row, predicted in zip(table, phrases, strict=True):
        theirs = scorer.score([predicted] * len(phrases), phrases)[2].tolist()
        assert row == pytest.approx(theirs, abs=1e-5)


@needs_model
def test_rescaling_is_linear_and_cut_at_zero(model: str) -> None:
    """(x − b) / (1 − b): what is like by chance becomes 0, what is equal stays 1."""
    pair = ("grid computing", "quality of service")
    raw = similarity("bertscore", model=model, layer=2).compare(*pair)
    half = raw / 2
    rescaled = similarity("bertscore", model=model, layer=2, baseline=half).compare(*pair)
    assert rescaled == pytest.approx((raw - half) / (1 - half), abs=1e-6)
    above = similarity("bertscore", model=model, layer=2, baseline=(raw + 1) / 2)
    assert above.compare(*pair) == 0.0
    assert above.compare(pair[0], pair[0]) == pytest.approx(1.0, abs=1e-5)


@needs_model
def test_long_phrases_are_cut_and_unknown_words_compared(model: str) -> None:
    """Two hundred words do not exceed the positions of the model, and [UNK] counts as a word."""
    measure = similarity("bertscore", model=model, layer=2)
    assert 0.0 < measure.compare("grid " * 200, "grid") <= 1.0
    assert 0.0 < measure.compare("zebra", "grid") < 1.0


@needs_model
def test_a_layer_that_the_model_has_not_is_told(model: str) -> None:
    """With the number of those that it has."""
    with pytest.raises(SpecError) as caught:
        similarity("bertscore", model=model, layer=3).compare("grid", "red")
    assert str(caught.value) == (
        f"similarity: bertscore: layer: {model} has 2 layers, not 3; give a layer that it has"
    )


@needs_model
def test_a_model_that_is_not_here_is_not_downloaded(tmp_path: Path) -> None:
    """The command that gets it is told instead; a damaged folder is told as one."""
    with pytest.raises(ResourceError) as caught:
        similarity("bertscore", model="nobody/no-such-model").compare("grid", "red")
    assert str(caught.value) == (
        "model 'nobody/no-such-model': is not on this machine; "
        "name a folder that holds it, or get it once with: hf download nobody/no-such-model"
    )
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(ResourceError, match=r"cannot be loaded .*; repair or replace the folder"):
        similarity("bertscore", model=str(tmp_path)).compare("grid", "red")


@needs_model
def test_the_identity_has_the_checksum_of_the_model(model: str, tmp_path: Path) -> None:
    """Another model under the same settings is another measure."""
    one = similarity("bertscore", model=model).identity()
    other = similarity("bertscore", model=tiny_bert(tmp_path)).identity()
    assert len(one["revision"]) == 64
    (tmp_path / "vocab.txt").write_text("changed", encoding="utf-8")
    assert similarity("bertscore", model=str(tmp_path)).identity()["revision"] != other["revision"]
