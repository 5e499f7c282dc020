"""Numbers of things per document."""

from __future__ import annotations

import pytest
from hit_lists import hit_list, worded

from kpframe.evaluation.tallies import aggregate, tally
from kpframe.matching.exact import Exact
from kpframe.metrics.number import Number
from kpframe.model import Gold, Matches

TEXT = "Nets and more nets over a city."


def document(absent: str) -> Matches:
    """Six phrases, one empty and one twice, and three gold keyphrases, one not in the text."""
    predicted = ["nets", "Nets", " ", "rivers", "city", "bridges"]
    return Exact(absent=absent).match(predicted, [Gold((g,)) for g in ("nets", "city", "tower")], TEXT)


@pytest.mark.parametrize(
    ("of", "keep", "drop", "split", "only"),
    [
        ("given", 6, 6, 6, 6),
        ("predicted", 4, 4, 2, 2),
        ("gold", 3, 2, 2, 1),
        ("dropped", 0, 1, 1, 2),
        ("hit", 2, 2, 2, 0),
        ("no_hit", 0, 0, 0, 1),
        ("empty", 0, 0, 0, 0),
    ],
)
def test_what_is_counted(of: str, keep: int, drop: int, split: int, only: int) -> None:
    """By what matching makes of present and absent ones."""
    found = [Number(of=of).count(document(absent)) for absent in ("keep", "drop", "split", "only")]
    assert found == [(keep,), (drop,), (split,), (only,)]


def test_documents_without_gold_or_phrases_count_like_all_others() -> None:
    """Means over three documents, of which one has no gold and one no phrases."""
    documents = [hit_list("+-", 2), hit_list("--", 0), hit_list("", 1)]
    found = {}
    for of in ("hit", "predicted", "gold", "no_hit", "empty"):
        metric = Number(of=of)
        score = aggregate(metric, Exact(), [tally(metric, one) for one in documents])
        assert (score.documents, score.skipped) == (3, 0)
        found[of] = score.value
    thirds = {"hit": 1, "predicted": 4, "gold": 3, "no_hit": 2, "empty": 1}
    assert found == pytest.approx({of: count / 3 for of, count in thirds.items()})


def test_the_short_form_names_what_is_counted() -> None:
    """number@gold."""
    assert (Number.short, Number(of="gold").label()) == ("of", "number@gold")
    value = Number().value(Number().count(worded(["a"], ["a"])))
    assert isinstance(value, float)
