"""Documents in groups of about equal number by their size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["SizeGroup", "groups", "known_mean"]


@dataclass(frozen=True, slots=True)
class SizeGroup:
    """Documents whose sizes are from `low` to `high`, by their indexes."""

    low: int
    high: int
    members: tuple[int, ...]

    @property
    def label(self) -> str:
        """As `10–20`, or `10`."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


def groups(sizes: Sequence[int | None], wanted: int = 6) -> list[SizeGroup]:
    """At most `wanted` groups, smallest sizes first; documents of one size are in one group.

    Documents whose size is None are in no group.
    """
    known = sorted((size, index) for index, size in enumerate(sizes) if size is not None)
    parts: list[list[tuple[int, int]]] = []
    for place, item in enumerate(known):
        full = bool(parts) and place >= len(parts) * len(known) / wanted
        if not parts or (full and item[0] != parts[-1][-1][0]):
            parts.append([])
        parts[-1].append(item)
    return [SizeGroup(part[0][0], part[-1][0], tuple(index for _, index in part)) for part in parts]


def known_mean(values: Sequence[float | None], members: Sequence[int]) -> float | None:
    """The mean of the values at `members` that are not None; None if there is none."""
    known = [value for index in members if index < len(values) and (value := values[index]) is not None]
    return sum(known) / len(known) if known else None
