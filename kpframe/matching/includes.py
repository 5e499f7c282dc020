"""Longer phrases match the gold keyphrases that they hold."""

from __future__ import annotations

from collections.abc import Sequence

from kpframe.matching._by_rules import Rule, RuleMatching

__all__ = ["Includes"]


class Includes(RuleMatching):
    """A phrase hits a gold keyphrase if it holds all its tokens, contiguous and in order, and more.

    Tokens decide, never characters: "smart cards" does not hold "art". Equal phrases are no hit of
    this kind.
    """

    def rules(self) -> Sequence[Rule]:
        """Includes alone."""
        return ("includes",)
