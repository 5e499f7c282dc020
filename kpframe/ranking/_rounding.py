"""Scores without the last digits, in which only the order of summing shows."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["significant"]


def significant(scores: Iterable[float]) -> list[float]:
    """The scores to 11 significant digits.

    The same words summed in another order, or one solver and another, differ in the last of 16 digits;
    without them such scores are equal and the order of the text decides.
    """
    return [float(f"{score:.10e}") for score in scores]
