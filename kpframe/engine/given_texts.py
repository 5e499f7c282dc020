"""Texts as callers hand them over: strings, documents, columns of frames, with gaps."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from kpframe.model import AUTO, Document

__all__ = ["documents_of", "is_missing", "refuse_no_stream"]

log = logging.getLogger("kpframe")

_FRAMES = ("pandas", "polars", "pyarrow", "modin", "cudf", "dask", "narwhals")


def refuse_no_stream(texts: Any) -> None:
    """TypeError, with the call that is right, for what can be iterated over but gives no texts."""
    if isinstance(texts, str | bytes | Mapping):
        raise TypeError(f"extract_many takes an iterable of texts, not one {type(texts).__name__}")
    library = type(texts).__module__.partition(".")[0]
    if library in _FRAMES and hasattr(texts, "columns"):
        raise TypeError(
            f"extract_many takes texts, not a {library} {type(texts).__name__}, whose items are its columns. "
            "For one column: extract_many(frame['text']); for a table with ids and other columns: "
            "kpframe.extract_frame(frame, 'text', id='id')"
        )


def documents_of(texts: Iterable[Any], language: str, *, told: bool = True) -> Iterator[Document]:
    """Each text as a document; a missing one (None, NaN, pandas.NA) is empty, and counted.

    Ids are those of documents, the index of a series, or the place from 0; `language` is that of texts,
    and of documents that do not say theirs. `told`: tell how many are missing. Raises TypeError for anything
    that is no text, with its place.
    """
    missing = 0
    for id, text in _named(texts):
        if isinstance(text, Document):
            yield replace(text, language=language) if text.language == AUTO else text
            continue
        if is_missing(text):
            missing += 1
            text = ""
        if not isinstance(text, str):
            remedy = "; decode bytes first" if isinstance(text, bytes) else ""
            raise TypeError(f"a document's text must be str, not {type(text).__name__} (text {id}){remedy}")
        yield Document(str(id), str(text), language)
    if missing and told:
        log.info("%d of the texts are missing: their results are empty", missing)


def _named(texts: Any) -> Iterable[tuple[Any, Any]]:
    """The texts with their ids."""
    if type(texts).__module__.partition(".")[0] == "pandas" and type(texts).__name__ == "Series":
        return texts.items()  # type: ignore[no-any-return]
    return enumerate(texts)


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None, NaN, pandas.NA or NaT."""
    if value is None:
        return True
    return type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
