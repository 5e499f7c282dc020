"""What holds for all measures of ranked lists, and the figures of trec_eval."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import pytest
from families import every
from hit_lists import hit_list, measured, value, worded
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.errors import SpecError
from kpframe.evaluation.tallies import aggregate, parse_signature, signature, tally
from kpframe.matching.exact import Exact
from kpframe.metrics.alpha_ndcg import AlphaNdcg
from kpframe.metrics.f1 import F1
from kpframe.metrics.map import MeanAveragePrecision
from kpframe.metrics.max_recall import MaxRecall
from kpframe.metrics.mrr import MeanReciprocalRank
from kpframe.metrics.ndcg import Ndcg
from kpframe.metrics.number import Number
from kpframe.metrics.pr_auc import PrAuc
from kpframe.metrics.precision import Precision
from kpframe.metrics.r_precision import RPrecision
from kpframe.metrics.recall import Recall
from kpframe.metrics.sadr import Sadr
from kpframe.metrics.soft_key_score import SoftKeyScore
from kpframe.model import Gold, Matches
from kpframe.stages import Metric, Stage
from kpframe.stages.registry import kinds, lookup

pytestmark = pytest.mark.slow

CUTS: list[Any] = [1, 2, 5, "M", "O"]
OF_HITS: list[Metric] = [
    RPrecision(),
    MaxRecall(),
    *(measure(k=k) for measure in (Precision, Recall, F1, MeanAveragePrecision, Sadr, PrAuc) for k in CUTS),
    *(Precision(k=k, denominator="soft") for k in CUTS),
    *(Ndcg(k=k, ideal=ideal) for k in CUTS for ideal in ("gold", "own")),
    *(MeanReciprocalRank(k=k, of=of) for k in CUTS for of in ("first", "all")),
]
"""Measures that look at hits alone."""

OF_WORDS: list[Metric] = [
    *(AlphaNdcg(k=k, relevance=r) for k in CUTS for r in ("exact", "token_subset", "substring")),
    *(AlphaNdcg(k=k, ideal="own") for k in CUTS),
    *(AlphaNdcg(k=k, ideal="gold", gain="one") for k in CUTS),
    *(SoftKeyScore(k=k, of=of) for k in CUTS for of in ("f1", "precision", "recall")),
    SoftKeyScore(denominator="longer"),
]
"""Measures that look at phrases as well."""

MEASURES = OF_HITS + OF_WORDS
HITS = st.text("+-", max_size=10)
WORDS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=3).map(" ".join), max_size=6
)
NAMES = [f"phrase {letter}" for letter in "abcdefghijkl"]


def test_every_measure_of_lists_is_looked_at() -> None:
    """A new kind is added here, or named as one of another sort."""
    others = {"number", "diversity", "ece"}
    assert {metric.kind for metric in MEASURES} >= set(kinds("metrics")) - others


@given(hits=HITS, more=st.integers(0, 4), metric=st.sampled_from(OF_HITS))
def test_values_of_hits_lie_between_zero_and_one(hits: str, more: int, metric: Metric) -> None:
    """Property; never NaN."""
    assert 0.0 <= value(metric, hits, hits.count("+") + more) <= 1.0


@settings(deadline=None)
@given(predicted=WORDS, gold=WORDS, metric=st.sampled_from(MEASURES))
def test_values_of_words_lie_between_zero_and_one(
    predicted: list[str], gold: list[str], metric: Metric
) -> None:
    """Property; never NaN."""
    assert 0.0 <= measured(metric, worded(predicted, gold)) <= 1.0 + 1e-12


@given(
    hits=HITS,
    more=st.integers(0, 4),
    metric=st.sampled_from([metric for metric in OF_HITS if metric.kind not in ("recall", "max_recall")]),
)
def test_a_wrong_phrase_at_the_end_never_helps(hits: str, more: int, metric: Metric) -> None:
    """Property, for precision of both denominators and all that is made of it."""
    gold = hits.count("+") + more
    assert value(metric, hits + "-", gold) <= value(metric, hits, gold)


@settings(deadline=None)
@given(predicted=WORDS, gold=WORDS, k=st.sampled_from(CUTS))
def test_a_wrong_phrase_at_the_end_never_raises_soft_precision(
    predicted: list[str], gold: list[str], k: Any
) -> None:
    """Property."""
    metric = SoftKeyScore(k=k, of="precision")
    before = measured(metric, worded(predicted, gold))
    assert measured(metric, worded([*predicted, "z y x"], gold)) <= before + 1e-12


@given(hits=HITS, more=st.integers(0, 4), k=st.integers(1, 12))
def test_what_counts_found_gold_never_falls_with_the_cut_off(hits: str, more: int, k: int) -> None:
    """Property: recall, and the measures that add up gains of hits over all gold."""
    gold = hits.count("+") + more
    for measure in (Recall, MeanAveragePrecision, Sadr, PrAuc):
        assert value(measure(k=k), hits, gold) <= value(measure(k=k + 1), hits, gold)
        assert value(measure(k=k), hits, gold) <= value(measure(), hits, gold)


@settings(deadline=None)
@given(predicted=WORDS, gold=WORDS, k=st.integers(1, 8))
def test_soft_recall_never_falls_with_the_cut_off(predicted: list[str], gold: list[str], k: int) -> None:
    """Property."""
    found = worded(predicted, gold)
    shorter, longer = (measured(SoftKeyScore(k=n, of="recall"), found) for n in (k, k + 1))
    assert shorter <= longer + 1e-12


def bound(metric: Metric, count: int) -> float:
    """What a list of all `count` gold keyphrases and nothing else reaches: 1, or what the docstring says."""
    k = getattr(metric, "k", "M")
    within = min(k, count) if isinstance(k, int) else count
    if isinstance(metric, MeanReciprocalRank) and metric.of == "all":
        return sum(1 / rank for rank in range(1, within + 1)) / within
    if isinstance(metric, Precision) and metric.denominator == "hard" and isinstance(k, int):
        return within / k
    if isinstance(metric, F1) and isinstance(k, int):
        return 2 * within / (k + count)
    if isinstance(metric, SoftKeyScore):
        recall = within / count
        return {"precision": 1.0, "recall": recall, "f1": 2 * recall / (1 + recall)}[metric.of]
    if isinstance(metric, AlphaNdcg) and metric.ideal == "gold":
        return sum(1 / math.log2(r + 1) for r in range(1, within + 1)) / sum(
            1 / math.log2(r + 1) for r in range(1, count + 1)
        )
    if isinstance(metric, Recall | MeanAveragePrecision | Sadr | PrAuc):
        return within / count
    return 1.0


@every("metric", MEASURES, ids=lambda metric: metric.label())
def test_a_perfect_list_scores_one_or_the_bound_that_is_stated(metric: Metric) -> None:
    """All gold keyphrases, in any order, and nothing else; they share no word."""
    for count in (1, 2, 4, 7):
        gold = [f"{letter}red {letter}kite" for letter in "abcdefg"[:count]]
        for order in (gold, gold[::-1]):
            assert measured(metric, worded(order, gold)) == pytest.approx(bound(metric, count), abs=1e-12)


@every("metric", MEASURES, ids=lambda metric: metric.label())
def test_an_empty_list_scores_zero(metric: Metric) -> None:
    """With gold, without, and where there is gold no phrase hits."""
    assert measured(metric, worded([], ["red kites"])) == 0.0
    assert measured(metric, worded([], [])) == 0.0
    assert measured(metric, worded(["herons"], [])) == 0.0
    assert measured(metric, worded(["herons"], ["red kites"])) == 0.0


@settings(deadline=None)
@given(
    predicted=WORDS,
    gold=WORDS,
    metric=st.sampled_from(MEASURES),
    place=st.integers(0, 5),
    at=st.integers(0, 6),
)
def test_a_duplicate_never_helps(
    predicted: list[str], gold: list[str], metric: Metric, place: int, at: int
) -> None:
    """Property: a phrase that is said again, behind the first time, changes nothing."""
    if not predicted:
        return
    place %= len(predicted)
    behind = place + 1 + at
    again = [*predicted[:behind], predicted[place].upper(), *predicted[behind:]]
    assert measured(metric, worded(again, gold)) == measured(metric, worded(predicted, gold))


AVERAGES = [
    type(metric)(**{**dict(metric), "average": average})
    for metric in MEASURES
    for average in get_args(type(metric).model_fields["average"].annotation)
]


@settings(deadline=None)
@given(predicted=WORDS, gold=WORDS, metric=st.sampled_from(AVERAGES))
def test_all_averages_of_one_document_are_its_value(
    predicted: list[str], gold: list[str], metric: Metric
) -> None:
    """Property: macro, micro and means."""
    found = worded(predicted, gold)
    score = aggregate(metric, Exact(), [tally(metric, found)])
    assert score.value == (pytest.approx(measured(metric, found), abs=1e-15) if found.gold else None)


@settings(deadline=None)
@given(
    documents=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5),
    metric=st.sampled_from([*AVERAGES, *(Number(of=of) for of in ("hit", "given", "empty"))]),
    seed=st.integers(0, 99),
)
def test_the_order_of_documents_cannot_show(
    documents: list[tuple[list[str], list[str]]], metric: Metric, seed: int
) -> None:
    """Property: equal to the last bit, so that ids play no part either."""
    tallies = [tally(metric, worded(*document)) for document in documents]
    shuffled = random.Random(seed).sample(tallies, len(tallies))
    assert aggregate(metric, Exact(), tallies) == aggregate(metric, Exact(), shuffled)


@given(hits=HITS, more=st.integers(0, 4), metric=st.sampled_from(OF_HITS), seed=st.integers(0, 99))
def test_the_order_of_gold_cannot_show(hits: str, more: int, metric: Metric, seed: int) -> None:
    """Property: it is ranks that count."""
    gold = NAMES[: hits.count("+")] + [f"missed {i}" for i in range(more)]
    names = iter(NAMES)
    predicted = [next(names) if mark == "+" else f"wrong {i}" for i, mark in enumerate(hits)]
    shuffled = random.Random(seed).sample(gold, len(gold))
    expected = value(metric, hits, len(gold))
    assert (
        measured(metric, worded(predicted, gold)) == measured(metric, worded(predicted, shuffled)) == expected
    )


def values_of(annotation: Any) -> list[Any]:
    """Some values that a parameter may have."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    simple: dict[Any, list[Any]] = {bool: [False, True], float: [0.25, 0.4, 1.0]}
    return simple.get(annotation, [])


