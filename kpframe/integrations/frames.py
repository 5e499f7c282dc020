"""Keyphrases of the texts in a frame of pandas or polars, as a frame of the same library."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kpframe import arguments
from kpframe.display.keyphrase_rows import KeyphraseRows, kept_names
from kpframe.engine.given_texts import is_missing
from kpframe.engine.pipeline import Pipeline
from kpframe.engine.progress import Progress
from kpframe.errors import DataError, ResourceError, SpecError, counted, suggestion
from kpframe.language.codes import language_code
from kpframe.model import Document

__all__ = ["extract_frame"]

log = logging.getLogger("kpframe")


def extract_frame(
    frame: Any,
    column: str | Sequence[str],
    id: str | None = None,
    keep: str | Sequence[str] | None = None,
    wide: bool = False,
    *,
    pipeline: str | Path | Pipeline = "by-length",
    top: int | None = 10,
    language: str = "auto",
    workers: int = 1,
    cluster: Any = None,
) -> Any:
    """A row a keyphrase (or, `wide`, a row a document, with lists), in a frame like the one given.

    `column` has the texts; several are joined by a blank line, which no phrase crosses. A missing text has
    no keyphrases. `id` and the columns `keep` are carried along with their types; the index of pandas is
    kept, repeated for each keyphrase, and where there is neither index nor `id` a column `row` counts from 0.
    Columns: id, kept ones, then rank (from 1), text, score, key, spans; wide: keyphrases, scores.

    Raises DataError for a column that is missing or a cell that is no text, and ResourceError if narwhals is
    not installed.
    """
    nw = _narwhals()
    texts, kept = _columns("column", column), _columns("keep", keep or ())
    if not texts:
        raise SpecError.at("extract_frame", "column names none", "give that with the texts, as 'text'")
    _check(id=id, wide=wide, top=top, workers=workers, language=language, pipeline=pipeline)
    table = _table(nw, frame)
    _need(table, [*texts, *([id] if id is not None else []), *kept])
    loaded = pipeline if isinstance(pipeline, Pipeline) else Pipeline.load(pipeline)
    documents = _documents(table, texts, language)
    if id is not None:
        _tell_repeated(id, table[id].to_list())
    found = loaded.extract_many(documents, top=top, workers=workers, cluster=cluster)
    rows = KeyphraseRows(wide=wide)
    counts, failed, first = [], 0, ""
    for i, result in enumerate(Progress().count(found, "extracting", len(documents))):
        if result.error is not None:
            failed += 1
            first = first or result.error
            log.warning("row %d: %s", i, result.error)
        counts.append(1 if wide else len(result))
        rows.add(i, result, {})
    if failed and failed == len(documents):
        raise DataError.at("frame", f"all of its texts failed, the first: {first}", "see what it says")
    log.info("%s, %d without a keyphrase, %d failed", counted(len(counts), "text"), counts.count(0), failed)
    names = ([id] if id is not None else []) + kept
    return _joined(nw, frame, table, names, counts, rows)


def _columns(name: str, value: Any) -> list[str]:
    """One column or several."""
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list | tuple):
        remedy = "frame.columns = map(str, frame.columns) makes them texts"
        raise SpecError.at("extract_frame", f"{name} is {value!r}, and columns are named by texts", remedy)
    return list(dict.fromkeys(arguments.words("extract_frame", name, given, example="text")))


def _check(*, id: Any, wide: Any, top: Any, workers: Any, language: Any, pipeline: Any) -> None:
    place = "extract_frame"
    if id is not None:
        arguments.word(place, "id", id, example="id")
    arguments.flag(place, "wide", wide)
    arguments.whole(place, "top", top, optional=True)
    arguments.whole(place, "workers", workers)
    language_code(language)
    if not isinstance(pipeline, Pipeline):
        arguments.path(place, "pipeline", pipeline, example="by-length")


def _table(nw: Any, frame: Any) -> Any:
    """The frame, in whichever library it is; ArgumentError for what is none, DataError for equal names."""
    try:
        return nw.from_native(frame, eager_only=True)
    except nw.exceptions.DuplicateError:
        names = Counter(map(str, frame.columns))
        twice = ", ".join(repr(name) for name, count in names.items() if count > 1)
        remedy = "rename or drop one, as by frame.loc[:, ~frame.columns.duplicated()]"
        raise DataError.at("frame", f"has more than one column called {twice}", remedy) from None
    except TypeError:
        what, remedy = "a frame of pandas or polars", "give one, as pandas.DataFrame({'text': texts})"
        return arguments.instance("extract_frame", "frame", frame, (), what, remedy)


def _narwhals() -> Any:
    try:
        import narwhals
    except ImportError:
        remedy = "pip install 'kpframe[tables]'"
        raise ResourceError.at("extract_frame", "needs narwhals, which is not installed", remedy) from None
    return narwhals


def _need(table: Any, names: Iterable[str]) -> None:
    for name in names:
        if name not in table.columns:
            shown = ", ".join(map(repr, table.columns[:30]))
            named = [column for column in table.columns if isinstance(column, str)]
            remedy = suggestion(name, named, "the columns are", listed=[shown])
            if len(named) < len(table.columns):  # numbers, or tuples of several levels
                remedy = f"make all columns ({shown}) texts, as by frame.columns = map(str, frame.columns)"
            raise DataError.at("frame", f"has no column {name!r}", remedy)


def _documents(table: Any, names: Sequence[str], language: str) -> list[Document]:
    """A document for each row, with its number as id."""
    columns = [table[name].to_list() for name in names]
    documents = []
    for i, cells in enumerate(zip(*columns, strict=True)):
        given = [cell for cell in cells if not is_missing(cell)]
        for cell in given:
            if not isinstance(cell, str):
                problem = f"row {i} holds {type(cell).__name__}, not text"
                raise DataError.at(f"column {', '.join(names)}", problem, "convert it, as by astype(str)")
        text = given[0] if len(given) == 1 else "\n\n".join(part for part in given if part.strip())
        documents.append(Document(str(i), text, language))
    return documents


def _tell_repeated(name: str, ids: Sequence[Any]) -> None:
    """Rows of equal ids, or of none, cannot be told apart in the result; a frame may still have them."""
    counts = Counter(map(str, ids))
    again = [id for id, count in counts.items() if count > 1]
    if again:
        shown = ", ".join(map(repr, again[:3])) + (" …" if len(again) > 3 else "")
        log.warning("column %r: what stands in more than one row is told apart by nothing: %s", name, shown)


def _joined(
    nw: Any, frame: Any, table: Any, names: Sequence[str], counts: Sequence[int], rows: KeyphraseRows
) -> Any:
    """The kept columns beside the keyphrases, in the library of the frame."""
    places = [i for i, count in enumerate(counts) for _ in range(count)]
    made = rows.taken()
    numbers = made.pop("id")
    pandas = table.implementation.is_pandas_like()
    new = _new(nw, made, rows.types, table.implementation).head(len(numbers))
    names = list(dict.fromkeys(names))
    # Their id is that of the frame.
    own = kept_names(names, lambda name: name != "id" and rows.is_taken(name))
    if not names and not pandas:
        new = new.with_columns(nw.new_series("row", numbers, nw.Int64, backend=table.implementation))
        return new.select("row", *made).to_native()
    if names:
        beside = nw.maybe_reset_index(table.select(*names)[places]).rename(own)
        new = nw.concat([beside, new], how="horizontal")
    result = new.to_native()
    if pandas:
        result.index = frame.index.take(places)
    return result


def _new(nw: Any, made: Mapping[str, Any], types: Mapping[str, str], backend: Any) -> Any:
    """A frame of columns; pandas sees types by values, so without one it gets a row to be taken away."""
    if not backend.is_pandas_like():
        return nw.from_dict(made, schema=_schema(nw, types), backend=backend)
    empty = not any(made.values())
    return nw.from_dict({name: [_SAMPLES[types[name]]] for name in made} if empty else made, backend=backend)


_SAMPLES = {"string": "", "int": 0, "float": 0.0, "list string": [""], "list float": [0.0]}
"""A value of each type that columns of keyphrases have."""


def _schema(nw: Any, types: Mapping[str, str]) -> dict[str, Any]:
    known = {"string": nw.String(), "int": nw.Int64(), "float": nw.Float64()}
    lists = {f"list {name}": nw.List(kind) for name, kind in known.items()}
    return {name: {**known, **lists}[kind] for name, kind in types.items() if name != "id"}
