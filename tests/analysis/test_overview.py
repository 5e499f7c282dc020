"""All analyses over all documents of one system."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.analysis.overview import Analysed, Phrases, overview
from kpframe.evaluation.tallies import aggregate, tally
from kpframe.matching.exact import Exact
from kpframe.model import Gold, Matches
from kpframe.stages import Matching, Metric
from kpframe.stages.registry import lookup

KEEP = Exact(absent="keep")
phrase_lists = st.lists(st.sampled_from(["kite", "red kite", "kites", "owl", "-"]), max_size=5)
documents = st.lists(
    st.builds(
        lambda text, gold, phrases, sure: Analysed(
            "x",
            tuple(Gold((keyphrase,)) for keyphrase in gold),
            tuple(phrases),
            " ".join(text),
            tuple(sure[: len(phrases)]),
        ),
        phrase_lists,
        phrase_lists,
        phrase_lists,
        st.lists(st.floats(0, 1), min_size=5, max_size=5),
    ),
    max_size=5,
)


class Silent(Matching):
    """Tells hits alone, as a matching may that is older than what analyses ask for."""

    kind = "silent"

    def match(self, predicted: Any, gold: Any, text: str | None) -> Matches:
        """Everything is a miss."""
        return Matches((-1,) * len(predicted), ("",) * len(predicted), len(gold))

    def signature(self) -> str:
        """Of no parameters."""
        return "match:silent"


def test_nothing_is_nothing() -> None:
    """No document: numbers are 0, values None."""
    found = overview([], KEEP)
    assert found.phrases == Phrases()
    assert found.reliability is found.tokens is found.near is None
    assert set(found.diversity.values()) == {None}
    assert found.to_json()["notes"] == [
        "no reliability: the predictions have neither scores nor probabilities"
    ]


def test_every_phrase_is_compared_repeated_or_empty() -> None:
    """Of four phrases one is empty and one comes twice."""
    document = Analysed("a", (Gold(("kite",)),), ("kite", "owl", "Kite", " "), "A kite.")
    found = overview([document, Analysed("b", (), (), "")], Exact(normalize="porter", absent="keep"))
    assert found.phrases.to_json() == {
        "documents": 2,
        "without_predictions": 1,
        "given": 4,
        "compared": 2,
        "repeated": 1,
        "empty": 1,
        "hits": 1,
        "gold": 1,
        "left_out": 0,
    }


def test_what_a_matching_does_not_tell_is_not_analysed() -> None:
    """Hits alone do not say where gold stands; the note says so."""
    found = overview([Analysed("a", (Gold(("kite",)),), ("owl",), "A kite.", (0.5,))], Silent())
    assert found.positions is found.near is found.reliability is None
    assert found.notes == (
        "no places of gold keyphrases: the matching does not say which ones it compared",
        "no reliability: the matching does not say which phrases it compared",
    )


@pytest.mark.parametrize("top", [None, 0, 1, 9])
def test_the_best_phrases_keep_what_is_known_of_them(top: int | None) -> None:
    """Confidences and probabilities are cut with the phrases."""
    document = Analysed("a", (), ("x", "y"), None, (0.5, 0.25), ((0.5,), (0.25,)))
    best = document.best(top)
    expected = 2 if top is None else min(top, 2)
    assert best.confidences is not None and best.probabilities is not None
    assert len(best.phrases) == len(best.confidences) == len(best.probabilities) == expected


@settings(deadline=None)
@given(documents, st.randoms(use_true_random=False))
@pytest.mark.slow
def test_the_order_of_documents_changes_nothing(given_documents: list[Analysed], random: Any) -> None:
    """Not in the last bit."""
    shuffled = list(given_documents)
    random.shuffle(shuffled)
    assert overview(shuffled, KEEP).to_json() == overview(given_documents, KEEP).to_json()


@settings(deadline=None)
@given(documents)
@pytest.mark.slow
def test_the_fifths_hold_all_gold_that_is_kept(given_documents: list[Analysed]) -> None:
    """Gold in a fifth or absent makes the kept gold; the metrics of a run tell the same errors."""
    found = overview(given_documents, KEEP)
    for counts in found.positions or ():
        assert sum(counts.gold) + counts.absent == found.phrases.gold
    matches = [KEEP.match(d.phrases, d.gold, d.text).scored(d.confidences or ()) for d in given_documents]
    for name, ours in (("ece", found.reliability and found.reliability.ece), ("diversity", None)):
        metric = lookup("metrics", name)(**({"empty": "zero"} if name == "ece" else {}))
        assert isinstance(metric, Metric)
        theirs = aggregate(metric, KEEP, [tally(metric, one) for one in matches]).value
        expected = found.diversity["unique_phrase_ratio"] if name == "diversity" else ours
        assert theirs == (None if expected is None else pytest.approx(expected, abs=1e-12))
