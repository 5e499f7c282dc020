"""Texts as callers hand them over: strings, documents, columns of frames, with gaps."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from kpframe import arguments
from kpframe.arguments import ArgumentError
from kpframe.engine.settling import spoken
from kpframe.errors import Problem
from kpframe.model import AUTO, Document, Skipped

__all__ = ["documents_of", "given_documents", "is_missing", "refuse_no_stream"]

log = logging.getLogger("kpframe")

_FRAMES = ("pandas", "polars", "pyarrow", "modin", "cudf", "dask", "narwhals")


def refuse_no_stream(texts: Any) -> None:
    """ArgumentError, with the call that is right, for what gives no texts."""
    kind = type(texts).__name__
    single = isinstance(texts, str | bytes | Mapping)
    if single or not isinstance(texts, Iterable):
        problem = f"extract_many takes an iterable of texts, not {'one ' if single else ''}{kind}"
        raise _refused(problem, "write extract_many([text])")
    library = type(texts).__module__.partition(".")[0]
    if library in _FRAMES and hasattr(texts, "columns"):
        raise _refused(
            f"extract_many takes texts, not a {library} {kind}, whose items are its columns",
            "for one column: extract_many(frame['text']); for a table with ids and other columns: "
            "kpframe.extract_frame(frame, 'text', id='id')",
        )


def documents_of(texts: Iterable[Any], language: str, *, told: bool = True) -> Iterator[Document]:
    """Each text as a document; a missing one (None, NaN, pandas.NA) is empty, and counted.

    Ids are those of documents, the index of a series, or the place from 0; `language` is that of texts,
    and of documents that do not say theirs. `told`: tell how many are missing. Raises ArgumentError for
    anything that is no text, with its place.
    """
    missing = 0
    for id, text in _named(texts):
        if isinstance(text, Document):
            document = spoken(text)
            yield replace(document, language=language) if document.language == AUTO else document
            continue
        if is_missing(text):
            missing += 1
            text = ""
        if not isinstance(text, str):
            remedy = "decode bytes first" if isinstance(text, bytes) else "give strings or documents"
            raise _refused(f"a document's text must be str, not {type(text).__name__} (text {id})", remedy)
        yield Document(str(id), str(text), language)
    if missing and told:
        log.info("%d of the texts are missing: their results are empty", missing)


def given_documents(place: str, documents: Any) -> Iterator[Document | Skipped]:
    """Documents that a caller hands over, each checked when its turn comes."""
    remedy = "give a list of kpframe.Document(id, text, gold=(kpframe.Gold((phrase,)),))"
    given = arguments.items(place, "documents", documents, of="documents", remedy=remedy)
    return _checked(place, given, remedy)


def _checked(place: str, documents: Iterable[Any], remedy: str) -> Iterator[Document | Skipped]:
    for number, one in enumerate(documents):
        name = f"documents[{number}]"
        arguments.instance(place, name, one, (Document, Skipped), "a Document", remedy)
        yield one


def _refused(problem: str, remedy: str) -> ArgumentError:
    return ArgumentError(Problem("extract", problem, remedy))


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
