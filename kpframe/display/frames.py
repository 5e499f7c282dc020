"""Results as pandas DataFrames; pandas is optional and imported when a frame is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kpframe.errors import ResourceError

if TYPE_CHECKING:
    import pandas as pd

    from kpframe.model.annotations import Annotations
    from kpframe.model.keyphrases import Keyphrase
    from kpframe.model.scores import Score
    from kpframe.model.summary import Summary

__all__ = ["annotations_frame", "keyphrases_frame", "pandas_module", "scores_frame", "summary_frame"]


def keyphrases_frame(id: str, keyphrases: Sequence[Keyphrase]) -> pd.DataFrame:
    """A row a keyphrase, best first: id of the document, rank, text, score, key, places and spans.

    `places` is their number, `spans` the half-open ranges of code-point offsets. Raises ResourceError
    if pandas is not installed.
    """
    columns = ["id", "rank", "text", "score", "key", "places", "spans"]
    rows = [(id, k.rank, k.text, k.score, k.key, len(k.spans), k.spans) for k in keyphrases]
    frame = pandas_module().DataFrame(rows, columns=columns)
    types = {"id": "string", "text": "string", "key": "string", "score": "Float64"}
    return frame.astype({**types, "rank": "Int64", "places": "Int64"})


def annotations_frame(annotations: Annotations) -> pd.DataFrame:
    """A row a token: begin and end (code-point offsets), sentence (from 0), word, and its layers.

    Raises ResourceError if pandas is not installed.
    """
    frame = pandas_module().DataFrame(annotations.columns())
    return frame.astype(
        {name: "Int64" if name in ("begin", "end", "sentence") else "string" for name in frame.columns}
    )


def scores_frame(scores: Iterable[Score]) -> pd.DataFrame:
    """A row a score: metric, matching, value, documents, skipped, signature.

    Raises ResourceError if pandas is not installed.
    """
    names = ["metric", "matching", "value", "documents", "skipped", "signature"]
    frame = pandas_module().DataFrame([score.to_json() for score in scores], columns=names)
    return frame.astype({"value": "Float64", "documents": "Int64", "skipped": "Int64"})


def summary_frame(summary: Summary) -> pd.DataFrame:
    """A row a cell: `cell`, the axes of the grid, `documents`, `keyphrases`, the scores by column.

    `attrs` has the name of the run and `signatures`: by column and cell the signature of the score.
    Raises ResourceError if pandas is not installed.
    """
    axes = list(dict.fromkeys(axis for cell in summary.cells for axis in cell.axes))
    signatures: dict[str, dict[str, str]] = {column: {} for column in summary.columns}
    rows: list[dict[str, Any]] = []
    for cell in summary.cells:
        row: dict[str, Any] = {"cell": cell.name, **{axis: cell.axes.get(axis) for axis in axes}}
        row.update(documents=cell.documents, keyphrases=cell.keyphrases)
        for score in cell.scores:
            column = f"{score.metric}/{score.matching}"
            row[column] = score.value
            signatures.setdefault(column, {})[cell.name] = score.signature
        rows.append(row)
    columns = ["cell", *axes, "documents", "keyphrases", *summary.columns]
    types = {"documents": "Int64", "keyphrases": "Int64", **dict.fromkeys(summary.columns, "Float64")}
    frame: pd.DataFrame = pandas_module().DataFrame(rows, columns=columns).astype(types)
    frame.attrs = {"name": summary.name, "signatures": signatures}
    return frame


def pandas_module() -> Any:
    """The pandas package; ResourceError if it is not installed."""
    try:
        import pandas
    except ImportError:
        raise ResourceError.at("pandas", "is not installed", "pip install pandas") from None
    return pandas
