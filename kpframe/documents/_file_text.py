"""The text of any file that has one: plain, Markdown, HTML, PDF, Word; packed or not."""

from __future__ import annotations

import codecs
import io
import re

from kpframe.documents._pdf_text import text_of_pdf
from kpframe.documents._word_text import text_of_word
from kpframe.files.archives import damage_reported
from kpframe.files.container import Limits
from kpframe.files.decoding import decode
from kpframe.files.kinds import Seen, kind_of_bytes
from kpframe.files.layout import refused
from kpframe.files.unpacking import unpacked
from kpframe.language.html_text import text_of_html
from kpframe.language.markdown_text import text_of_markdown

__all__ = ["text_of_file"]

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]{2,40})", re.IGNORECASE)


def text_of_file(content: bytes, name: str, encoding: str, place: str) -> str:
    """The text in the bytes of the file `name`.

    DataError for a kind of file that holds no text or is damaged; ResourceError where nothing installed
    reads it.
    """
    seen = kind_of_bytes(content, name, encoding)
    if seen.packing:
        content = _unpacked(content, seen, place)
    kind = seen.kind.name
    if kind == "pdf":
        return text_of_pdf(content, place)
    if kind == "docx":
        return text_of_word(content, place)
    if kind == "html":
        return text_of_html(decode(content, _html_encoding(content, encoding), place))
    if kind == "markdown":
        return text_of_markdown(decode(content, encoding, place))
    if seen.kind.group not in ("text", "table") or kind in ("parquet", "xlsx"):
        raise refused(seen.kind, place)
    return decode(content, encoding, place)


def _html_encoding(content: bytes, encoding: str) -> str:
    """What the page says, if it is not what was set."""
    said = _CHARSET.search(content[:4096])
    if said is None:
        return encoding
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        try:
            return codecs.lookup(said[1].decode("ascii")).name
        except LookupError:
            return encoding
    return encoding


def _unpacked(content: bytes, seen: Seen, place: str) -> bytes:
    limits = Limits()
    most = max(limits.floor, min(limits.size, limits.ratio * len(content)))
    with damage_reported(place), unpacked(io.BytesIO(content), seen.packing) as stream:
        whole = bytes(stream.read(most + 1))
    if len(whole) > most:
        raise limits.bomb(place) if most < limits.size else limits.too_large(place, limits.size)
    return whole
