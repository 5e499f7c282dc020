"""Predictions and gold in tables: a row a document with lists, or a row a keyphrase."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import groupby
from typing import Any

from kpframe.errors import DataError
from kpframe.files.escaping import out_of_csv
from kpframe.files.json_text import json_value
from kpframe.files.kinds import bare_name, kind_of_file
from kpframe.files.tables.opening import open_table
from kpframe.files.tables.rows import Table

__all__ = ["has_rows_of_keyphrases", "is_table", "table_rows"]

_log = logging.getLogger("kpframe.evaluation")

_IDS = ("id", "doc_id", "docid", "document_id", "doc", "document")
_PHRASE = ("text", "keyphrase", "phrase", "keyword")
"""What the phrase is called where a row is a keyphrase."""
_ONE_PHRASE = ("keyphrase", "phrase", "keyword")
"""The names among these that say so by themselves, without a rank or score beside them."""
_OF_PHRASE = ("rank", "score")
_PREDICTED = ("predicted", "keyphrases", "prediction", "predictions", "phrases", "keywords")
_GOLD = ("gold", "target", "targets", "labels")
_EITHER = ("keyphrases", "phrases", "keywords")
"""Columns of predictions by their names, or of gold in a file that is given as gold."""
_KEPT = ("text", "title", "abstract", "language")
_NUMBERED = re.compile(r"keyphrase_([0-9]+)")

_Row = tuple[str, dict[str, Any]]


def is_table(path: str) -> bool:
    """Whether a file is a table: Parquet, Excel, CSV, or TSV with more than the two columns of `id, phrases`.

    A TSV of the columns `id, keyphrase`, which may have several rows a document, is one too; JSON and JSON
    lines are one where an object is a row with a keyphrase, as `extract --long` writes it.

    OSError if it cannot be read.
    """
    kind = kind_of_file(path).kind.name
    if kind in ("parquet", "xlsx"):
        return True
    if kind in ("jsonl", "json"):
        with open_table(path) as table:
            names = {name.casefold().strip() for name in table.columns}
        return _is_ranked(names) and names.isdisjoint((*_PREDICTED, *_GOLD))
    if kind not in ("csv", "tsv"):
        return False
    with open_table(path) as table:
        named = [name.casefold().strip() for name in table.columns]
    return any(name in _IDS for name in named) and (
        len(named) > 2
        or bare_name(path).lower().endswith(".csv")
        or any(name in _ONE_PHRASE for name in named)
    )


def has_rows_of_keyphrases(path: str) -> bool:
    """Whether a row of a table is a keyphrase, so that a document has several, and not a document."""
    with open_table(path) as table:
        names = {name.casefold().strip() for name in table.columns}
    return _is_ranked(names) or (
        not names.isdisjoint(_ONE_PHRASE) and names.isdisjoint((*_PREDICTED, *_GOLD))
    )


def _is_ranked(names: Set[str]) -> bool:
    """Whether columns are those of a keyphrase with its rank or score."""
    return not any(names.isdisjoint(kind) for kind in (_IDS, _PHRASE, _OF_PHRASE))


def table_rows(path: str) -> Iterator[_Row]:
    """Place and row of each document, as JSON lines have them.

    Where there are a phrase and a rank or score (what `extract` writes), a row is a keyphrase, and rows of
    one document stand together; without ranks and scores their order is that of the ranks, which is told.
    Else a row is a document, with a column of phrases (a list, or a string
    whose phrases are parted by `;`) or columns `keyphrase_1` …. DataError for a table that has neither.
    """
    with open_table(path) as table:
        names = {name.casefold().strip(): name for name in reversed(table.columns)}
        id = _one(names, _IDS)
        if id is None:
            raise _lacks(path, "an id", table.columns)
        phrase = _one(names, _PHRASE)
        long = [names[name] for name in _OF_PHRASE if name in names]
        if phrase is not None and long:
            yield from _grouped(_cells(table, [id, phrase, *long]), id, phrase, long)
            return
        single = _one(names, _ONE_PHRASE)
        if single is not None and _one(names, (*_PREDICTED, *_GOLD)) is None:
            _log.info("%s: no column with a rank or score: the rows of a document are in its order", path)
            yield from _listed(_cells(table, [id, single]), id, single)
            return
        numbered = sorted(
            (int(found[1]), names[name]) for name in names if (found := _NUMBERED.fullmatch(name))
        )
        columns = {
            "predicted": _one(names, _PREDICTED),
            "gold": _one(names, _GOLD),
            **{name: names.get(name) for name in ("text", "title", "abstract", "scores", "language")},
        }
        if not numbered and columns["predicted"] is None and columns["gold"] is None:
            raise _lacks(path, "keyphrases", table.columns)
        wanted = [id, *(name for _, name in numbered), *filter(None, columns.values())]
        for place, cells in _cells(table, list(dict.fromkeys(wanted))):
            yield place, _document(place, cells, id, columns, [name for _, name in numbered])


def _one(names: Mapping[str, str], known: Sequence[str]) -> str | None:
    return next((names[name] for name in known if name in names), None)


def _lacks(path: str, what: str, columns: Sequence[str]) -> Exception:
    remedy = "name them id and keyphrases (or gold), or write a row a keyphrase with id, rank and text"
    return DataError.at(path, f"has no column with {what}, but {', '.join(map(repr, columns[:20]))}", remedy)


def _cells(table: Table, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for rows in table.batches(columns):
        for number, reason in rows.refused:
            raise DataError.at(f"{table.place}:{number}", reason, "repair the row")
        for i, number in enumerate(rows.numbers):
            cells = {name: column[i] for name, column in rows.columns.items()}
            if table.guarded:
                cells = {name: _as_meant(cell) for name, cell in cells.items()}
            yield f"{table.place}:{number}", cells


def _as_meant(cell: Any) -> Any:
    """A cell without the apostrophe that keeps spreadsheets from running it, as `extract` writes it."""
    return out_of_csv(cell) if isinstance(cell, str) else cell


def _grouped(
    cells: Iterable[tuple[str, dict[str, Any]]], id: str, phrase: str, long: Sequence[str]
) -> Iterator[_Row]:
    for name, group in groupby(cells, lambda row: _id(row[1][id])):
        found = list(group)
        predicted = [
            {"text": row[phrase], **{key.casefold().strip(): _number(place, row[key]) for key in long}}
            for place, row in found
        ]
        yield found[0][0], {"id": name, "predicted": predicted}


def _listed(cells: Iterable[tuple[str, dict[str, Any]]], id: str, phrase: str) -> Iterator[_Row]:
    """Rows of one document as one; of a single row the cell may be a string for all its phrases."""
    for name, group in groupby(cells, lambda row: _id(row[1][id])):
        (place, first), *more = group
        given = [first[phrase], *(row[phrase] for _, row in more)]
        phrases = [one for one in given if one not in (None, "")] if more else _phrases(given[0])
        yield place, {"id": name, "phrases": phrases}


def _document(
    place: str,
    cells: Mapping[str, Any],
    id: str,
    columns: Mapping[str, str | None],
    numbered: Sequence[str],
) -> dict[str, Any]:
    row: dict[str, Any] = {"id": _id(cells[id])}
    for key in ("predicted", "gold", *_KEPT):
        name = columns[key]
        if name is not None:
            row[key] = cells[name] if key in _KEPT else _phrases(cells[name])
    if row.get("predicted") is None and numbered:
        row["predicted"] = [cells[name] for name in numbered if cells[name] not in (None, "")]
    scores = _phrases(cells[columns["scores"]]) if columns["scores"] is not None else None
    predicted = row.get("predicted")
    if isinstance(scores, list) and isinstance(predicted, list) and len(scores) == len(predicted):
        row["predicted"] = [
            {"text": text, "score": _number(place, score)}
            for text, score in zip(predicted, scores, strict=True)
        ]
    either = str(columns["predicted"]).casefold().strip() in _EITHER
    if either and columns["gold"] is None and columns["scores"] is None:
        row["phrases"] = row["predicted"]
    return row


def _id(value: Any) -> Any:
    """Whole numbers that a spreadsheet has as 7.0 are 7."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _phrases(value: Any) -> Any:
    """A list as it is, also one that a cell of csv holds as JSON; a string for `;`; nothing is no phrase."""
    if value is None:
        return []
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            return json_value(value)
        except ValueError:
            return value
    return value


def _number(place: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return float(value) if value.strip() else None
    except ValueError:
        raise DataError.at(place, f"{value!r} is no number", "correct the cell") from None
