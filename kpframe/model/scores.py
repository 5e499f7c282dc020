"""A number with the recipe that made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kpframe.errors import counted

__all__ = ["Score"]


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """An aggregated value of one metric for one configuration.

    `value` is None where no document counted. `documents` is the number that did, `skipped` the
    number left out of the average (for example because no gold keyphrase was left).
    """

    metric: str
    matching: str
    value: float | None
    documents: int
    skipped: int
    signature: str

    def __repr__(self) -> str:
        value = "–" if self.value is None else f"{self.value:.4f}"
        return f"<Score {self.metric}/{self.matching} {value}, {counted(self.documents, 'document')}>"

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "metric": self.metric,
            "matching": self.matching,
            "value": self.value,
            "documents": self.documents,
            "skipped": self.skipped,
            "signature": self.signature,
        }
