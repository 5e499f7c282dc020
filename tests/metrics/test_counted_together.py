"""Documents that are counted together: whatever is made of many at once is what is made of each."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpframe.evaluation.predictions import Pair
from kpframe.evaluation.scoring import score_measures
from kpframe.matching.exact import Exact
from kpframe.matching.soft import Soft
from kpframe.matching.substring import Substring
from kpframe.metrics.diversity import DiversityMetric
from kpframe.metrics.f1 import F1
from kpframe.metrics.precision import Precision
from kpframe.metrics.recall import Recall
from kpframe.model import Gold, MatchedDocuments, Matches
from kpframe.spec.measures import Measure
from kpframe.stages import Matching
from kpframe.stages.registry import kinds, lookup
from kpframe.statistics._indel import indel_similarities, indel_sums

CUTS: list[Any] = [1, 3, "M", "O"]
METRICS: list[Any] = [
    *(lookup("metrics", kind)() for kind in kinds("metrics")),
    *(Precision(k=k, denominator=d) for k in CUTS for d in ("hard", "soft", "nonempty")),
    *(F1(k=k, denominator=d) for k in CUTS for d in ("hard", "soft", "nonempty")),
    *(Recall(k=k) for k in CUTS),
    *(
        DiversityMetric(of=of)
        for of in (
            "unique_token_ratio",
            "dup_token_ratio",
            "self_bleu",
            "self_edit_distance",
            "unique_phrases",
        )
    ),
]
MATCHINGS: list[Matching] = [
    Exact(absent="keep"),
    Substring(absent="keep"),
    *(
        Soft(absent="keep", threshold=0, assignment=assignment, weighted=True)
        for assignment in ("rank", "optimal", "many")
    ),
]
PHRASES = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join), max_size=6)


def matched(matching: Matching, predicted: list[str], gold: list[str]) -> Matches:
    """A list with falling confidences, for measures that look at them."""
    found = matching.match(predicted, [Gold((one,)) for one in gold], None)
    return found.scored([1 / rank for rank in range(1, len(predicted) + 1)])


@pytest.mark.slow
@given(st.lists(st.tuples(PHRASES, PHRASES), max_size=5))
@settings(deadline=None, max_examples=settings.default.max_examples // 2)
def test_the_counts_of_many_documents_are_those_of_each(lists: list[tuple[list[str], list[str]]]) -> None:
    """Property: bit by bit, with lists that are empty, repeat themselves or hit nothing, however matched."""
    for matching in MATCHINGS:
        documents = [matched(matching, predicted, gold) for predicted, gold in lists]
        together = [(one.label(), one.count_all(MatchedDocuments(documents))) for one in METRICS]
        assert together == [(one.label(), list(map(one.count, documents))) for one in METRICS]


def test_a_document_that_does_not_tell_its_list_has_no_diversity_among_others_that_do() -> None:
    """Hits without the phrases that were given, as other programs leave them."""
    told = Exact(absent="keep").match(["a b", "a b"], [Gold(("a b",))], None)
    untold = Matches((0,), ("exact",), 1)
    found = DiversityMetric(of="unique_phrase_ratio").count_all(MatchedDocuments([told, untold, told]))
    assert found == [(1, 2), (), (1, 2)]


def test_what_metrics_share_is_made_once() -> None:
    """The second one that asks gets what was made for the first."""
    documents = MatchedDocuments([Matches((-1, 0), ("", "exact"), 1)])
    asked: list[int] = []

    def hits(of: MatchedDocuments, k: int) -> list[float]:
        asked.append(k)
        return [one.hits_at(k) for one in of]

    assert [documents.once(hits, k) for k in (1, 2, 2, 1)] == [[0], [1], [1], [0]]
    assert asked == [1, 2]


def test_a_metric_that_changes_what_another_one_counts_is_asked_itself() -> None:
    """Precision at half of the list: what it inherits for many documents would be precision at all of it."""

    class HalfPrecision(Precision):
        """Of the better half."""

        kind = "half_precision"

        def cut(self, matches: Matches) -> int:
            """Half of the phrases."""
            return matches.predicted // 2

    measure = Measure("half", "exact", HalfPrecision(), Exact(absent="keep"))
    pair = Pair("d", (Gold(("a",)), Gold(("b",))), ("a", "b", "c", "d"), None)
    assert [score.value for score in score_measures([pair], [measure])] == [1.0]


def test_long_lists_are_compared_a_few_at_a_time() -> None:
    """With the sums that each has alone: all pairs of many long lists would take gigabytes."""
    lists = [[f"w{i} x{i % 7} {j}" for i in range(600)] for j in range(5)]
    assert indel_sums(lists) == [math.fsum(indel_similarities(one)) for one in lists]
