"""Claims about a summary that are written in a spec and checked against what came out."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from kpframe.model.summary import Summary
from kpframe.reports._table import rounded

__all__ = ["Above", "Best", "Claim", "Close", "GapNarrows", "Lowest", "Verdict"]

SLACK = 1e-12
"""Differences below this are rounding noise of floats (0.3 is at least 0.2 + 0.1)."""

Names = Annotated[tuple[str, ...], Field(min_length=1)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a claim.

    `holds` is None where it cannot be decided, and `evidence` then says why; otherwise `evidence`
    has the deciding numbers, rounded. `figures` are all values that were looked at, unrounded.
    """

    says: str
    holds: bool | None
    evidence: str
    figures: Mapping[str, float]

    @property
    def mark(self) -> str:
        """✓, ✗ or ?."""
        return "?" if self.holds is None else "✓" if self.holds else "✗"

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "says": self.says,
            "holds": self.holds,
            "evidence": self.evidence,
            "figures": dict(self.figures),
        }


class Unknown(Exception):
    """A value that a claim needs is missing; the message says which."""


class _Values:
    """Looks up the values that a claim names, and remembers them."""

    def __init__(self, summary: Summary) -> None:
        self.summary = summary
        self.seen: dict[str, float] = {}

    def of(self, cells: Iterable[str], column: str) -> dict[str, float]:
        """The values of `cells` in `column`; raises Unknown unless all are there."""
        if column not in self.summary.columns:
            raise Unknown(f"there is no column {column}")
        named = list(dict.fromkeys(cells))
        missing = [cell for cell in named if self.summary.find(cell) is None]
        if missing:
            raise Unknown(f"not run: {', '.join(missing)}")
        found = {cell: self.summary.value(cell, column) for cell in named}
        empty = [cell for cell, value in found.items() if value is None]
        if empty:
            raise Unknown(f"no value of {column} for: {', '.join(empty)}")
        values = {cell: value for cell, value in found.items() if value is not None}
        self.seen.update({f"{cell} {column}": value for cell, value in values.items()})
        return values

    def rivals(self, cells: Sequence[str], column: str, among: Sequence[str] | None) -> dict[str, float]:
        """The values of the others: of `among`, or of all cells that have one; Unknown if none has."""
        if among is None:
            among = [cell.name for cell in self.summary.cells if cell.value(column) is not None]
        others = self.of([cell for cell in among if cell not in cells], column)
        if not others:
            raise Unknown("there is no other cell to compare with")
        return others


