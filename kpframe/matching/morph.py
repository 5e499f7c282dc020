"""Singular and plural match."""

from __future__ import annotations

from collections.abc import Sequence

from kpframe.matching._by_rules import Rule, RuleMatching

__all__ = ["Morph"]


class Morph(RuleMatching):
    """A phrase hits a gold keyphrase that differs from it in the number of the last token only.

    Both directions count, with -s, -es, -ies and a table of irregular plurals; "cas" is no plural of
    "cat". Equal phrases are no hit of this kind: use `approximate`, or `union` with `exact`. The
    original program compares characters and accepts the plural only on the side of the prediction;
    the paper's definition has no direction. Under stems or lemmas the tokens before the last one are
    compared by them, the last one is compared as a word.
    """

    def rules(self) -> Sequence[Rule]:
        """Morph alone."""
        return ("morph",)
