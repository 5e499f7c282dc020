"""The text that a reader of an HTML page sees. Source: HTML Living Standard, sections 4 and 13.2."""

from __future__ import annotations

import re
from functools import cached_property
from html import unescape

__all__ = ["text_of_html"]

_BLOCK_NAMES = (
    "address article aside blockquote caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section summary "
    "table tbody td tfoot th thead title tr ul"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_SKIPPED = frozenset({"script", "style"})
_BLANKS = re.compile(r"\s+")
_ASCII_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")

# A quoted value may hold a >; values and their number are bounded, so that a quote that is never closed
# cannot make the time grow with the square of the length.
_TAG = re.compile(
    r"""<(?P<close>/?)(?P<name>[a-zA-Z][^\s/>"'<]{0,60})"""
    r"""(?P<end>[^"'>]{0,1000}+(?:(?:"[^"]{0,2000}+"|'[^']{0,2000}+')[^"'>]{0,1000}+){0,60}+>)?"""
)


def text_of_html(text: str) -> str:
    """The text of an HTML fragment or page, trimmed; blocks are parted by blank lines."""
    lines = (" ".join(line.split()) for line in _Reader(text).read().split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Reader:
    """One pass over HTML from left to right; what it has passed it never looks at again.

    Python's html.parser reads the rest of a text anew for each tag that is never closed.
    """

    def __init__(self, text: str) -> None:
        self.parts: list[str] = []
        self._text = text
        self._preformatted = 0
        self._missing: set[str] = set()

    def read(self) -> str:
        """All that a reader would see."""
        text, place = self._text, 0
        while (begin := text.find("<", place)) >= 0:
            self._data(text[place:begin])
            place = self._markup(begin)
        self._data(text[place:])
        return "".join(self.parts)

    def _markup(self, begin: int) -> int:
        """Read what begins with < at `begin`; returns the place after it."""
        text = self._text
        if text.startswith("<!--", begin):
            return self._after("-->", begin + 4)
        if text.startswith(("<!", "<?"), begin):
            return self._after(">", begin + 2)
        found = _TAG.match(text, begin)
        if found is None:
            self._data("<")
            return begin + 1
        name = found["name"].lower()
        end = self._after(">", found.end("name")) if found["end"] is None else found.end()
        if name in _SKIPPED and not found["close"]:
            # No other tag counts inside; without an end the rest of the page is inside.
            closing = self._find(f"</{name}", end)
            return closing if closing >= 0 else len(text)
        if name == "pre":
            self._preformatted = max(0, self._preformatted + (-1 if found["close"] else 1))
        self._break(name)
        return end

    def _after(self, sign: str, place: int) -> int:
        found = self._find(sign, place)
        return found + len(sign) if found >= 0 else len(self._text)

    def _find(self, sign: str, place: int) -> int:
        """The next place of `sign`, in any case; once there is none, the rest is not searched again."""
        if sign in self._missing:
            return -1
        text = self._text if not sign.startswith("</") else self._lower
        found = text.find(sign, place)
        if found < 0:
            self._missing.add(sign)
        return found

    @cached_property
    def _lower(self) -> str:
        """The text in lower case, letter by letter, so that offsets stay (İ has two lower-case letters)."""
        return self._text.translate(_ASCII_LOWER)

    def _data(self, data: str) -> None:
        decoded = unescape(data)
        self.parts.append(decoded if self._preformatted else _BLANKS.sub(" ", decoded))

    def _break(self, tag: str) -> None:
        if tag == "br":
            self.parts.append("\n")
        elif tag in _BLOCKS:
            self.parts.append("\n\n")
