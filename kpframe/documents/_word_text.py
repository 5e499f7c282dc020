"""The text of a Word document (docx). Source: ECMA-376, part 1, section 17."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from kpframe.errors import DataError, KpframeError
from kpframe.files.container import Limits

__all__ = ["text_of_word"]

_MAIN = "word/document.xml"
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_LEFT_OUT = frozenset({"del", "moveFrom", "Fallback"})
"""What was deleted or moved away, and the copies of drawings for old programs."""


def text_of_word(content: bytes, place: str) -> str:
    """The body's paragraphs and cells of tables, parted by blank lines, as the last reader would see them.

    Insertions count, deletions do not; headers, footers and notes are left out. DataError if damaged.
    """
    paragraphs = (" ".join(text.split(" ")).strip() for text in _paragraphs(_body(content, place)))
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(text for text in paragraphs if text))


def _body(content: bytes, place: str) -> Any:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    limits = Limits()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as whole:
            info = whole.getinfo(_MAIN)
            limits.refuse_size(place, info.file_size, info.compress_size)
            return fromstring(whole.read(info))
    except KpframeError:
        raise
    except DefusedXmlException:
        raise DataError.at(place, "is a Word document that declares entities", "save it anew") from None
    except (ParseError, KeyError, OSError, EOFError, RuntimeError, ValueError, zipfile.BadZipFile) as error:
        reason = str(error) or type(error).__name__
        raise DataError.at(place, f"is a damaged Word document ({reason})", "save it anew") from None


def _paragraphs(body: Any) -> Iterator[str]:
    """The text of each paragraph; one inside another (a text box) comes after it."""
    waiting = [body]
    while waiting:
        element = waiting.pop()
        if _name(element) == "p":
            inner: list[Any] = []
            yield "".join(_runs(element, inner))
            waiting += reversed(inner)
        elif _name(element) not in _LEFT_OUT:
            waiting += reversed(element)


def _runs(paragraph: Any, inner: list[Any]) -> Iterator[str]:
    waiting = list(reversed(paragraph))
    while waiting:
        element = waiting.pop()
        name = _name(element)
        if name == "p":
            inner.append(element)
        elif name == "t":
            yield element.text or ""
        elif name in _BREAKS:
            yield _BREAKS[name]
        elif name not in _LEFT_OUT and name not in ("pPr", "rPr"):
            waiting += reversed(element)


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]
