"""From documents to one score with its signature."""

from __future__ import annotations

import random

import pytest
from families import every
from hypothesis import given
from hypothesis import strategies as st

from kpframe.errors import SpecError
from kpframe.evaluation.tallies import Tally, aggregate, matching_label, parse_signature, signature
from kpframe.matching.approximate import Approximate
from kpframe.matching.exact import Exact
from kpframe.matching.union import Union
from kpframe.metrics.f1 import F1
from kpframe.metrics.max_recall import MaxRecall
from kpframe.metrics.precision import Precision
from kpframe.metrics.r_precision import RPrecision
from kpframe.stages.registry import kinds, lookup
from kpframe.version import __version__


def test_documents_without_gold_are_left_out_and_counted() -> None:
    """Two of three documents count."""
    found = aggregate(RPrecision(), Exact(), [Tally((1, 2), 2, 2), Tally((0, 0), 0, 2), Tally((1, 1), 1, 1)])
    assert (found.value, found.documents, found.skipped) == (0.75, 2, 1)
    assert (found.metric, found.matching) == ("r_precision", "exact")


def test_documents_without_gold_can_count_as_zero() -> None:
    """macro: one more 0 in the mean; micro: their counts are in the sums."""
    tallies = [Tally((2, 4), 2, 4), Tally((0, 4), 0, 4)]
    macro = aggregate(Precision(k=4, empty="zero"), Exact(), tallies)
    assert (macro.value, macro.documents, macro.skipped) == (0.25, 2, 0)
    assert aggregate(Precision(k=4, empty="zero", average="micro"), Exact(), tallies).value == 0.25
    assert aggregate(Precision(k=4, average="micro"), Exact(), tallies).value == 0.5


def test_a_document_that_lacks_either_side_can_be_left_out() -> None:
    """empty: either leaves out documents without predictions as well."""
    tallies = [Tally((1, 2), 2, 2), Tally((0, 3), 3, 0), Tally((0, 0), 0, 5)]
    found = aggregate(RPrecision(empty="either"), Exact(), tallies)
    assert (found.value, found.documents, found.skipped) == (0.5, 1, 2)


def test_a_document_without_a_value_is_in_no_average() -> None:
    """A metric says so by having no counts."""
    found = aggregate(RPrecision(empty="zero"), Exact(), [Tally((1, 4), 4, 4), Tally((), 4, 4)])
    assert (found.value, found.documents, found.skipped) == (0.25, 1, 1)


def test_f_of_means_is_not_the_mean_of_f() -> None:
    """P 1 and 0, R 1/2 and 0 give 1/3 both ways; P 1 and 1/5, R 1/2 and 1 do not."""
    tallies = [Tally((1, 1, 1, 2), 2, 1), Tally((0, 5, 0, 1), 1, 5)]
    assert aggregate(F1(), Exact(), tallies).value == pytest.approx((2 / 3) / 2)
    assert aggregate(F1(average="means"), Exact(), tallies).value == pytest.approx(1 / 3)
    tallies[1] = Tally((1, 5, 1, 1), 1, 5)
    assert aggregate(F1(), Exact(), tallies).value == pytest.approx((2 / 3 + 1 / 3) / 2)
    means = 2 * 0.6 * 0.75 / (0.6 + 0.75)
    assert aggregate(F1(average="means"), Exact(), tallies).value == pytest.approx(means)


@pytest.mark.parametrize("tallies", [[], [Tally((0, 0), 0, 1)]])
def test_without_a_document_that_counts_there_is_no_value(tallies: list[Tally]) -> None:
    """None, never 0 and never NaN; micro as well."""
    for metric in (RPrecision(), RPrecision(average="micro")):
        found = aggregate(metric, Exact(), tallies)
        assert (found.value, found.documents, found.skipped) == (None, 0, len(tallies))


@given(
    tallies=st.lists(
        st.integers(1, 30).flatmap(
            lambda g: st.builds(Tally, st.tuples(st.integers(0, g), st.just(g)), st.just(g), st.just(9))
        )
    ),
    seed=st.integers(0, 99),
)
@pytest.mark.slow
def test_the_order_of_documents_cannot_show(tallies: list[Tally], seed: int) -> None:
    """Property: equal to the last bit."""
    shuffled = random.Random(seed).sample(tallies, len(tallies))
    for metric in (RPrecision(), RPrecision(average="micro")):
        assert aggregate(metric, Exact(), tallies) == aggregate(metric, Exact(), shuffled)


