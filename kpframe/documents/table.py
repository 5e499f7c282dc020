"""Tables of any format: a row is a document."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._given_tokens import joined, tell_lists, tokens_given
from kpframe.documents._parameters import Encoding, Language, Separator
from kpframe.documents._passed_over import steady
from kpframe.documents._phrases import gold_keyphrases, split_phrases
from kpframe.errors import DataError
from kpframe.files.archives import path_problems
from kpframe.files.decoding import unified_line_ends
from kpframe.files.kinds import bare_name
from kpframe.files.layout import TEXT_COLUMNS
from kpframe.files.standard_input import standard_input
from kpframe.files.tables.ids import id_of_cell
from kpframe.files.tables.names import column_called
from kpframe.files.tables.opening import open_table
from kpframe.files.tables.parquet import holds_text
from kpframe.files.tables.rows import LARGEST_CELL, Rows, Table
from kpframe.model import Annotations, Document, Gold, Skipped
from kpframe.stages import Reader

__all__ = ["Columns", "TableReader"]


def _several(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


_log = logging.getLogger("kpframe.documents")
_TITLED = ("abstract", "body", "content", "article")
"""Columns of texts before which a title stands; others (`text`, `document`) have it in them."""
Columns = Annotated[tuple[str, ...], BeforeValidator(_several)]


class TableReader(Reader):
    """Reads csv, tsv, jsonl, json, parquet and xlsx (packed by gz or zst or not): one document a row.

    The format is seen from the first bytes, the separator of csv from the first rows. Several columns of
    text are joined by a blank line, which no sentence and no phrase crosses. A cell with a list of strings
    holds tokens, which stay as they are; a missing one is an empty text; one that holds anything else, or
    more than 256 MB, is skipped, with its row. Rows without an id get `<name of the file>-<row>`; a row is
    counted as the format counts: lines, rows of the sheet, or from 1. Parquet is read in batches, and needs
    `pip install 'kpframe[tables]'`, as xlsx does.
    """

    source: ClassVar[str] = "Shafranovich (2005), RFC 4180; Apache Parquet; ECMA-376 (xlsx)"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(description="The file, or - for standard input.")
    text: Columns = Field(
        (),
        description="The column with the texts, or several; none: the first that is called text, abstract, "
        "body, content, fulltext, document or article, behind a title if it is an abstract, body, content or "
        "article and there is a column `title`.",
    )
    id: str | None = Field(
        None,
        description="The column with the ids; null: `id`, whatever its case, if there is one, else numbers "
        "make them.",
    )
    gold: str | None = Field(None, description="The column with the gold keyphrases (one string, or a list).")
    gold_separator: Separator = ";"
    keep: Columns = Field((), description="Columns that are kept as `metadata.row` of the document.")
    separator: str | None = Field(
        None, pattern=r'^[^\r\n"\x00]$', description="What parts the fields of csv; null: as the rows show."
    )
    encoding: Encoding = "utf-8"
    language: Language = "auto"

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing or unreadable path."""
        if self.path != "-":
            yield from path_problems("path", self.path, folder=False)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents in the order of the rows. DataError if a column is missing, or the file damaged."""
        yield from distinct(self._entries())

    def opened(self, content: bytes | None = None, name: str = "") -> Table:
        """The table (or that in some bytes, with its name), with all named columns checked."""
        if content is None and self.path == "-":
            content, name = standard_input(), "standard input"
        source, name = (self.path, self.path) if content is None else (content, name)
        table = open_table(
            source, name=name, encoding=self.encoding, separator=self.separator, text_is_csv=True
        )
        try:
            named = (*self.text, *filter(None, (self.id, self.gold)), *self.keep)
            table.need(list(dict.fromkeys(named)))
            table.need([*self._texts(table), *filter(None, [self._id(table)])])
            self._need_text(table)
        except BaseException:
            table.close()
            raise
        return table

    def _need_text(self, table: Table) -> None:
        """DataError for a column of numbers or of anything else that no row can have a text in."""
        for name in self._texts(table):
            kind = table.types.get(name)
            if kind is not None and not holds_text(kind):
                there = ", ".join(table.columns[:30])
                remedy = f"name a column of texts by `text`, or convert it; there are {there}"
                raise DataError.at(table.place, f"column {name!r} has no text but {kind}", remedy)

    def _id(self, table: Table) -> str | None:
        return self.id or column_called("id", table.columns)

    def _texts(self, table: Table) -> Columns:
        if self.text:
            return tuple(dict.fromkeys(self.text))
        plain = {name.casefold().strip(): name for name in reversed(table.columns)}
        found = next((plain[name] for name in TEXT_COLUMNS if name in plain), None)
        if found is None:
            columns = ", ".join(map(repr, table.columns[:30]))
            raise DataError.at(
                table.place, "has no column 'text'", f"name one by `text`; the columns are: {columns}"
            )
        title = self._title(table)
        return (found,) if title is None or found.casefold().strip() not in _TITLED else (title, found)

    def _title(self, table: Table) -> str | None:
        """A column of titles, unless it holds what is no text."""
        title = column_called("title", table.columns)
        kind = None if title is None else table.types.get(title)
        return title if kind is None or holds_text(kind) else None

    def _tell(self, table: Table, texts: Columns) -> None:
        """Which columns of texts are read, and which are not, where nobody has named them."""
        if self.text:
            return
        if len(texts) > 1:
            _log.info(
                "columns %r and %r are read, as paragraphs; name one by `text` to have it alone", *texts
            )
        known = (*TEXT_COLUMNS, "title")
        left = [name for name in table.columns if name.casefold().strip() in known and name not in texts]
        if left and not set(left) <= set(self.keep):
            named = ", ".join(map(repr, left))
            _log.info("column %r is read, and not %s; name all that are meant by `text`", texts[-1], named)

    def _entries(self) -> Iterator[Placed | Skipped]:
        yield from steady(self.path, lambda: self.entries(self.opened()))

    def entries(self, opened: Table, folder: str = "", name: str = "") -> Iterator[Placed | Skipped]:
        """What an open table holds; it is closed at the end.

        `folder` stands before the names of rows without an id, which begin with the `name` of the file, by
        default without its ending.
        """
        with opened as table:
            texts = self._texts(table)
            self._tell(table, texts)
            id = self._id(table)
            stem = _stem(table.place, folder, name)
            names = list(dict.fromkeys(filter(None, (*texts, id, self.gold, *self.keep))))
            for rows in table.batches(names):
                yield from self._batch(rows, table.place, stem, texts, id)

    def _batch(
        self, rows: Rows, where: str, stem: str, texts: Columns, id: str | None
    ) -> Iterator[Placed | Skipped]:
        """The documents of some rows, taken column by column; `stem` names those without an id."""
        cells = [rows.columns[name] for name in texts]
        if len(cells) > 1 and not self.text:  # who has not named the titles loses no row by them
            cells[0] = list(map(_as_title, cells[0]))
        for name, column in zip(texts, cells, strict=True):
            if any(isinstance(cell, list) for cell in column):
                tell_lists(name)
        ids = rows.columns[id] if id is not None else [None] * len(rows.numbers)
        gold = rows.columns[self.gold] if self.gold is not None else None
        for i, number in enumerate(rows.numbers):
            place = f"{where}:{number}"
            try:
                name = id_of_cell(ids[i]) or f"{stem}-{number}"
                text, made = _text([column[i] for column in cells])
                phrases = _gold(gold[i], self.gold_separator) if gold is not None else ()
            except ValueError as error:
                yield Skipped(place, str(error))
                continue
            kept = {"row": {name: rows.columns[name][i] for name in self.keep}} if self.keep else {}
            yield place, Document(name, text, self.language, phrases, kept, made)
        yield from (Skipped(f"{where}:{number}", reason) for number, reason in rows.refused)


def _stem(where: str, folder: str, name: str) -> str:
    stem = name or os.path.splitext(os.path.basename(bare_name(where)))[0]
    stem = "stdin" if where == "standard input" else stem
    return f"{folder}/{stem}" if folder else stem


def _as_title(cell: Any) -> Any:
    return str(cell) if isinstance(cell, int | float) and cell == cell else cell


def _text(cells: Sequence[Any]) -> tuple[str, Annotations | None]:
    """The joined text of a row, and its tokens if its only text is a list of them. ValueError if not text."""
    if len(cells) == 1 and isinstance(cells[0], list):
        made = tokens_given(cells[0])
        if made is not None:
            return made.text, made
    parts = []
    for cell in cells:
        if cell is None or cell != cell:  # NaN, as a missing text is written by some
            continue
        if isinstance(cell, list) and all(isinstance(token, str) for token in cell):
            cell = joined(cell)
        if not isinstance(cell, str):
            what = "a list that is none of strings" if isinstance(cell, list) else type(cell).__name__
            raise ValueError(f"not text but {what}")
        if len(cell) > LARGEST_CELL:
            raise ValueError(f"has more than {LARGEST_CELL:,} characters in one cell")
        parts.append(cell)
    kept = [unified_line_ends(part) for part in parts]
    return (kept[0] if len(kept) == 1 else "\n\n".join(part for part in kept if part.strip())), None


def _gold(cell: Any, separator: str | None) -> tuple[Gold, ...]:
    if cell is None or cell != cell:
        return ()
    if isinstance(cell, str):
        return gold_keyphrases(split_phrases(cell, separator))
    if isinstance(cell, list) and all(isinstance(phrase, str) for phrase in cell):
        return gold_keyphrases(cell)
    raise ValueError("gold is no list of phrases")
