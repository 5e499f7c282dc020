"""The bases of the boxes from matching to reports, and of similarities."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from kpframe.model import (
    Gold,
    MatchedDocuments,
    Matches,
)
from kpframe.model.summary import Summary
from kpframe.stages.base import Stage

__all__ = ["Counts", "Matching", "Metric", "Report", "Similarity"]

Counts = tuple[float, ...]
"""What a metric keeps of one document: whole numbers where it counts, sums where it weighs."""


class Matching(Stage):
    """Decides which predicted phrase hits which gold keyphrase."""

    folder: ClassVar[str] = "matching"

    @abstractmethod
    def match(self, predicted: Sequence[str], gold: Sequence[Gold], text: str | None) -> Matches:
        """Match the predicted surface forms, best first; `text` decides which gold is absent."""

    def in_language(self, language: str) -> Matching:
        """This matching for documents in a language; itself where it does not depend on that."""
        return self

    def needs_text(self) -> bool:
        """Whether documents must come with their text."""
        return False

    @abstractmethod
    def signature(self) -> str:
        """The part of a score's signature that is about matching, as `match:exact|norm:casefold`."""


class Metric(Stage):
    """Measures ranked phrases against gold: counts a document, ratios and averages derived."""

    folder: ClassVar[str] = "metrics"

    needs_gold: ClassVar[bool] = True
    """False for what can be told of a list alone: then documents without gold count like all others."""

    bounded: ClassVar[bool] = True
    """Whether values lie in 0 … 1."""

    compared: ClassVar[bool] = True
    """Whether a higher value is a better one, so that tables may mark the best system."""

    average: Literal["macro", "micro"] = Field(
        "macro", description="macro: mean of the documents' values; micro: one ratio of summed counts."
    )
    empty: Literal["skip", "zero", "either"] = Field(
        "skip",
        description="Documents without gold keyphrases: left out of the average (skip), or counted as 0 "
        "(zero); either: documents without gold or without predictions are left out.",
    )

    @abstractmethod
    def label(self) -> str:
        """The short name with its cut-off, as `precision@5`."""

    @abstractmethod
    def count(self, matches: Matches) -> Counts:
        """The counts of one document from which everything is derived; empty if it has no value."""

    def count_all(self, documents: MatchedDocuments) -> list[Counts]:
        """What `count` gives of each document; for metrics that can tell it of many at once in less time.

        Classes that inherit from one that does so are asked for `count`, unless they have this as well.
        """
        return list(map(self.count, documents))

    @abstractmethod
    def value(self, counts: Counts) -> float:
        """The measure, from the counts of one document or from sums of counts; as a rule in 0 … 1."""

    def parts(self, counts: Counts) -> tuple[float, ...]:
        """What is averaged, each by itself, where a mean is not one of whole values (see `f1`)."""
        return (self.value(counts),)

    def join(self, parts: Sequence[float]) -> float:
        """The value that (averaged) parts make."""
        return parts[0]


class Similarity(Stage):
    """How alike two phrases are; a parameter of matchings and metrics, and a measure of its own."""

    folder: ClassVar[str] = "similarity"

    bounded: ClassVar[bool] = True
    """Whether values lie in 0 … 1."""

    @abstractmethod
    def compare(self, predicted: str, gold: str) -> float:
        """The similarity of a predicted phrase to a gold keyphrase, both as they are written."""

    def matrix(self, predicted: Sequence[str], gold: Sequence[str]) -> list[list[float]]:
        """A row for each predicted phrase with its similarity to each gold keyphrase."""
        return [[self.compare(phrase, keyphrase) for keyphrase in gold] for phrase in predicted]


class Report(Stage):
    """Writes a run's summary somewhere."""

    folder: ClassVar[str] = "reports"

    files: ClassVar[tuple[str, ...]] = ()
    """The names of the files that it writes, so that a spec where two write the same one is refused."""

    @abstractmethod
    def write(self, summary: Summary, folder: Path | None) -> str:
        """Write into `folder` (if the report is a file) and return what a terminal should show."""