class _Claim(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    says: str = Field(min_length=1, description="The claim as a sentence; it is printed.")

    def check(self, summary: Summary, digits: int) -> Verdict:
        """Decide the claim; `digits` are the decimals of the evidence."""
        values = _Values(summary)
        try:
            holds, evidence = self.decide(values, digits)
        except Unknown as reason:
            return Verdict(self.says, None, str(reason), values.seen)
        return Verdict(self.says, holds, evidence, values.seen)

    @abstractmethod
    def decide(self, values: _Values, digits: int) -> tuple[bool, str]:
        """Whether the claim holds, and the numbers that decide it."""


class Above(_Claim):
    """Every cell of `higher` is at least `by` above every cell of `lower`."""

    kind: Literal["above"]
    higher: Names = Field(description="Names of the cells that are better.")
    lower: Names = Field(description="Names of the cells that are worse.")
    column: str = Field(description="The column, as r_precision/exact.")
    by: Number = Field(0.0, description="The least difference.")

    def decide(self, values: _Values, digits: int) -> tuple[bool, str]:
        """The worst of the higher against the best of the lower."""
        higher, lower = values.of(self.higher, self.column), values.of(self.lower, self.column)
        worst, best = min(higher, key=higher.__getitem__), max(lower, key=lower.__getitem__)
        difference = higher[worst] - lower[best]
        evidence = (
            f"{self.column}: worst {worst} {rounded(higher[worst], digits)}, "
            f"best below {best} {rounded(lower[best], digits)}; "
            f"difference {rounded(difference, digits)}, needed {rounded(self.by, digits)}"
        )
        return difference >= self.by - SLACK, evidence


class Best(_Claim):
    """No cell of `among` is better than `cell`."""

    kind: Literal["best"]
    cell: str = Field(description="Name of the cell.")
    column: str = Field(description="The column, as r_precision/exact.")
    among: Names | None = Field(None, description="Names of the rivals; null: all cells that were run.")

    def decide(self, values: _Values, digits: int) -> tuple[bool, str]:
        """The cell against the best of the others."""
        value = values.of([self.cell], self.column)[self.cell]
        others = values.rivals([self.cell], self.column, self.among)
        rival = max(others, key=others.__getitem__)
        evidence = (
            f"{self.column}: {self.cell} {rounded(value, digits)}, "
            f"best of the others {rival} {rounded(others[rival], digits)} (of {len(others)})"
        )
        return value >= others[rival] - SLACK, evidence


class Close(_Claim):
    """The two cells of each pair differ by at most `within`."""

    kind: Literal["close"]
    pairs: Annotated[tuple[tuple[str, str], ...], Field(min_length=1)] = Field(
        description="Pairs of names of cells."
    )
    column: str = Field(description="The column, as r_precision/exact.")
    within: Number = Field(0.03, ge=0, description="The greatest difference.")

    def decide(self, values: _Values, digits: int) -> tuple[bool, str]:
        """The pair that is farthest apart."""
        found = values.of([name for pair in self.pairs for name in pair], self.column)
        first, second = max(self.pairs, key=lambda pair: abs(found[pair[0]] - found[pair[1]]))
        difference = abs(found[first] - found[second])
        evidence = (
            f"{self.column}: farthest apart {first} {rounded(found[first], digits)} and "
            f"{second} {rounded(found[second], digits)}; difference {rounded(difference, digits)}, "
            f"allowed {rounded(self.within, digits)}"
        )
        return difference <= self.within + SLACK, evidence


class GapNarrows(_Claim):
    """The lead of `leader` over the best of `followers` is smaller in one column than in another.

    Without a lead in the first column there is nothing to narrow, and the claim fails.
    """

    kind: Literal["gap_narrows"]
    leader: str = Field(description="Name of the cell that leads.")
    followers: Names = Field(description="Names of the cells behind it.")
    before: str = Field(alias="from", description="The column with the wider gap.")
    after: str = Field(alias="to", description="The column with the narrower gap.")

    @model_serializer(mode="wrap")
    def _with_the_words_of_specs(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        words = {"before": "from", "after": "to"}
        return {words.get(name, name): value for name, value in handler(self).items()}

    def decide(self, values: _Values, digits: int) -> tuple[bool, str]:
        """Both gaps."""
        gaps: list[float] = []
        parts: list[str] = []
        for column in (self.before, self.after):
            lead = values.of([self.leader], column)[self.leader]
            behind = values.of(self.followers, column)
            best = max(behind, key=behind.__getitem__)
            gaps.append(lead - behind[best])
            parts.append(
                f"{column}: {self.leader} {rounded(lead, digits)} - {best} {rounded(behind[best], digits)} "
                f"= {rounded(gaps[-1], digits)}"
            )
        return gaps[0] > SLACK and gaps[1] < gaps[0] - SLACK, "; ".join(parts)


class Lowest(_Claim):
    """The mean of `cells` is below the mean of the other cells of `among`."""

    kind: Literal["lowest"]
    cells: Names = Field(description="Names of the cells.")
    column: str = Field(description="The column, as r_precision/exact.")
    among: Names | None = Field(None, description="Names of the others; null: all cells that were run.")

    def decide(self, values: _Values, digits: int) -> tuple[bool, str]:
        """Both means."""
        own = values.of(self.cells, self.column)
        others = values.rivals(self.cells, self.column, self.among)
        mean, rest = _mean(own), _mean(others)
        evidence = (
            f"{self.column}: mean {rounded(mean, digits)} (of {len(own)}), "
            f"mean of the others {rounded(rest, digits)} (of {len(others)})"
        )
        return mean < rest - SLACK, evidence


def _mean(values: Mapping[str, float]) -> float:
    return math.fsum(values.values()) / len(values)


Claim = Annotated[Above | Best | Close | GapNarrows | Lowest, Field(discriminator="kind")]
