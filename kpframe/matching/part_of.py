"""Shorter phrases match the gold keyphrases that hold them."""

from __future__ import annotations

from collections.abc import Sequence

from kpframe.matching._by_rules import Rule, RuleMatching

__all__ = ["PartOf"]


class PartOf(RuleMatching):
    """A phrase hits a gold keyphrase that holds all its tokens, contiguous and in order, and more.

    No part of `approximate`: three of four judges accepted only 44 % of such matches (Zesch and
    Gurevych 2009, table 2). Equal phrases are no hit of this kind.
    """

    def rules(self) -> Sequence[Rule]:
        """PartOf alone."""
        return ("part_of",)
