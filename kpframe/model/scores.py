"""A number with the recipe that made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Score", "Scores"]


@dataclass(frozen=True, slots=True)
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


class Scores(list[Score]):
    """Scores as a list that notebooks show as a table."""

    def to_pandas(self) -> pd.DataFrame:
        """A row a score; see `kpframe.model.frames`. ResourceError if pandas is not installed."""
        from kpframe.model.frames import scores_frame

        return scores_frame(self)

    def _repr_html_(self) -> str:
        from kpframe.model.display import scores_html

        return scores_html(self)
