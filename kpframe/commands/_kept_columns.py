"""Which columns `--keep` names: several in one word, parted by commas, with blanks or without."""

from __future__ import annotations

from collections.abc import Sequence

from kpframe.errors import KpframeError, SpecError

__all__ = ["kept_columns"]


def kept_columns(given: Sequence[str], inputs: Sequence[str], encoding: str | None) -> tuple[str, ...]:
    """The columns, each once. SpecError where a word names none.

    Blanks around a name are none of it, unless the table has a column that is called exactly so, as it has
    where its header is `a, b`; that is looked up in files, not in standard input.
    """
    columns: Sequence[str] | None = None
    found: list[str] = []
    for word in given:
        parts = word.split(",")
        if any(part != part.strip() for part in parts):
            columns = _columns(inputs, encoding) if columns is None else columns
            parts = [part if part in columns else part.strip() for part in parts]
        if not any(parts):
            raise SpecError.at("--keep", "names no column", "give the name of one")
        found += filter(None, parts)
    return tuple(dict.fromkeys(found))


def _columns(inputs: Sequence[str], encoding: str | None) -> Sequence[str]:
    """The columns of the first table; none where there is none, or where it can be read only once."""
    from kpframe.files.partitions import tables_of
    from kpframe.files.tables.opening import open_table

    for pattern in inputs:
        for _, path in tables_of(pattern) if pattern != "-" else ():
            try:
                with open_table(path, encoding=encoding or "utf-8", text_is_csv=True) as table:
                    return table.columns
            except (KpframeError, OSError):  # told by who reads it
                continue
    return ()
