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
        """A row a score; see `kpframe.display.frame`. ResourceError if pandas is not installed."""
        from kpframe.display import frame

        return frame(self)

    def _repr_html_(self) -> str:
        from kpframe.display import html

        return html(self)

    def __repr__(self) -> str:
        shown = ", ".join(f"{s.metric}/{s.matching} {_rounded(s.value)}" for s in self)
        return f"<Scores {shown}>" if shown else "<Scores: none>"


def _rounded(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
