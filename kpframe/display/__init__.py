"""How values show themselves: marks in terminals, HTML of notebooks, frames of pandas.

`frame(value)` and `html(value)` take any of the values that flow through the chain; these know neither
pandas nor HTML themselves. The page of a run is `htmlreport`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from kpframe.model import Annotations, Keyphrases, Score
    from kpframe.model.summary import Summary

    Shown = Annotations | Keyphrases | Sequence[Score] | Summary

__all__ = ["frame", "html"]


def frame(value: Shown) -> pd.DataFrame:
    """A value as a pandas DataFrame, by its type.

    `Keyphrases`: a row a phrase, best first; `Annotations`: a row a token; a list of `Score`: a row each;
    `Summary`: a row a cell. Raises TypeError for anything else and ResourceError without pandas.
    """
    from kpframe.display import frames
    from kpframe.model import Annotations, Keyphrases
    from kpframe.model.summary import Summary

    if isinstance(value, Keyphrases):
        return frames.keyphrases_frame(value.document.id, value.public())
    if isinstance(value, Annotations):
        return frames.annotations_frame(value)
    if isinstance(value, Summary):
        return frames.summary_frame(value)
    return frames.scores_frame(_scores(value))


def html(value: Shown) -> str:
    """A value as HTML for notebooks, by its type as in `frame`: no script, no style sheet, all escaped."""
    from kpframe.display import notebook
    from kpframe.model import Annotations, Keyphrases
    from kpframe.model.summary import Summary

    if isinstance(value, Keyphrases):
        return notebook.keyphrases_html(value.document.text, value.public(), value.document.id)
    if isinstance(value, Annotations):
        return notebook.annotations_html(value)
    if isinstance(value, Summary):
        return notebook.summary_html(value)
    return notebook.scores_html(_scores(value))


def _scores(value: object) -> list[Score]:
    from kpframe.model import Score

    if isinstance(value, list | tuple) and all(isinstance(one, Score) for one in value):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no value that is shown; give keyphrases, annotations, scores")
