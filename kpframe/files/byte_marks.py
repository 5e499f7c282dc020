"""Byte order marks: a text that begins with one says itself that it is UTF-16 or UTF-32."""

from __future__ import annotations

import codecs
import io
from typing import IO

__all__ = ["by_mark", "marked_stream"]

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins as that of UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DEFAULT = ("utf-8", "utf-8-sig")


def by_mark(head: bytes, encoding: str) -> str:
    """The encoding that the first bytes of a text show, where nothing else than UTF-8 was said."""
    if codecs.lookup(encoding).name not in _DEFAULT:
        return encoding
    return next((found for mark, found in _MARKS if head.startswith(mark)), encoding)


def marked_stream(stream: IO[bytes], encoding: str) -> tuple[IO[bytes], str]:
    """A stream of the same bytes, and the encoding that they show; see `by_mark`."""
    if stream.seekable():
        head = stream.read(4)
        stream.seek(0)
        return stream, by_mark(head, encoding)
    buffered = io.BufferedReader(stream)  # type: ignore[type-var]
    return buffered, by_mark(buffered.peek(4)[:4], encoding)
