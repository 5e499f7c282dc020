"""Singular and plural of English nouns; other languages stand in `test_cases_round2.py`."""

from __future__ import annotations

import pytest

from kpframe.language.plurals import differ_in_number


@pytest.mark.parametrize(
    ("one", "many"),
    [("cat", "cats"), ("bus", "buses"), ("stomach", "stomachs"), ("query", "queries"), ("mouse", "mice")],
)
def test_forms_of_one_noun_differ_in_number_alone(one: str, many: str) -> None:
    """In both directions."""
    assert differ_in_number(one, many, "en")
    assert differ_in_number(many, one, "en")


@pytest.mark.parametrize(
    ("one", "other"),
    [("cat", "cas"), ("bus", "buss"), ("box", "boxs"), ("cat", "cat"), ("s", "ss"), ("boy", "boies")],
)
def test_what_merely_looks_like_a_plural_is_none(one: str, other: str) -> None:
    """After a hissing sound -s makes none; a word is no plural of itself, nor one of a single letter."""
    assert not differ_in_number(one, other, "en")
    assert not differ_in_number(other, one, "en")
