"""The readable text of HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import ClassVar

from kpframe.stages import Cleaner

__all__ = ["Html"]

_BLOCK_NAMES = (
    "address article aside blockquote caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section summary "
    "table tbody td tfoot th thead title tr ul"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_SKIPPED = frozenset({"script", "style"})


class Html(Cleaner):
    """Takes the text out of HTML: no tags, comments, scripts and styles; entities decoded.

    The white space of the source is one space, as in a browser (but for `pre`). `br` becomes a line
    break; other block elements, list items and table cells become blank lines, so that no sentence
    and no phrase crosses them. Broken HTML is read as browsers read it. Not in the paper.
    """

    source: ClassVar[str] = "HTML Living Standard, sections 4 and 13.2; Python's html.parser"

    def clean(self, text: str) -> str:
        """The text of an HTML fragment or page, without white space at its ends."""
        reader = _Reader()
        reader.feed(text)
        reader.close()
        lines = (" ".join(line.split()) for line in "".join(reader.parts).split("\n"))
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._skipped = 0
        self._preformatted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipped += tag in _SKIPPED
        self._preformatted += tag == "pre"
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        self._skipped = max(0, self._skipped - (tag in _SKIPPED))
        self._preformatted = max(0, self._preformatted - (tag == "pre"))
        if tag != "br":
            self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.parts.append(data if self._preformatted else re.sub(r"\s+", " ", data))

    def _break(self, tag: str) -> None:
        if tag == "br":
            self.parts.append("\n")
        elif tag in _BLOCKS:
            self.parts.append("\n\n")
