"""Phrases that stand in certain sections alone."""

from __future__ import annotations

import pytest

import kpframe as kp
from kpframe.model.annotations import SECTION_KINDS

PAPER = """Joins in Large Graphs

Ada Rill
University of Wide River
ABSTRACT
Joins in large graphs are slow.
1. INTRODUCTION
The University of Wide River has a join tree.
2. METHOD
We draw a hash table.
REFERENCES
[1] Quist, B. Merge sort. 2001.
"""
CHAIN = [
    "candidates={kind: ngrams, min: 2, max: 3}",
    "ranking=position",
]


def chain(*steps: str, preprocessing: str = "[simple, sections]") -> kp.Pipeline:
    said = [f"preprocessing={preprocessing}", *CHAIN, f"postprocessing=[{', '.join(steps)}]"]
    return kp.Pipeline.load("any-language", settings=said)


def found(text: str, *steps: str) -> list[str]:
    return [keyphrase.text for keyphrase in chain(*steps).extract(text)]


def test_names_of_authors_are_left_out() -> None:
    """They stand before the abstract alone; the river stands in the introduction too."""
    before, after = found(PAPER), found(PAPER, "sections")
    assert "Ada Rill" in before
    assert "Ada Rill" not in after
    assert "Wide River" in after
    assert [phrase for phrase in before if phrase in after] == after


def test_other_sections_can_be_named() -> None:
    """A phrase of the references goes, one of the method stays."""
    after = found(PAPER, "{kind: sections, drop: [references, acknowledgements]}")
    assert "Merge sort" not in after
    assert {"Ada Rill", "hash table"} <= set(after)


@pytest.mark.parametrize("text", ["", "Joins in large graphs are slow. They are large."])
def test_a_text_without_sections_loses_nothing(text: str) -> None:
    """There is no front matter to be seen."""
    assert found(text, "sections") == found(text)


def test_sections_must_have_been_annotated() -> None:
    """Otherwise the chain says so before anything runs."""
    with pytest.raises(kp.KpframeError, match=r"postprocessing.*sections"):
        chain("sections", preprocessing="[simple]")


def test_every_kind_of_section_can_be_named() -> None:
    """With all of them nothing is left of a paper."""
    assert found(PAPER, f"{{kind: sections, drop: [{', '.join(SECTION_KINDS)}]}}") == []
