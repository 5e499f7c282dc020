"""What a table hands out: batches of rows, column by column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, ClassVar

from kpframe.errors import DataError, KpframeError, suggestion

__all__ = ["BATCH", "LARGEST_CELL", "Rows", "Table", "damaged"]

BATCH = 1000
"""Rows in a batch, at most."""
LARGEST_CELL = 256 * 2**20
"""Characters of one cell; more is a mistake or an attack."""


@dataclass
class Rows:
    """Some rows: a list for each column, their numbers in the file, and rows that are none, with the reason.

    A number is the line (CSV, JSON lines), the sheet's row (Excel) or counts from 1. A missing value is None.
    """

    columns: dict[str, list[Any]]
    numbers: list[int] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)

    @classmethod
    def of(cls, names: Sequence[str]) -> Rows:
        """An empty batch."""
        return cls({name: [] for name in names})

    @property
    def full(self) -> bool:
        """Whether it should be handed on."""
        return len(self.numbers) + len(self.refused) >= BATCH


class Table(ABC):
    """An open table: its `place` for messages, its `columns` in order.

    `types` are Arrow types of columns where the format knows them (Parquet).
    """

    guarded: ClassVar[bool] = False
    """Whether the format keeps spreadsheets from running a cell by an apostrophe in front of it."""

    place: str
    columns: list[str]
    types: dict[str, Any]

    @abstractmethod
    def batches(self, names: Sequence[str]) -> Iterator[Rows]:
        """The rows, of which only the columns `names` are read. Can be asked for once."""

    def close(self) -> None:
        """Close what is open."""
        return

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def need(self, names: Sequence[str]) -> None:
        """DataError for a column that is not there exactly once, with those that are."""
        for name in names:
            if (count := self.columns.count(name)) != 1:
                problem = f"has {'more than one' if count else 'no'} column {name!r}"
                shown = ", ".join(map(repr, self.columns[:30])) or "none"
                remedy = suggestion("" if count else name, self.columns, "the columns are", listed=[shown])
                raise DataError.at(self.place, problem, remedy)


def damaged(place: str, error: Exception) -> KpframeError:
    """The error for a table that is not what its first bytes say."""
    reason = " ".join(str(error).split()) or type(error).__name__
    return DataError.at(place, f"is cut off or damaged ({reason[:200]})", "fetch or write it again")