def stages(folder: str, kind: str) -> st.SearchStrategy[Stage]:
    """Stages of a kind, with random values for their choices, switches, cut-offs and similarities."""
    cls = lookup(folder, kind)
    parameters: dict[str, st.SearchStrategy[Any]] = {}
    for name, field in cls.model_fields.items():
        if name == "similarity":
            parameters[name] = similarities()
        elif name == "k":
            parameters[name] = st.sampled_from(CUTS)
        elif found := values_of(field.annotation):
            parameters[name] = st.sampled_from(found)
    return st.fixed_dictionaries({}, optional=parameters).map(lambda given: made(cls, given)).filter(bool)


def made(cls: type[Stage], parameters: dict[str, Any]) -> Stage | None:
    """The stage, or None where values do not go together."""
    try:
        return cls(**parameters)
    except SpecError:
        return None


def similarities() -> st.SearchStrategy[Stage]:
    """Two kinds with random parameters."""
    return st.one_of(stages("similarity", "jaccard"), stages("similarity", "kmr"))


LISTED = sorted({metric.kind for metric in MEASURES} | {"number"})


@pytest.mark.parametrize("kind", LISTED)
@settings(deadline=None, max_examples=settings.default.max_examples * 2 // 5)
@given(data=st.data())
def test_a_signature_gives_back_metric_and_matching(kind: str, data: st.DataObject) -> None:
    """Property, for random parameters of every kind, similarities within them included."""
    metric = data.draw(stages("metrics", kind))
    matching = data.draw(st.sampled_from(kinds("matching")).flatmap(lambda one: stages("matching", one)))
    assert isinstance(metric, Metric)
    assert parse_signature(signature(metric, matching, 3)) == (metric, matching)  # type: ignore[arg-type]


TREC = {
    "map": MeanAveragePrecision(),
    "ndcg": Ndcg(),
    "ndcg_cut_5": Ndcg(k=5),
    "ndcg_cut_10": Ndcg(k=10),
    "recip_rank": MeanReciprocalRank(),
    "Rprec": RPrecision(),
    "P_5": Precision(k=5),
    "recall_10": Recall(k=10),
    "set_P": Precision(),
    "set_recall": MaxRecall(),
    "set_F": F1(),
    "map_cut_5": MeanAveragePrecision(k=5),
}


def lists_of_hits() -> Iterator[tuple[str, str, int]]:
    """Some lists with their numbers of gold keyphrases, by id."""
    generator = random.Random(7)
    for number in range(200):
        hits = "".join(generator.choice("+--") for _ in range(generator.randint(1, 25)))
        yield f"q{number}", hits, hits.count("+") + generator.randint(0, 4) or 1


def test_the_figures_are_those_of_trec_eval() -> None:
    """Two hundred random lists, every measure that both have."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="trec_eval's Python package is not installed")
    run, qrel = {}, {}
    for id, hits, gold in lists_of_hits():
        run[id] = {f"d{i}": float(-i) for i in range(len(hits))}
        right = [f"d{i}" for i, mark in enumerate(hits) if mark == "+"]
        missed = [f"m{i}" for i in range(gold - len(right))]
        qrel[id] = dict.fromkeys([*right, *missed], 1)
    found = pytrec_eval.RelevanceEvaluator(qrel, pytrec_eval.supported_measures).evaluate(run)
    for id, hits, gold in lists_of_hits():
        for name, metric in TREC.items():
            assert value(metric, hits, gold) == pytest.approx(found[id][name], abs=1e-9), (name, hits, gold)


def test_many_to_many_matches_stay_within_bounds() -> None:
    """Whatever phrases hit in common: all lists of three phrases over two keyphrases."""
    options: list[tuple[int, ...]] = [(), (0,), (1,), (0, 1), (1, 0)]
    for rows in itertools.product(options, repeat=3):
        found = Matches(
            tuple(row[0] if row else -1 for row in rows), ("",) * 3, 2, related=rows, given=("a", "b", "c")
        )
        for metric in OF_HITS:
            assert 0.0 <= measured(metric, found) <= 1.0, metric


def test_gold_of_several_variants_is_one_keyphrase() -> None:
    """A list that names one variant of each is perfect."""
    gold = [Gold(("red kites", "milvus")), Gold(("herons", "ardea"))]
    found = Exact(absent="keep").match(["milvus", "herons"], gold, None)
    for metric in (MeanAveragePrecision(), Ndcg(), Sadr(), PrAuc(), SoftKeyScore(), AlphaNdcg(), F1()):
        assert measured(metric, found) == pytest.approx(1.0)
    assert hit_list("++", 2).ranks == found.ranks
