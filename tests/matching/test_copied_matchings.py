"""Matchings with other parameters than one that was used: nothing of the old ones stays with them."""

from __future__ import annotations

import pytest

import kpframe as kp
from kpframe.engine.losses import present_of, whole_of
from kpframe.matching.exact import Exact
from kpframe.model import Document, Gold

DOCUMENT = Document("1", "a b c", gold=(Gold(("a",)), Gold(("zzz",))))


@pytest.mark.parametrize(("subset", "value"), [("all", 0.5), ("present", 1.0), ("absent", 0.0)])
def test_a_matching_that_was_used_counts_any_subset(subset: str, value: float) -> None:
    """Of the two gold keyphrases the one in the text is found."""
    matching = Exact()
    for used in ("present", subset, "all", subset):
        (found,) = kp.score([DOCUMENT], {"1": ["a", "q"]}, metrics="recall@M", matching=matching, subset=used)
    assert found.value == value


@pytest.mark.parametrize("absent", ["keep", "drop", "only", "split"])
def test_what_stands_in_the_text_is_so_for_any_subset(absent: str) -> None:
    """Losses ask a matching that has counted already."""
    matching = Exact(absent=absent)
    matching.match([], list(DOCUMENT.gold), DOCUMENT.text)
    present, whole = (of(matching, DOCUMENT, DOCUMENT.text) for of in (present_of, whole_of))
    assert [[one.surface for one in variants] for variants in present] == [["a"]]
    assert [[one.surface for one in variants] for variants in whole] == [["a"], ["zzz"]]


def test_a_copy_is_the_stage_that_is_made_anew() -> None:
    """Equal to it, and with its key."""
    used = Exact()
    hash(used)
    used.match([], list(DOCUMENT.gold), DOCUMENT.text)
    copied = used.model_copy(update={"absent": "only"})
    assert copied == Exact(absent="only") and hash(copied) == hash(Exact(absent="only"))
