"""The lines of files with phrases: UTF-8, or UTF-16 and UTF-32 with a mark; packed by gzip or not."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from kpframe.errors import DataError
from kpframe.files.byte_marks import by_mark
from kpframe.files.decoding import as_utf8, numbered_lines

__all__ = ["stripped_lines"]

_ENDS = " \r\n\ufeff"
"""What stands around a line and is none of it."""


def stripped_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines with their numbers. DataError for what cannot be read, or is in another encoding."""
    offset = 0
    try:
        with _open(path) as stream:
            marked = by_mark(stream.read(4), "utf-8") != "utf-8"
        if marked:
            yield from (
                (number, line.strip(_ENDS)) for number, line in as_utf8(numbered_lines(str(path), "utf-8"))
            )
            return
        with _open(path) as stream:
            for number, raw in enumerate(stream, start=1):
                yield number, _decoded(path, number, raw, offset).strip(_ENDS)
                offset += len(raw)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError.at(str(path), f"cannot be read ({reason})", "check the path and the file") from None


def _open(path: Path) -> IO[bytes] | gzip.GzipFile:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")


def _decoded(path: Path, number: int, raw: bytes, offset: int) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        where = offset + error.start
        problem = f"not UTF-8 at byte {where} of the file"
        raise DataError.at(f"{path}:{number}", problem, "save it as UTF-8") from None
