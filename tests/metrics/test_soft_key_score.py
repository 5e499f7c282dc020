"""SoftKeyScore."""

from __future__ import annotations

from typing import Any

import pytest
from hit_lists import measured, worded
from hypothesis import given
from hypothesis import strategies as st
from shared_words import CommonWords, SharedWords

from kpframe.errors import SpecError
from kpframe.evaluation.tallies import aggregate, parse_signature, signature, tally
from kpframe.matching.exact import Exact
from kpframe.matching.soft import Soft
from kpframe.metrics.f1 import F1
from kpframe.metrics.precision import Precision
from kpframe.metrics.recall import Recall
from kpframe.metrics.soft_key_score import SoftKeyScore
from kpframe.model import Gold, Matches

TABLE_2 = [
    (
        ["performance evaluation", "information retrieval", "web search engine"],
        ["performance", "information retrieval", "world wide web", "search engine"],
        (0.375, 3 / 7),
    ),
    (
        ["bgp", "network engineering", "routing protocols"],
        ["routing", "traffic engineering", "modeling", "bgp"],
        (0.5, 4 / 7),
    ),
    (
        [
            "pwarx identification",
            "chiu's clustering algorithm",
            "affine sub model estimation",
            "hyperplane partitions",
        ],
        [
            "experimental validation",
            "clustering",
            "identification",
            "hybrid systems",
            "pwarx models",
            "chiu 's clustering technique",
        ],
        (1 / 12, 0.1),
    ),
]


@pytest.mark.parametrize(("predicted", "gold", "expected"), TABLE_2)
def test_table_2_of_the_paper(predicted: list[str], gold: list[str], expected: tuple[float, float]) -> None:
    """Kundu et al. 2023: .375, .500, .083 as printed; then what equations 4 to 6 give."""
    found = worded(predicted, gold, normalize="porter", tokens="blanks")
    values = [measured(SoftKeyScore(denominator=name), found) for name in ("longer", "own")]
    assert values == pytest.approx(expected, abs=1e-9)


def toy(predicted: list[str], gold: list[Any], **parameters: Any) -> float:
    """The value under the toy similarity: words in common over those of the longer phrase."""
    metric = SoftKeyScore(**{"similarity": SharedWords(), **parameters})
    return measured(metric, worded(predicted, gold))


def test_precision_recall_and_f1() -> None:
    """Nearest: "red kites" 1, "grey city" 1/2, "tower" 0; of gold 1, 1/2, and 0 for "harbour"."""
    predicted, gold = ["red kites", "grey city", "tower"], ["red kites", "city", "harbour", "bridge"]
    assert toy(predicted, gold, of="precision") == pytest.approx(1.5 / 3)
    assert toy(predicted, gold, of="recall") == pytest.approx(1.5 / 4)
    assert toy(predicted, gold) == pytest.approx(2 * 0.5 * 0.375 / 0.875)
    assert toy(predicted, gold, denominator="longer") == pytest.approx(1.5 / 4)
    counts = SoftKeyScore(similarity=SharedWords()).count(worded(predicted, gold))
    assert counts == (1.5, 3, 1.5, 4)


def test_phrases_behind_the_cut_off_play_no_part() -> None:
    """Neither in precision nor as the nearest ones of gold."""
    predicted, gold = ["tower", "red kites", "city"], ["red kites", "city"]
    assert toy(predicted, gold, k=1) == 0.0
    assert toy(predicted, gold, k=2, of="recall") == 0.5
    assert toy(predicted, gold, k=9, of="precision") == pytest.approx(2 / 3)
    assert toy(predicted, gold, k="O", of="precision") == 0.5


@pytest.mark.parametrize(("threshold", "kept"), [(0.4, 0.4), (0.41, 0.0), (0.0, 0.4)])
def test_what_is_below_the_threshold_counts_nothing(threshold: float, kept: float) -> None:
    """Two words of five; what equals the threshold is kept."""
    assert toy(["a b c d e"], ["a b x y z"], threshold=threshold) == pytest.approx(kept)


