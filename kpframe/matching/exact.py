"""Equal phrases match."""

from __future__ import annotations

from collections.abc import Sequence

from kpframe.matching._by_rules import Rule, RuleMatching

__all__ = ["Exact"]


class Exact(RuleMatching):
    """A phrase hits a gold keyphrase that has the same tokens after normalisation.

    Case, runs of white space and typographic quotes and hyphens never count.
    """

    def rules(self) -> Sequence[Rule]:
        """Exact alone."""
        return ("exact",)
