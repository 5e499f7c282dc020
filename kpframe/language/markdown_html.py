"""What of Markdown is HTML, or no text at all: tags, comments, entities, and the front matter of a page.

Source: CommonMark 0.31, sections 2.5 (entities), 4.6 (HTML blocks) and 6.6 (raw HTML).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import regex

from kpframe.language.html_text import BLOCKS, SKIPPED
from kpframe.model import Traced
from kpframe.model.traced import Edit

__all__ = ["AUTOLINK", "CODE", "FENCE", "without_front_matter", "without_html"]

FENCE = re.compile(r"[ ]{0,3}(```++(?!.*`)|~~~++)")
AUTOLINK = re.compile(r"<(?:https?://|mailto:)?[^<>\s]{1,2000}[.@:][^<>\s]{1,2000}>")
CODE = re.compile(r"(?<!`)`{1,3}([^`\n]{1,500})`{1,3}(?!`)")

_NO_MARKUP = re.compile(rf"\\[!-/:-@\[-`{{-~]|{CODE.pattern}|{AUTOLINK.pattern}")
"""Escaped signs, code and addresses: what looks like HTML in them is none."""
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_SIGNS = frozenset("\\`*_{}[]()#+-.!|<>~&")
# As in HTML, what is never closed must not make the time grow with the square of the length.
_TAG = regex.compile(
    r"""<(?P<close>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]{0,60}+)(?=[\s/>])"""
    r"""[^"'<>]{0,1000}+(?:(?:"[^"]{0,2000}+"|'[^']{0,2000}+')[^"'<>]{0,1000}+){0,60}+>"""
)
_FENCE_BEHIND = re.compile(r"[ \t]*+(?:```++|~~~++)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_ENDS = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>", "<!": ">"}
"""What ends what begins with these signs, the longest first."""

_MATTER = {
    "---": re.compile(r"#|[\w\"'][^:]{0,100}:(?:\s|$)"),
    "+++": re.compile(r"#|\[|[\w\"'.-]{1,100}\s*="),
}
"""The lines around a front matter (YAML, TOML), and what its first line looks like."""
_LONGEST_MATTER = 500


def without_front_matter(text: Traced) -> Traced:
    """What stands behind the metadata at the very beginning of a page; the text, if there are none."""
    begin = 1 if text.text.startswith("\ufeff") else 0
    mark = text.text[begin : begin + 3]
    if mark not in _MATTER:
        return text
    place, looks_so = begin, False
    for number, line in enumerate(text.text[begin:].splitlines(keepends=True)[: _LONGEST_MATTER + 1]):
        place += len(line)
        bare = line.rstrip()
        if number == 0 and bare != mark:
            return text
        if number and bare in ((mark, "...") if mark == "---" else (mark,)):
            return text.piece(place, len(text.text)) if looks_so else text
        if number and bare and not looks_so:
            if not _MATTER[mark].match(bare):
                return text
            looks_so = True
    return text


def without_html(text: Traced) -> Traced:
    """`text` with what a reader sees of its HTML: blocks are parted by blank lines, entities are characters.

    Code, escaped signs and addresses stay as they are. What is never closed is text.
    """
    if "<" not in text.text and "&" not in text.text:
        return text
    return text.edited(_Html(text.text).edits())


class _Html:
    """One pass from left to right; what has no end is not looked for again."""

    def __init__(self, text: str) -> None:
        self._text = _shown(text)
        self._missing: set[str] = set()
        self._line = 0
        self._lower = ""

    def edits(self) -> Iterator[Edit]:
        place = 0
        while (begin := self._text.find("<", place)) >= 0:
            yield from self._entities(place, begin)
            edit = self._declared(begin) or self._tag(begin)
            place = begin + 1
            if edit:
                # What stands behind a tag is no fence, and must not become one.
                fence = _FENCE_BEHIND.match(self._text, edit[1])
                place = fence.end() if fence else edit[1]
                yield begin, place, edit[2]
        yield from self._entities(place, len(self._text))

    def _entities(self, begin: int, end: int) -> Iterator[Edit]:
        for found in _ENTITY.finditer(self._text, begin, end):
            made = unescape(found.group())
            if made == found.group():
                continue
            if made.isspace():
                made = "\u00a0" if made == "\u00a0" else " "
            # What is written so that it is no mark is none.
            yield (*found.span(), f"\\{made}" if made in _SIGNS else made)

    def _declared(self, begin: int) -> Edit | None:
        """A comment or the like."""
        for opening, closing in _ENDS.items():
            if self._text.startswith(opening, begin):
                end = self._find(closing, begin + len(opening))
                return None if end < 0 else (begin, end + len(closing), "")
        return None

    def _tag(self, begin: int) -> Edit | None:
        found = _TAG.match(self._text, begin)
        if found is None or _BLANK_LINE.search(found.group()):
            return None
        name, end = found["name"].lower(), found.end()
        if name in SKIPPED and not found["close"]:
            closing = self._find(f"</{name}", end)
            end = end if closing < 0 else closing
        if name in BLOCKS or name == "br":
            return begin, end, "|" if self._in_row(begin) else "\n" if name == "br" else "\n\n"
        return begin, end, ""

    def _in_row(self, place: int) -> bool:
        """Whether the line of `place`, which never goes back, is a row of a table."""
        while (after := self._text.find("\n", self._line, place)) >= 0:
            self._line = after + 1
        return self._text[self._line : self._line + 20].lstrip(" \t").startswith("|")

    def _find(self, sign: str, place: int) -> int:
        if sign in self._missing:
            return -1
        if sign.startswith("</") and not self._lower:
            self._lower = re.sub("[A-Z]", lambda found: found.group().lower(), self._text)
        found = (self._lower if sign.startswith("</") else self._text).find(sign, place)
        if found < 0:
            self._missing.add(sign)
        return found


def _shown(text: str) -> str:
    """A text of the same length in which blanks stand for all that is no HTML, whatever it looks like."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif fence:
            bare = len(line.splitlines()[0])
            line = " " * bare + line[bare:]
        lines.append(line)
    return _NO_MARKUP.sub(lambda found: " " * len(found.group()), "".join(lines))
