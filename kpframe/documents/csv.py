"""Tables with a column of texts."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from kpframe.documents._distinct import Placed, distinct
from kpframe.documents._parameters import Encoding, Language, Separator
from kpframe.documents._passed_over import steady
from kpframe.documents._phrases import gold_keyphrases, split_phrases
from kpframe.errors import DataError, suggestion
from kpframe.files.archives import path_problems
from kpframe.files.container import Limits
from kpframe.files.decoding import numbered_lines, unified_line_ends
from kpframe.files.kinds import bare_name
from kpframe.files.tables.delimited import malformed
from kpframe.files.tables.names import column_called
from kpframe.model import Document, Skipped
from kpframe.stages import Reader

__all__ = ["Csv"]


class Csv(Reader):
    """Reads a CSV file with a header (RFC 4180, also `.csv.gz`): one document a row.

    Quoted fields may have line breaks and any length up to 256 MB. A row with too few or too many
    fields or a stray quote is skipped, with the line where it begins. A column `id` is the ids
    unless another is named; rows without an id get `<name of the file>-<line>`.
    """

    source: ClassVar[str] = "Shafranovich (2005), RFC 4180"
    paths: ClassVar[tuple[str, ...]] = ("path",)

    path: str = Field(description="The file; decompressed if it ends in .gz.")
    text: str = Field("text", description="The column with the texts.")
    title: str | None = Field(
        None, description="A column with titles; a blank line joins each to its text. null: none."
    )
    gold: str | None = Field(None, description="The column with the gold keyphrases; null: no gold.")
    id: str | None = Field(
        None,
        description="The column with the ids; null: `id`, whatever its case, if there is one, else line "
        "numbers make the ids.",
    )
    gold_separator: Separator = ";"
    delimiter: str = Field(
        ",",
        pattern=r'^[^\r\n"\x00]$',
        description="The one character that parts the fields, as , ; or a tab.",
    )
    encoding: Encoding = "utf-8"
    language: Language = "auto"

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A missing or unreadable path."""
        yield from path_problems("path", self.path, folder=False)

    def read(self) -> Iterator[Document | Skipped]:
        """The documents in the order of the rows. DataError if a column is missing."""
        yield from distinct(steady(self.path, self._entries))

    def _entries(self) -> Iterator[Placed | Skipped]:
        rows = _rows(self.path, self.encoding, self.delimiter)
        header: list[str] | None = None
        for begin, row in rows:
            place = f"{self.path}:{begin}"
            if header is None:
                header = self._header(place, row)
                text, id = self._text(header), self._id(header) or ""
            elif isinstance(row, str):
                yield Skipped(place, row)
            elif len(row) != len(header):
                yield Skipped(place, f"has {len(row)} fields, the header {len(header)}")
            else:
                cells = dict(zip(header, row, strict=True))
                yield place, self._document(begin, cells, cells[text], cells.get(id, ""))
        if header is None:
            raise DataError.at(self.path, "is empty", "give a file with a header")

    def _header(self, place: str, row: list[str] | str) -> list[str]:
        if isinstance(row, str):
            raise DataError.at(place, f"the header: {row}", "set delimiter, or repair the header")
        for column in (self._text(row), self.title, self.gold, self._id(row)):
            if column is not None and row.count(column) != 1:
                problem = "no" if column not in row else "more than one"
                wanted = column if column not in row else ""
                remedy = suggestion(wanted, row, "the columns are", listed=map(repr, row))
                raise DataError.at(place, f"{problem} column {column!r}", remedy)
        return row

    def _text(self, header: Iterable[str]) -> str:
        """The column with the texts; the default one may differ in its case."""
        return (column_called(self.text, header) if self.text == "text" else None) or self.text

    def _id(self, header: Iterable[str]) -> str | None:
        return self.id or column_called("id", header)

    def _document(self, line: int, cells: Mapping[str, str], given: str, id: str) -> Document:
        phrases = split_phrases(cells[self.gold], self.gold_separator) if self.gold is not None else []
        name = id.strip() or f"{_stem(self.path)}-{line}"
        text = unified_line_ends(given)
        title = unified_line_ends(cells[self.title]).strip() if self.title is not None else ""
        metadata = {"title_length": len(title)} if title else {}
        joined = f"{title}\n\n{text}" if title and text.strip() else title or text
        return Document(name, joined, self.language, gold_keyphrases(phrases), metadata)


def _rows(path: str, encoding: str, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """Rows with the line where each begins; in place of a malformed row what is wrong with it."""
    csv.field_size_limit(max(csv.field_size_limit(), Limits().size))
    lines = _Counted(line for _, line in numbered_lines(path, encoding, newline=""))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        begin = lines.count + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            yield begin, malformed(error, begin, lines.count)
            continue
        if row is None:
            return
        if row:
            yield begin, row


class _Counted(Iterator[str]):
    """Lines, and how many were taken so far."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.count = 0

    def __next__(self) -> str:
        line = next(self._lines)
        self.count += 1
        return line


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(bare_name(path)))[0]
