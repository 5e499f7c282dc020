"""Stages that change with the length of a text: those of one chain change together, and no part is idle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Self

from pydantic import Field, model_validator

from kpframe.stages.base import Stage

__all__ = ["Bounded", "apart"]


class Bounded(Stage):
    """What a stage shares with others that have one part for short texts and another for long ones."""

    bound: int = Field(400, ge=1, description="The number of tokens from which a text is long.")
    below: Stage
    above: Stage

    @model_validator(mode="after")
    def _no_idle_part(self) -> Self:
        if problem := _never_used(self.bound, self.below, self.above):
            raise ValueError(problem)
        return self

    def bounds(self) -> frozenset[int]:
        """Its own, and those of both parts."""
        return super().bounds() | {self.bound}

    def requires(self) -> frozenset[str]:
        """What either part reads."""
        return self.below.requires() | self.above.requires()


def _never_used(bound: int, below: Stage, above: Stage) -> str:
    """What is wrong with the bounds of the parts for shorter and longer texts; empty if nothing is."""
    idle = [("below", "above", inner) for inner in sorted(below.bounds()) if inner >= bound]
    idle += [("above", "below", inner) for inner in sorted(above.bounds()) if inner <= bound]
    for name, unused, inner in idle:
        problem = f"{name} changes at {inner} tokens, and has none but texts {name} {bound}"
        return f"{problem}: its `{unused}` is never used; set both, as bound and {name}.bound"
    return ""


def apart(stages: Sequence[tuple[str, Stage]]) -> Iterator[tuple[str, str, str, str]]:
    """Neighbouring stages, by their boxes, that change at lengths apart: (box, other box, problem, remedy).

    One of the two may change more often than the other; it may not lack a length at which the other changes
    and have one of its own.
    """
    bounded = [(box, stage.bounds()) for box, stage in stages if stage.bounds()]
    for (box, one), (other, two) in pairwise(bounded):
        if one <= two or two <= one:
            continue
        lengths = f"changes at {_listed(two)} tokens, and {box} at {_listed(one)}"
        problem = f"{lengths}: what is made for short texts would meet what is made for long ones"
        yield box, other, problem, f"give both the same, as {box}.bound=N and {other}.bound=N"


def _listed(bounds: frozenset[int]) -> str:
    return " and ".join(map(str, sorted(bounds)))