def test_the_signature_says_everything() -> None:
    """Defaults included; the hash of the spec is cut to 12 characters."""
    found = aggregate(RPrecision(), Approximate(), [Tally((1, 2), 2, 9)] * 667, spec="0123456789abcdef")
    assert found.signature == (
        "r_precision|match:approximate|norm:casefold|tok:words|fold:full|absent:drop|present:tokens|dup:unite"
        "|empty:skip|avg:macro"
        f"|docs:667|spec:0123456789ab|kpframe:{__version__}"
    )
    assert signature(Precision(k=5, average="micro"), Exact(), 3, version="0.1.0") == (
        "precision@5|denominator:hard|match:exact|norm:casefold|tok:words|fold:full|absent:drop|present:tokens"
        "|dup:unite|empty:skip|avg:micro|docs:3|kpframe:0.1.0"
    )


@every("metric", kinds("metrics"))
@every("matching", kinds("matching"))
def test_every_signature_parses_back(metric: str, matching: str) -> None:
    """Every shipped metric with every shipped matching, at the defaults."""
    pair = (lookup("metrics", metric)(), lookup("matching", matching)())
    assert parse_signature(signature(*pair, 10, spec="ab")) == pair


@pytest.mark.parametrize(
    "pair",
    [
        (Precision(k=10, denominator="soft", average="micro", empty="zero"), Exact(normalize="porter")),
        (F1(k="O"), Union(of=["morph", "part_of"], absent="keep", duplicates="keep")),
    ],
)
def test_parameters_survive_the_signature(pair: tuple[F1, Union]) -> None:
    """Other values than the defaults."""
    assert parse_signature(signature(*pair, 10)) == pair


def test_a_signature_may_leave_out_defaults() -> None:
    """What people write by hand is read too."""
    assert parse_signature("f1@5|match:exact") == (F1(k=5), Exact())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("r_precison|match:exact", "metrics: unknown kind 'r_precison'; did you mean 'r_precision'?"),
        ("r_precision|match:exakt", "matching: unknown kind 'exakt'; did you mean 'exact'?"),
        ("r_precision", "signature 'r_precision': names no matching; it must have one part match:<kind>"),
        (
            "r_precision|exact",
            "signature 'r_precision|exact': 'exact' is no name with a value; write name:value",
        ),
        (
            "r_precision@3|match:exact",
            "signature 'r_precision@3|match:exact': r_precision takes no value after @; leave it out",
        ),
        (
            "f1|match:exact|depth:3",
            "signature 'f1|match:exact|depth:3': 'depth' is no parameter of exact or f1, or is given twice",
        ),
        (
            "f1@0|match:exact",
            "signature 'f1@0|match:exact': k: must be a whole number of at least 1, M (all phrases) or O "
            "(as many as there is gold) (given: '0'); it means: How many phrases count, from the best: a "
            "number; M: all; O: as many as there are gold keyphrases.",
        ),
        (
            "f1|match:exact|norm:stem",
            "signature 'f1|match:exact|norm:stem': normalize: must be 'casefold', 'porter', "
            "'snowball', 'lancaster' or 'lemma' (given: 'stem'); it means: How tokens are compared: "
            "case-folded, by stems (the three are for English; others have Snowball's), or by noun lemmas.",
        ),
    ],
)
def test_a_bad_signature_is_told(text: str, message: str) -> None:
    """Place, problem, remedy."""
    with pytest.raises(SpecError) as caught:
        parse_signature(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("matching", "label"),
    [
        (Exact(), "exact"),
        (Exact(absent="keep", normalize="porter"), "exact(normalize=porter,absent=keep)"),
        (Union(), "union"),
        (Union(of="exact+part_of"), "union(of=exact+part_of)"),
    ],
)
def test_the_label_of_a_matching_tells_them_apart(matching: Exact, label: str) -> None:
    """The kind, and what is not the default."""
    assert matching_label(matching) == label


def test_a_score_can_be_written_as_json() -> None:
    """Plain values; MaxRecall over two documents."""
    written = aggregate(MaxRecall(), Exact(), [Tally((1, 2), 2, 2), Tally((3, 4), 4, 4)]).to_json()
    assert (written["value"], written["documents"], written["skipped"]) == (0.625, 2, 0)
