"""Whether a text that has no name to say so is a table: standard input, a pipe, a file without an ending.

Prose must never be taken for one: a header that names a column of texts is evidence, else all must fit.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import islice

from kpframe.files.layout import TEXT_COLUMNS

__all__ = ["columns_of_table"]

_SEPARATORS = ",;\t|"
_SAMPLE = 100
_LONGEST = 40
"""Characters of a column's name, at most."""
_KNOWN = frozenset(
    (
        *TEXT_COLUMNS,
        *("id", "doc", "doc_id", "docid", "document_id", "title", "language", "lang", "year", "date"),
        *("gold", "keyphrases", "keywords", "keyword"),
    )
)
"""What columns of corpora are called."""
_IDS = frozenset(("id", "doc_id", "docid", "document_id"))
_PROSE = ".!?"
"""What no column's name ends with."""


def columns_of_table(head: str, *, whole: bool) -> Sequence[str]:
    """The columns if a text begins as a table with a header and rows does, else none.

    A header of nothing but the names of an id, of texts and of what else corpora have needs no rows. Else
    most rows have as many fields as a header that names a column of texts (`text`, `abstract`, …), or at
    least two rows, all of them, as any header of short names. `whole`: the text does not go on.
    """
    found = (_columns(head, separator, whole=whole) for separator in _SEPARATORS)
    return next((columns for columns in found if columns), ())


def _columns(head: str, separator: str, *, whole: bool) -> Sequence[str]:
    rows: list[list[str]] = []
    reader = csv.reader(
        io.StringIO(head.removeprefix("\ufeff"), newline=""), delimiter=separator, strict=True
    )
    try:
        rows.extend(row for row in islice(reader, _SAMPLE) if row)
        cut = not whole and len(rows) < _SAMPLE
    except csv.Error:  # a text of the last row is cut off, or it is no table
        rows.append([])
        cut = True
    header, *rest = rows or [[]]
    if len(header) < 2 or not _are_names(header):
        return ()
    if _is_known(header) and (rest or whole):
        return header
    if not rest:
        return ()
    rest = rest[:-1] if cut else rest
    alike = sum(len(row) == len(header) for row in rest)
    if any(name.strip().casefold() in TEXT_COLUMNS for name in header):
        return header if 2 * alike > len(rest) or (cut and not rest) else ()
    in_prose = any(name != name.strip() for name in header)  # a blank follows its commas
    return header if alike == len(rest) >= 2 and not in_prose else ()


def _is_known(header: Sequence[str]) -> bool:
    """Whether all are exactly names that corpora have, an id and a column of texts among them."""
    names = {name.casefold() for name in header}
    return names <= _KNOWN and not names.isdisjoint(_IDS) and not names.isdisjoint(TEXT_COLUMNS)


def _are_names(header: Sequence[str]) -> bool:
    """Whether all can be names of columns; the first may be empty, as pandas has it for an index."""
    names = [name.strip() for name in header]
    short = all(len(name) <= _LONGEST and not name.endswith(tuple(_PROSE)) for name in names)
    return short and all(names[1:]) and len(set(names)) == len(names)
