"""From bytes to text and lines, with the place of what cannot be decoded."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterable, Iterator
from typing import IO, TypeVar

from kpframe.errors import DataError, KpframeError
from kpframe.files.archives import damage_reported
from kpframe.files.byte_marks import by_mark, marked_stream
from kpframe.files.container import Limits
from kpframe.files.kinds import kind_of_stream
from kpframe.files.unpacking import unpacked
from kpframe.files.urls import opened

__all__ = ["NOT_DECODED", "as_utf8", "beginning", "decode", "numbered_lines", "unified_line_ends"]

NOT_DECODED = "set `encoding` to the one that the file has (often cp1252 or latin-1), or save it as UTF-8"
"""The remedy for bytes that are not in the encoding, where there is a parameter for it."""
_BOM = "\ufeff"
_HEAD = 2**16

Item = TypeVar("Item")


def decode(content: bytes, encoding: str, place: str) -> str:
    """The text of a file: no byte order mark, every line end as a line feed.

    UTF-16 and UTF-32 are seen by their marks where nothing else was said. Raises DataError with the offset of
    the first byte that is not in the encoding.
    """
    encoding = by_mark(content[:4], encoding)
    try:
        text = content.decode(encoding)
    except UnicodeError as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        raise undecodable(place, encoding, start) from None
    return unified_line_ends(text.removeprefix(_BOM))


def unified_line_ends(text: str) -> str:
    """The text with a line feed for every line end of Windows and old Macintosh."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def undecodable(place: str, encoding: str, offset: int) -> KpframeError:
    """The error for a byte that is not in the encoding; `offset` counts bytes from 0."""
    return DataError.at(
        place,
        f"byte {offset:,} is not {encoding}",
        NOT_DECODED,
    )


def as_utf8(items: Iterable[Item]) -> Iterator[Item]:
    """All `items`; an error for undecodable bytes says what to do where no encoding can be said."""
    try:
        yield from items
    except KpframeError as error:
        told = [p.but(remedy=p.remedy.replace(NOT_DECODED, "save it as UTF-8")) for p in error.problems]
        raise type(error)(told) from None


def numbered_lines(
    path: str, encoding: str, *, newline: str = "\n", content: bytes | None = None
) -> Iterator[tuple[int, str]]:
    """The lines of a file (unpacked), counted from 1, with their ends.

    `content` are the bytes of the file, if it lies in an archive. `newline` is as for `open`: `"\\n"` ends
    lines at line feeds alone, `""` at carriage returns too.
    Raises DataError for undecodable bytes, damaged compression and lines beyond 256 MB.
    """
    limit = Limits().size
    with damage_reported(path), _open(path, content) as raw:
        stream, encoding = marked_stream(raw, encoding)
        lines = io.TextIOWrapper(stream, encoding=encoding, newline=newline)
        try:
            for number, line in enumerate(iter(lambda: lines.readline(limit + 1), ""), start=1):
                if len(line) > limit:
                    raise Limits().too_large(f"{path}:{number}", limit)
                yield number, line.removeprefix(_BOM) if number == 1 else line
        except UnicodeError:
            raise undecodable(path, encoding, _first_bad_byte(path, encoding, content)) from None


def _open(path: str, content: bytes | None) -> IO[bytes]:
    stream: IO[bytes] = opened(path) if content is None else io.BytesIO(content)
    return unpacked(stream, kind_of_stream(stream, path).packing)


def beginning(source: str | bytes, encoding: str) -> tuple[str, bool]:
    """The beginning of a text, unpacked, with its line ends, and whether that is all; never an error."""
    try:
        with _open(
            "" if isinstance(source, bytes) else source, source if isinstance(source, bytes) else None
        ) as raw:
            head = raw.read(_HEAD)
            whole = not raw.read(1)
    except Exception:  # damaged, or gone: who reads it says so
        return "", True
    return head.decode(by_mark(head, encoding), "replace"), whole


def _first_bad_byte(path: str, encoding: str, content: bytes | None) -> int:
    """The offset, found by decoding once more in pieces; lines are decoded ahead and cannot tell."""
    decoder = codecs.getincrementaldecoder(encoding)()
    position = 0
    with _open(path, content) as raw:
        while True:
            chunk = raw.read(2**20)
            waiting = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                return position - waiting + error.start
            except UnicodeError:
                return position - waiting
            if not chunk:
                return position
            position += len(chunk)
