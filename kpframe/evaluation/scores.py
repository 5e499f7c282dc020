"""Scores as a list that shows itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kpframe.model import Score

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Scores"]


class Scores(list[Score]):
    """Scores as a list that notebooks show as a table."""

    def to_pandas(self) -> pd.DataFrame:
        """A row a score; see `kpframe.display.frames`. ResourceError if pandas is not installed."""
        from kpframe.display.frames import scores_frame

        return scores_frame(self)

    def _repr_html_(self) -> str:
        from kpframe.display.notebook import scores_html

        return scores_html(self)
