"""Any set of matching rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, get_args

from pydantic import Field, field_validator

from kpframe.matching._by_rules import Rule, RuleMatching

__all__ = ["Union"]


class Union(RuleMatching):
    """A phrase hits a gold keyphrase by any of the rules in `of`.

    The rules are tried in the order exact, morph, includes, part_of, however they are listed.
    `of` may be written as one string, `exact+part_of`.
    """

    short: ClassVar[str] = "of"

    of: tuple[Rule, ...] = Field(
        ("exact", "includes"), min_length=1, description="The rules by which a phrase may hit."
    )

    @field_validator("of", mode="before")
    @classmethod
    def _split(cls, of: Any) -> Any:
        return tuple(of.split("+")) if isinstance(of, str) else of

    @field_validator("of")
    @classmethod
    def _in_order(cls, of: tuple[Rule, ...]) -> tuple[Rule, ...]:
        return tuple(rule for rule in get_args(Rule) if rule in of)

    def rules(self) -> Sequence[Rule]:
        """The rules in `of`."""
        return self.of
