"""The text that a reader of an HTML page sees. Source: HTML Living Standard, sections 4 and 13.2."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from html import unescape

import regex

from kpframe.language.html_content import STRUCTURE, Tag, around_content
from kpframe.model import Traced
from kpframe.model.traced import Edit, evened

__all__ = ["BLOCKS", "SKIPPED", "text_of_html", "traced_html"]

_BLOCK_NAMES = (
    "address article aside blockquote caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section summary "
    "table tbody td tfoot th thead title tr ul"
)
BLOCKS = frozenset(_BLOCK_NAMES.split())
SKIPPED = frozenset({"script", "style"})
_BLANKS = re.compile(r"\s+")
_CHANGING = re.compile(r"\s+|&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)")
"""Runs of white space, and all that could be an entity."""
_ASCII_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")

# A quoted value may hold a >; values and their number are bounded, so that a quote that is never closed
# cannot make the time grow with the square of the length. By `regex`: `re` of Python 3.11.2 goes wrong there.
_TAG = regex.compile(
    r"""<(?P<close>/?)(?P<name>[a-zA-Z][^\s/>"'<]{0,60})"""
    r"""(?P<end>[^"'>]{0,1000}+(?:(?:"[^"]{0,2000}+"|'[^']{0,2000}+')[^"'>]{0,1000}+){0,60}+>)?"""
)


def traced_html(text: Traced, *, whole: bool = False) -> Traced:
    """The text of an HTML fragment or page, trimmed, with the way back; blocks are parted by blank lines.

    `whole`: with what stands around the content (see `html_content`).
    """
    reader = _Reader(text.text)
    edits = reader.read()
    return evened(text.edited(edits if whole else _without(around_content(reader.structure), edits)))


def text_of_html(text: str) -> str:
    """The same, of a plain text."""
    return traced_html(Traced.of(text)).text


def _without(ranges: Sequence[tuple[int, int]], edits: Iterable[Edit]) -> Iterator[Edit]:
    """Edits that take ranges, which begin and end with tags, out of the text too."""
    waiting = iter([*ranges, (sys.maxsize, sys.maxsize)])
    begin, end = next(waiting)
    for edit in edits:
        if edit[0] >= end:
            yield begin, end, "\n\n"
            begin, end = next(waiting)
        if edit[1] <= begin:
            yield edit
    if end < sys.maxsize:
        yield begin, end, "\n\n"


class _Reader:
    """One pass over HTML from left to right; what it has passed it never looks at again.

    Python's html.parser reads the rest of a text anew for each tag that is never closed.
    """

    def __init__(self, text: str) -> None:
        self.edits: list[Edit] = []
        self.structure: list[Tag] = []
        self._text = text
        self._preformatted = 0
        self._missing: set[str] = set()

    def read(self) -> list[Edit]:
        """What makes all that a reader would see of the source."""
        text, place = self._text, 0
        while (begin := text.find("<", place)) >= 0:
            self._data(place, begin)
            place = self._markup(begin)
        self._data(place, len(text))
        return self.edits

    def _markup(self, begin: int) -> int:
        """Read what begins with < at `begin`; returns the place after it."""
        text = self._text
        if text.startswith(("<!", "<?"), begin):
            comment = text.startswith("<!--", begin)
            end = self._after("-->", begin + 4) if comment else self._after(">", begin + 2)
            self.edits.append((begin, end, ""))
            return end
        found = _TAG.match(text, begin)
        if found is None:
            return begin + 1
        name = found["name"].lower()
        end = self._after(">", found.end("name")) if found["end"] is None else found.end()
        if name in SKIPPED and not found["close"]:
            # No other tag counts inside; without an end the rest of the page is inside.
            closing = self._find(f"</{name}", end)
            end = closing if closing >= 0 else len(text)
            self.edits.append((begin, end, ""))
            return end
        if name in STRUCTURE:
            self.structure.append(Tag(name, bool(found["close"]), begin, end))
        if name == "pre":
            self._preformatted = max(0, self._preformatted + (-1 if found["close"] else 1))
        self.edits.append((begin, end, "\n" if name == "br" else "\n\n" if name in BLOCKS else ""))
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

    def _data(self, begin: int, end: int) -> None:
        """What stands between two tags: entities decoded, white space as one space but inside `pre`."""
        for found in _CHANGING.finditer(self._text, begin, end):
            new = unescape(found.group())
            self.edits.append((*found.span(), new if self._preformatted else _BLANKS.sub(" ", new)))
