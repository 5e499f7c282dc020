"""The paper's approximate matching."""

from __future__ import annotations

from collections.abc import Sequence

from kpframe.matching._by_rules import Rule, RuleMatching

__all__ = ["Approximate"]


class Approximate(RuleMatching):
    """Exact, Morph or Includes: the matching that the paper proposes.

    Of these matches 83 % were accepted by at least three of four judges. A phrase that is longer
    *and* has another number ("fast neural networks" for "neural network") is no match, as each rule
    holds by itself or not at all.
    """

    def rules(self) -> Sequence[Rule]:
        """Exact, then Morph, then Includes."""
        return ("exact", "morph", "includes")
