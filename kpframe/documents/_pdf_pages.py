"""The lines of a PDF page with their places, by PDFium."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kpframe.errors import DataError, KpframeError, ResourceError

__all__ = ["Line", "pages_of"]

_BROKEN = {0x02: "-", 0xFFFE: "-", 0xAD: "-"}
"""What PDFium gives for the hyphen at the end of a line."""


@dataclass(slots=True)
class Line:
    """Some text on one base line: its box in points from the left and from the bottom, and its size."""

    text: str
    left: float
    right: float
    bottom: float
    top: float

    @property
    def size(self) -> float:
        """The height in points."""
        return self.top - self.bottom


def pages_of(content: bytes, place: str) -> Iterator[tuple[float, list[Line]]]:
    """Height and lines of each page, in the order of the file.

    ResourceError if PDFium is not installed; DataError for a PDF that is encrypted or damaged.
    """
    try:
        import pypdfium2 as pdfium
    except ImportError:
        remedy = "pip install 'kpframe[documents]'"
        raise ResourceError.at(place, "is a PDF, which needs pypdfium2", remedy) from None
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        raise _unreadable(place, str(error)) from None
    with document:
        for number in range(len(document)):
            try:
                page = document[number]
                text = page.get_textpage()
            except pdfium.PdfiumError as error:
                raise _unreadable(f"{place}, page {number + 1}", str(error)) from None
            yield page.get_height(), _lines(pdfium.raw, text)
            text.close()
            page.close()


def _unreadable(place: str, reason: str) -> KpframeError:
    if "password" in reason.lower():
        return DataError.at(place, "is an encrypted PDF", "save it without a password")
    return DataError.at(place, f"is a damaged PDF ({reason})", "fetch it again")


def _lines(raw: Any, text: Any) -> list[Line]:
    """Characters in the order of the file, cut where the base line or the place jumps."""
    lines: list[Line] = []
    box = [ctypes.c_double() for _ in range(4)]
    left, right, bottom, top = box
    pointers = [ctypes.byref(value) for value in box]
    current: Line | None = None
    gap = ""
    for i in range(text.count_chars()):
        code = raw.FPDFText_GetUnicode(text, i)
        character = _BROKEN.get(code) or (chr(code) if code <= 0x10FFFF else "\ufffd")
        if character in "\r\n":
            current, gap = None, ""
            continue
        if character.isspace():
            gap = " "
            continue
        if 0xD800 <= code <= 0xDFFF or not raw.FPDFText_GetCharBox(text, i, *pointers):
            continue
        place = (left.value, right.value, bottom.value, top.value)
        if current is None or _jumps(current, *place):
            current = Line(character, *place)
            lines.append(current)
        else:
            current.text += gap + character
            current.right = max(current.right, place[1])
            current.bottom, current.top = min(current.bottom, place[2]), max(current.top, place[3])
        gap = ""
    return [line for line in lines if line.text.strip("-–—_.· ") or len(line.text) == 1]


def _jumps(line: Line, left: float, right: float, bottom: float, top: float) -> bool:
    """Whether a character is not on the line, or far from its end (another column, a cell of a table)."""
    height = max(line.size, top - bottom, 1.0)
    outside = bottom > line.top or top < line.bottom
    return outside or left < line.left - height or left - line.right > 2 * height
