"""What the measures are, worked by hand and from the original framework's own tests."""

from __future__ import annotations

from typing import Any

import pytest
from families import every
from hypothesis import given
from hypothesis import strategies as st

from kpframe.errors import SpecError
from kpframe.evaluation.tallies import aggregate, tally
from kpframe.matching.exact import Exact
from kpframe.metrics.f1 import F1
from kpframe.metrics.max_recall import MaxRecall
from kpframe.metrics.precision import Precision
from kpframe.metrics.r_precision import RPrecision
from kpframe.metrics.recall import Recall
from kpframe.model import Gold, Matches
from kpframe.stages import Metric
from kpframe.stages.registry import kinds, lookup


def matches(hits: str, gold: int) -> Matches:
    """A list of phrases, `+` a hit and `-` a miss, against a number of gold keyphrases."""
    numbers = iter(range(len(hits)))
    found = tuple(next(numbers) if mark == "+" else -1 for mark in hits)
    return Matches(found, tuple("exact" if n >= 0 else "" for n in found), gold)


def value(metric: Metric, hits: str, gold: int) -> float:
    """The value for one document."""
    return metric.value(metric.count(matches(hits, gold)))


COUNTER = [matches("+-+-+", 5), matches("+-+", 3)]
"""The two documents of the original framework's counter test."""


def score(metric: Metric, documents: list[Matches]) -> float | None:
    """The value over several documents."""
    return aggregate(metric, Exact(), [tally(metric, document) for document in documents]).value


@pytest.mark.parametrize(
    ("k", "micro_p", "macro_p", "micro_r", "macro_r"),
    [
        (2, 0.5, 0.5, 0.25, 0.2667),
        (3, 2 / 3, 2 / 3, 0.5, 0.5333),
        (4, 4 / 7, 0.5833, 0.5, 0.5333),
        (5, 0.625, 0.6333, 0.625, 0.6333),
        (10, 0.625, 0.6333, 0.625, 0.6333),
        (15, 0.625, 0.6333, 0.625, 0.6333),
    ],
)
def test_the_counter_of_the_original_framework(
    k: int, micro_p: float, macro_p: float, micro_r: float, macro_r: float
) -> None:
    """Its precision has the soft denominator: k is clipped to the document's list."""
    soft = {"k": k, "denominator": "soft"}
    assert score(Precision(average="micro", **soft), COUNTER) == pytest.approx(micro_p, abs=5e-5)
    assert score(Precision(**soft), COUNTER) == pytest.approx(macro_p, abs=5e-5)
    assert score(Recall(k=k, average="micro"), COUNTER) == pytest.approx(micro_r, abs=5e-5)
    assert score(Recall(k=k), COUNTER) == pytest.approx(macro_r, abs=5e-5)


def test_r_precision_of_the_original_framework() -> None:
    """.6 and 2/3, mean .63333."""
    assert [value(RPrecision(), "+-+-+", 5), value(RPrecision(), "+-+", 3)] == [0.6, 2 / 3]
    assert score(RPrecision(), COUNTER) == pytest.approx(0.63333, abs=5e-6)


def test_the_evaluator_of_the_original_framework() -> None:
    """Three gold keyphrases are left, two are found: R-precision 2/3."""
    gold = [Gold((g,)) for g in ("keyphrases", "exception", "text", "not_a_keyphrase_in_the_text")]
    predicted = ["keyphrases", "exception", "not_a_valid_keyphrase"]
    found = Exact().match(predicted, gold, "A text with keyphrases and one exception.")
    assert RPrecision().count(found) == (2, 3)
    assert found.dropped == 1


def test_r_precision_divides_by_r_however_few_phrases_there_are() -> None:
    """Two of two right, four gold: one half. Hits behind rank R do not count."""
    assert value(RPrecision(), "++", 4) == 0.5
    assert value(RPrecision(), "-+++", 2) == 0.5
    assert value(RPrecision(), "", 4) == 0.0


@pytest.mark.parametrize(
    ("k", "denominator", "precision", "recall", "f1"),
    [
        (2, "hard", 1 / 2, 1 / 4, 1 / 3),
        (5, "hard", 2 / 5, 2 / 4, 4 / 9),
        (5, "soft", 2 / 3, 2 / 4, 4 / 7),
        ("M", "hard", 2 / 3, 2 / 4, 4 / 7),
        ("M", "soft", 2 / 3, 2 / 4, 4 / 7),
        ("O", "hard", 2 / 4, 2 / 4, 2 / 4),
        ("O", "soft", 2 / 3, 2 / 4, 4 / 7),
    ],
)
def test_cut_offs_and_denominators(
    k: Any, denominator: Any, precision: float, recall: float, f1: float
) -> None:
    """Three phrases, the second and the third right, against four gold keyphrases."""
    assert value(Precision(k=k, denominator=denominator), "-++", 4) == pytest.approx(precision)
    assert value(Recall(k=k), "-++", 4) == pytest.approx(recall)
    assert value(F1(k=k, denominator=denominator), "-++", 4) == pytest.approx(f1)


def test_the_greatest_recall_is_that_of_the_whole_list() -> None:
    """Wherever the hits stand."""
    assert value(MaxRecall(), "-----+-+", 4) == 0.5


