"""Which columns `--keep` names: several in one word, parted by commas, with blanks or without."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from kpframe.errors import KpframeError, SpecError

__all__ = ["kept_columns"]


def kept_columns(given: Sequence[str], inputs: Sequence[str], encoding: str | None) -> tuple[str, ...]:
    """The columns, each once. SpecError where a word names none.

    Blanks around a name are none of it, unless the table has a column that is called exactly so, as it has
    where its header is `a, b`.
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
    """The columns of the first table; none where there is none."""
    from kpframe.files.partitions import tables_of
    from kpframe.files.tables.opening import open_table

    for pattern in inputs:
        for path in ["-"] if pattern == "-" else [path for _, path in tables_of(pattern)]:
            source, name = (_standard_input(), "standard input") if path == "-" else (path, "")
            try:
                with open_table(source, name=name, encoding=encoding or "utf-8", text_is_csv=True) as table:
                    return table.columns
            except (KpframeError, OSError):  # told by who reads it
                continue
    return ()


def _standard_input() -> bytes:
    """What is read of it, which whoever reads it next gets once more: its texts are read in one piece too."""
    from kpframe.files.container import Limits

    most = Limits().size + 1  # so that the reader sees that it is too much
    stream = getattr(sys.stdin, "buffer", None)
    content: bytes = stream.read(most) if stream else sys.stdin.read(most).encode("utf-8")
    sys.stdin = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
    return content
