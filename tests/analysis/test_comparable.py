"""What is compared where some documents failed in some pipelines: the same documents in all of them."""

from __future__ import annotations

from kpframe.analysis.comparable import comparable
from kpframe.evaluation.tallies import Tally
from kpframe.runs.records import FailedDocument

TEN = frozenset(f"d{number}" for number in range(10))
THIRTY = frozenset(f"d{number}" for number in range(30))


def failures(**of: str) -> dict[str, dict[str, FailedDocument]]:
    """By pipeline the documents that failed, named with blanks between them."""
    return {
        name: {id: FailedDocument(id, "ranking", f"{id} is too long") for id in ids.split()}
        for name, ids in of.items()
    }


def test_a_document_that_fails_in_one_pipeline_is_compared_in_none() -> None:
    """One of ten is not more than a tenth, so that the pipeline stays."""
    found = comparable(TEN, failures(a="", b="d3", c=""))
    assert found.documents == TEN - {"d3"}
    assert {id: list(of) for id, of in found.failed.items()} == {"d3": ["b"]}
    assert not found.out
    tallies: dict[str, Tally | None] = dict.fromkeys(TEN, Tally((1.0,), 1, 1))
    kept = found.of_tallies({"a": tallies, "b": {**tallies, "d3": None}, "c": tallies})
    assert {name: own.keys() for name, own in kept.items()} == {name: TEN - {"d3"} for name in "abc"}


def test_a_pipeline_that_fails_often_takes_no_documents_from_the_others() -> None:
    """On more than a tenth: it is left out, with what failed."""
    found = comparable(TEN, failures(a="", b="d1 d2", c="d2 d3", d="d4", e=""))
    assert found.out.keys() == {"b", "c"}
    assert [failure.id for failure in found.out["b"]] == ["d1", "d2"]
    assert found.documents == TEN - {"d4"}
    assert found.failed.keys() == {"d4"}
    assert comparable(TEN, failures(a="", b=" ".join(TEN), c="")).documents == TEN


def test_a_text_that_most_pipelines_cannot_read_is_left_out_first() -> None:
    """Texts in a language without a model are no reason to leave out all that need one."""
    portuguese = " ".join(f"d{number}" for number in range(12))
    found = comparable(THIRTY, failures(a=portuguese, b=portuguese, c="", d=f"{portuguese} d20"))
    assert not found.out
    assert len(found.documents) == 17
    assert found.of == 18


def test_documents_without_gold_take_part_in_nothing_but_are_named() -> None:
    """They are in no mean; that they failed is told."""
    found = comparable(TEN, failures(a="x1 x2 x3", b="", c=""))
    assert found.documents == TEN
    assert found.failed.keys() == {"x1", "x2", "x3"}
    assert not found.out


def test_where_everything_fails_nothing_is_left() -> None:
    """Neither documents nor, where each fails on its own, pipelines."""
    everything = " ".join(TEN)
    assert not comparable(TEN, failures(a=everything, b=everything)).documents
    each = comparable(TEN, failures(a="d1 d2", b="d3 d4", c="d5 d6"))
    assert each.out.keys() == {"a", "b", "c"}
