"""Similarities for tests, given as objects: they are not registered."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from kpframe.stages import Similarity


class SharedWords(Similarity):
    """Words in common over those of the phrase that has more, times a factor."""

    kind: ClassVar[str] = "shared_words"

    times: float = Field(1.0, ge=0, le=1, description="What the share is multiplied by.")

    def compare(self, predicted: str, gold: str) -> float:
        """In 0 … `times`."""
        one, other = set(predicted.split()), set(gold.split())
        return self.times * len(one & other) / max(len(one), len(other), 1)


class CommonWords(Similarity):
    """The number of words in common."""

    kind: ClassVar[str] = "common_words"
    bounded: ClassVar[bool] = False

    def compare(self, predicted: str, gold: str) -> float:
        """0 or more."""
        return float(len(set(predicted.split()) & set(gold.split())))
