"""The consistency of indexers, worked by hand, and on fao30 beside the published value."""

from __future__ import annotations

import os
from itertools import permutations
from pathlib import Path

import pytest

from kpframe import Document, Gold
from kpframe.analysis.consistency import consistency, sources_of
from kpframe.documents.indexers import Indexers
from kpframe.matching.approximate import Approximate
from kpframe.matching.exact import Exact
from kpframe.statistics.agreement import hooper, rolling

EXACT = Exact(absent="keep")


def document(id: str, **terms: str) -> Document:
    """A document with the terms of each indexer, parted by commas."""
    gold = [Gold((one.strip(),), name) for name, list_ in terms.items() for one in list_.split(",") if one]
    return Document(id, "", gold=tuple(gold))


DOCUMENTS = [
    document("1", ann="soil, water, forests", bob="soil, water", eve="law"),
    document("2", ann="fish", bob="fish, sea, law"),
]


def test_the_coefficients_of_two_sets() -> None:
    """Two of 3 and 2 terms: 4/5 and 2/3; nothing in nothing is 0."""
    assert (rolling(2, 3, 2), hooper(2, 3, 2)) == (0.8, 2 / 3)
    assert (rolling(0, 0, 0), hooper(0, 0, 0)) == (0.0, 0.0)


def test_pairs_are_means_over_the_documents_that_both_have_indexed() -> None:
    """Ann and Bob: (4/5 + 2/4) / 2; Eve has one document, and nothing in common with anybody."""
    made = consistency(DOCUMENTS, EXACT, "exact")
    ann, bob, eve = made.indexers
    assert (ann.name, ann.documents, ann.phrases) == ("ann", 2, 2.0)
    assert ann.each == {"bob": (0.65, (2 / 3 + 1 / 3) / 2), "eve": (0.0, 0.0)}
    assert ann.mean == (0.325, 0.25)
    assert bob.each["ann"] == ann.each["bob"]
    assert made.mean == (0.65 / 3, 0.5 / 3)
    assert ann.union == pytest.approx(((4 / 6 + 2 / 4) / 2, (2 / 4 + 1 / 3) / 2))  # soil, water, law; …
    assert eve.union == (0.0, 0.0)


def test_equal_phrases_are_united_before_a_system_is_cut() -> None:
    """As measures do: the first two are soil and water, and two terms are counted."""
    for matching in (EXACT, Approximate(absent="keep")):
        twice, once = consistency(
            DOCUMENTS,
            matching,
            "",
            {"twice": {"1": ["soil", "Soil", "water", "law"]}, "once": {"1": ["soil", "water"]}},
            top=2,
        ).systems
        assert (twice.each, twice.union, twice.phrases) == (once.each, once.union, once.phrases)
        assert twice.phrases == 1.0  # of two documents


def test_a_system_is_put_against_each_and_all() -> None:
    """It lacks the second document, where it counts 0; and may be called like an indexer."""
    made = consistency(DOCUMENTS, EXACT, "exact", {"ann": {"1": ["soil", "law"]}})
    (system,) = made.systems
    assert (system.name, system.phrases) == ("ann", 1.0)
    assert system.each["ann"] == (0.5 * 2 / 5, 0.5 * 1 / 4)
    assert system.each["eve"] == (2 / 3, 1 / 2)
    assert system.union == (0.5 * 4 / 6, 0.5 * 2 / 4)
    assert len(made.indexers) == 3


def test_one_sided_matching_counts_both_ways() -> None:
    """Soil water includes soil, not the other way round: half a term in common of 1 and 1."""
    made = consistency(
        [document("1", ann="soil water", bob="soil")], Approximate(absent="keep"), "approximate"
    )
    ann, bob = made.indexers
    assert ann.each["bob"] == bob.each["ann"] == (0.5, 0.5 / 1.5)


@pytest.mark.slow
def test_the_order_of_documents_and_terms_does_not_matter() -> None:
    """All orders of the two documents and of the terms of the first."""
    values = set()
    for gold in permutations(DOCUMENTS[0].gold):
        first = Document("1", "", gold=gold)
        for pair in permutations([first, DOCUMENTS[1]]):
            values.add(str(consistency(pair, EXACT, "exact").to_json()))
    assert len(values) == 1


def test_sources_of_shared_terms() -> None:
    """A term with the source ann+bob is one of both; one without a source is nobody's."""
    gold = (Gold(("a",), "ann+bob"), Gold(("b",), "bob"), Gold(("c",)))
    found = {
        name: [one.text for one in its] for name, its in sources_of(Document("1", "", gold=gold)).items()
    }
    assert found == {"ann": ["a"], "bob": ["a", "b"]}


FAO = Path(os.environ.get("KPFRAME_DATA", ".")) / "fao30.tar.gz"


@pytest.mark.skipif(not FAO.exists(), reason=f"{FAO} is missing; set KPFRAME_DATA")
@pytest.mark.slow
def test_the_indexers_of_fao30_agree_as_published() -> None:
    """Rolling .387 over all pairs (Medelyan and Witten, 2008: .39); of 1,856 assignments."""
    found = [one for one in Indexers(path=str(FAO), encoding="latin-1").read() if isinstance(one, Document)]
    made = consistency(found, EXACT, "exact")
    assert made.mean is not None
    assert tuple(round(value, 4) for value in made.mean) == (0.3870, 0.2522)
    assert sum(len(its) for one in found for its in sources_of(one).values()) == 1856
    assert max(made.indexers, key=lambda one: one.mean or (0.0,)).name == "iic1"
