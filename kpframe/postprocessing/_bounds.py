"""A closed range of lengths whose bounds are checked against one another."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from kpframe.stages import Postprocessor

__all__ = ["LengthFilter"]


class LengthFilter(Postprocessor):
    """What the length filters share: both bounds are inclusive, and min is at most max."""

    min: int = Field(1, ge=1, description="Least length that is kept.")
    max: int | None = Field(None, ge=1, description="Greatest length that is kept; null: no limit.")

    @model_validator(mode="after")
    def _bounds_agree(self) -> Self:
        if self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min} is greater than max {self.max}, nothing could be kept")
        return self

    def admits(self, length: int) -> bool:
        """Whether a length lies within the bounds."""
        return self.min <= length and (self.max is None or length <= self.max)