@every("kind", kinds("metrics"))
@every(("hits", "gold"), [("", 0), ("", 3), ("---", 0)])
def test_nothing_to_divide_by_is_zero(kind: str, hits: str, gold: int) -> None:
    """No predictions, no gold, or neither: 0 for every measure (or no value), never an error."""
    metric = lookup("metrics", kind)()
    counts = metric.count(matches(hits, gold))
    assert not counts or metric.value(counts) == 0.0


def test_set_measures_ignore_order() -> None:
    """The right phrases in another order: only measures with a cut-off below the list see it."""
    for metric in (Precision(), Recall(), F1(), MaxRecall(), Precision(k=4), F1(k=4)):
        assert value(metric, "++--", 3) == value(metric, "--++", 3)
    assert value(Precision(k=2), "++--", 3) > value(Precision(k=2), "--++", 3)
    assert value(RPrecision(), "++--", 2) > value(RPrecision(), "--++", 2)


def test_macro_and_micro_differ_in_value_and_in_name() -> None:
    """Two documents with 1 and 10 gold keyphrases: 1 of 1 and 1 of 10 found."""
    documents = [matches("+", 1), matches("+---------", 10)]
    macro, micro = Recall(k=10), Recall(k=10, average="micro")
    assert score(macro, documents) == pytest.approx(0.55)
    assert score(micro, documents) == pytest.approx(2 / 11)
    assert (macro.label(), micro.label()) == ("recall@10", "recall(average=micro)@10")


@pytest.mark.parametrize(
    ("metric", "label"),
    [
        (RPrecision(), "r_precision"),
        (RPrecision(empty="zero"), "r_precision(empty=zero)"),
        (Precision(), "precision@M"),
        (Precision(k=5), "precision@5"),
        (Precision(k=5, denominator="soft"), "precision(denominator=soft)@5"),
        (F1(k="O"), "f1@O"),
        (MaxRecall(), "max_recall"),
    ],
)
def test_the_label_tells_measures_apart(metric: Metric, label: str) -> None:
    """Kind, what is not the default, cut-off."""
    assert metric.label() == label


def test_a_cut_off_may_be_written_as_text() -> None:
    """As in the short form precision@5."""
    assert Precision(k="5") == Precision(k=5)
    assert Precision.short == "k"


@pytest.mark.parametrize("k", [0, -1, 2.5, "m", "", None, "5.5"])
def test_a_cut_off_that_is_none_is_refused(k: Any) -> None:
    """One message, that says what a cut-off is."""
    with pytest.raises(SpecError) as caught:
        Precision(k=k)
    (found,) = caught.value.problems
    assert found.place == "Precision.k"
    assert found.problem.startswith(
        "must be a whole number of at least 1, M (all phrases) or O (as many as there is gold)"
    )


def test_yuans_oracle_needs_the_hard_denominator() -> None:
    """All of 3 gold keyphrases returned and no more: F1@5 is 2·3/(5+3), not 1."""
    assert value(F1(k=5), "+++", 3) == 0.75
    assert value(F1(k=5, denominator="soft"), "+++", 3) == 1.0


HITS = st.text("+-", max_size=12)
METRICS = [RPrecision(), MaxRecall(), *(m(k=k) for m in (Precision, Recall, F1) for k in (1, 5, "M", "O"))]


@given(hits=HITS, more=st.integers(0, 5), metric=st.sampled_from(METRICS))
def test_values_lie_between_zero_and_one(hits: str, more: int, metric: Metric) -> None:
    """Property."""
    assert 0.0 <= value(metric, hits, hits.count("+") + more) <= 1.0


@given(hits=HITS, more=st.integers(0, 5), k=st.sampled_from([1, 3, 5, "M", "O"]), soft=st.booleans())
def test_a_wrong_phrase_at_the_end_never_raises_precision(hits: str, more: int, k: Any, soft: bool) -> None:
    """Property, for both denominators."""
    metric = Precision(k=k, denominator="soft" if soft else "hard")
    gold = hits.count("+") + more
    assert value(metric, hits + "-", gold) <= value(metric, hits, gold)


@given(hits=HITS, more=st.integers(0, 5), k=st.integers(1, 14))
def test_recall_never_falls_with_the_cut_off(hits: str, more: int, k: int) -> None:
    """Property; and the greatest recall bounds it."""
    gold = hits.count("+") + more
    assert value(Recall(k=k), hits, gold) <= value(Recall(k=k + 1), hits, gold)
    assert value(Recall(k=k), hits, gold) <= value(MaxRecall(), hits, gold)


@given(count=st.integers(1, 12))
def test_a_perfect_list_scores_one(count: int) -> None:
    """Property: all gold keyphrases and nothing else."""
    for metric in (RPrecision(), MaxRecall(), Precision(), Recall(), F1(), Precision(k="O"), F1(k="O")):
        assert value(metric, "+" * count, count) == 1.0


@given(hits=HITS, more=st.integers(0, 5), k=st.sampled_from([1, 4, "M", "O"]))
def test_f1_is_the_harmonic_mean(hits: str, more: int, k: Any) -> None:
    """Property: computed from counts, equal to 2PR/(P+R)."""
    gold = hits.count("+") + more
    p, r = value(Precision(k=k), hits, gold), value(Recall(k=k), hits, gold)
    assert value(F1(k=k), hits, gold) == pytest.approx(2 * p * r / (p + r) if p + r else 0.0)
