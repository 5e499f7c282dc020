"""Calibration errors as metrics of a run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.errors import SpecError
from kpframe.evaluation.tallies import aggregate, parse_signature, tally
from kpframe.matching.exact import Exact
from kpframe.metrics.ece import CalibrationError
from kpframe.model import Gold, Matches, Score
from kpframe.statistics.calibration import Reliability

lists = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=8)


def matches(*phrases: tuple[float, bool], gold: int = 9) -> Matches:
    """Phrases by rank, each with its score and whether it hits."""
    numbers = range(len(phrases))
    return Matches(
        hits=tuple(n if hit else -1 for n, (_, hit) in zip(numbers, phrases, strict=True)),
        rules=tuple("exact" if hit else "" for _, hit in phrases),
        gold=gold,
        scores=tuple(score for score, _ in phrases),
    )


def score(documents: list[Matches], **parameters: Any) -> Score:
    """The error over several documents."""
    metric = CalibrationError(**parameters)
    return aggregate(metric, Exact(), [tally(metric, document) for document in documents])


def test_phrases_of_all_documents_share_the_bins() -> None:
    """Bin .8: sum 1.7 with one hit; bin .2: sum .25 without: (.7 + .25) / 3; the largest gap is .35."""
    documents = [matches((0.85, True), (0.25, False)), matches((0.85, False))]
    assert score(documents).value == pytest.approx(0.95 / 3)
    assert score(documents, of="mce").value == pytest.approx(0.35)
    assert [score([d]).value for d in documents] == pytest.approx([0.2, 0.85])


def test_the_counts_are_numbers_scores_and_hits_by_bin() -> None:
    """Three for each bin."""
    metric = CalibrationError(bins=2)
    assert metric.count(matches((0.75, True), (0.25, False))) == (1, 1, 0.25, 0.75, 0, 1)
    assert CalibrationError(bins=2, closed="right").count(matches((0.5, True)))[:2] == (1, 0)


def test_a_repeated_phrase_takes_its_score_along() -> None:
    """The second of three predictions repeats the first and is off the list: .9 hits, .1 misses."""
    made = Exact(absent="keep").match(["a", "A", "b"], [Gold(("a",))], None).scored([0.9, 0.5, 0.1])
    assert CalibrationError(bins=1).count(made) == (2, 1.0, 1)


@pytest.mark.parametrize("wrong", [1.5, -0.1])
def test_scores_that_are_no_probabilities_have_no_error(wrong: float) -> None:
    """The document is left out and counted; alone, there is no value."""
    documents = [matches((0.85, True)), matches((wrong, True), (0.5, False))]
    found = score(documents)
    assert (found.documents, found.skipped) == (1, 1)
    assert found.value == pytest.approx(0.15)
    assert score(documents[1:]).value is None


def test_without_scores_or_phrases_there_is_no_error() -> None:
    """Nothing is taken for 0."""
    metric = CalibrationError()
    assert metric.count(Matches((0,), ("exact",), 1)) == ()
    assert metric.count(matches()) == ()


def test_there_is_no_macro_average() -> None:
    """A mean of documents' errors would be something else."""
    with pytest.raises(SpecError):
        CalibrationError(average="macro")  # type: ignore[arg-type]


def test_the_recipe_has_the_bins() -> None:
    """And reads back."""
    found = score([matches((0.5, True))], bins=15, closed="right", of="mce")
    assert found.metric == "ece(closed=right,of=mce)@15"
    assert found.signature.startswith("ece@15|closed:right|of:mce|match:exact|")
    assert parse_signature(found.signature)[0] == CalibrationError(bins=15, closed="right", of="mce")


@settings(deadline=None)
@given(st.lists(lists, max_size=6), st.sampled_from(["ece", "mce"]))
@pytest.mark.slow
def test_documents_make_the_error_of_all_their_phrases(documents: list[list[Any]], of: str) -> None:
    """As if they were one list."""
    whole = Reliability.of([phrase for document in documents for phrase in document])
    found = score([matches(*document) for document in documents], of=of).value
    expected = getattr(whole, of)
    assert (found is None) if expected is None else found == pytest.approx(expected, abs=1e-12)