@pytest.mark.parametrize(("times", "kept"), [(1.0, True), (0.9999999999, True), (0.9999, False)])
def test_rounding_does_not_decide_at_the_threshold(times: float, kept: bool) -> None:
    """1 - 3/5 is not always 2/5 in floating point; a real difference counts."""
    similarity = SharedWords(times=times)
    assert (toy(["a b c d e"], ["a b x y z"], similarity=similarity) > 0) is kept


def test_of_the_variants_the_nearest_counts() -> None:
    """And a keyphrase is one, however many variants it has."""
    gold = [["service quality", "quality of service"], ["city"]]
    counts = SoftKeyScore(similarity=SharedWords()).count(worded(["quality of service"], gold))
    assert counts == (1.0, 1, 1.0, 2)


def test_the_three_averages() -> None:
    """Documents with precision and recall (1, 1/2) and (1/2, 1/2)."""
    documents = [worded(["a"], ["a", "b"]), worded(["a", "c"], ["a", "d"])]
    found = {}
    for average in ("macro", "means", "micro"):
        metric = SoftKeyScore(similarity=SharedWords(), average=average)
        found[average] = aggregate(metric, Exact(), [tally(metric, one) for one in documents]).value
    assert found["macro"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert found["means"] == pytest.approx(2 * 0.75 * 0.5 / 1.25)
    assert found["micro"] == pytest.approx(2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4))


def test_lists_that_are_empty_score_zero() -> None:
    """Either or both; also where a list of matches has no phrases."""
    for denominator in ("own", "longer"):
        for predicted, gold in ([], ["a"]), (["a"], []), ([], []):
            assert toy(predicted, gold, denominator=denominator) == 0.0
    assert measured(SoftKeyScore(similarity=SharedWords()), Matches((-1,), ("",), 2)) == 0.0


def test_an_unbounded_similarity_is_refused() -> None:
    """A score above 1 would look like one of these."""
    with pytest.raises(SpecError) as caught:
        SoftKeyScore(similarity=CommonWords())
    assert str(caught.value).startswith("SoftKeyScore: similarity: common_words is not bounded by 1; ")


@pytest.mark.parametrize(
    ("metric", "label"),
    [
        (SoftKeyScore(), "soft_key_score@M"),
        (SoftKeyScore(similarity={"kind": "kmr"}, k=5), "soft_key_score@5"),
        (
            SoftKeyScore(similarity=SharedWords(), of="recall"),
            "soft_key_score(similarity=shared_words(times=1.0),of=recall)@M",
        ),
    ],
)
def test_the_label_names_another_similarity(metric: SoftKeyScore, label: str) -> None:
    """As it is written in a spec; the default is not named."""
    assert metric.label() == label


def test_a_nested_similarity_survives_the_signature() -> None:
    """With its parameters, in metric and matching."""
    pair = (
        SoftKeyScore(similarity={"kind": "jaccard", "n": 2}, threshold=0.3, k=5),
        Soft(similarity={"kind": "kmr", "pad": "left"}, threshold=0.1),
    )
    assert parse_signature(signature(*pair, 3)) == pair


WORDS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=4).map(" ".join), max_size=6
)


@given(
    predicted=WORDS, gold=WORDS, k=st.sampled_from([1, 3, "M"]), threshold=st.sampled_from([0.0, 0.4, 0.7])
)
@pytest.mark.slow
def test_it_is_f1_of_weighted_soft_matching(
    predicted: list[str], gold: list[str], k: Any, threshold: float
) -> None:
    """Property: where each phrase and each keyphrase counts at its best."""
    golds = [Gold((one,)) for one in gold]
    soft = Soft(
        absent="keep", similarity=SharedWords(), threshold=threshold, assignment="many", weighted=True
    ).match(predicted, golds, None)
    expected = {
        "f1": F1(k=k, denominator="soft"),
        "precision": Precision(k=k, denominator="soft"),
        "recall": Recall(k=k),
    }
    for of, metric in expected.items():
        own = toy(predicted, gold, k=k, threshold=threshold, of=of)
        assert own == pytest.approx(measured(metric, soft), abs=1e-12)
