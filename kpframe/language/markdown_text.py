"""The readable text of Markdown. Source: CommonMark 0.31, sections 4 to 6; GitHub's tables."""

from __future__ import annotations

import re

from kpframe.language.markdown_html import AUTOLINK, CODE, FENCE, without_front_matter, without_html
from kpframe.model import Traced
from kpframe.model.traced import narrowed

__all__ = ["text_of_markdown", "traced_markdown"]

_RULE = re.compile(r"[ ]{0,3}(?:[-*_=][ \t]*){3,}$")
_TABLE_RULE = re.compile(r"[ ]*\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-*:?[ ]*)+$")
_DEFINITION = re.compile(r"[ ]{0,3}\[[^\]\n]{1,200}\]:[ \t]*\S+")
_PREFIX = re.compile(
    r"(?:[ \t]{0,8}>[ ]?)*[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)][ \t]+)?"
)
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t]")
_HEADING_END = re.compile(r"[ \t]+#+[ \t]*$")
_LINK = re.compile(
    r"!?\[([^\[\]\n]{0,500})\](?:\([^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?\)|\[[^\]\n]{0,200}\])"
)
_EMPHASIS = re.compile(r"(?<![\w*~])([*_~]{1,3})(?=[^\s*_~])([^*~\n]{1,500}?)(?<=[^\s*_~])\1(?![\w*~])")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~&])")

_MARK = re.compile(r"[\\\[<`*_~]")
_PRIVATE = 0x10FF00


def traced_markdown(text: Traced, *, code: bool = False) -> Traced:
    """The text, in which every heading, item and row is parted by a blank line; `code`: with fenced code."""
    text = without_html(without_front_matter(text))
    lines: list[Traced] = []
    fence = ""
    for line in text.lines():
        mark = FENCE.match(line.text)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            lines.append(line.blank())
        elif fence:
            lines.append(line if code else line.blank())
        else:
            lines.extend(_cleaned(line))
    return narrowed(text.joined("\n", lines))


def text_of_markdown(text: str, *, code: bool = False) -> str:
    """The same, of a plain text."""
    return traced_markdown(Traced.of(text), code=code).text


def _cleaned(traced: Traced) -> list[Traced]:
    """The lines that a line becomes."""
    line, blank = traced.text, traced.blank()
    if _RULE.match(line) or _DEFINITION.match(line) or ("|" in line and _TABLE_RULE.match(line)):
        return [blank]
    prefix = _PREFIX.match(line)
    body = traced.piece(prefix.end() if prefix else 0, len(line))
    heading = _HEADING.match(line) is not None
    if heading:
        body = body.sub(_HEADING_END, "")
    words = _words(body)
    if line.lstrip().startswith("|"):
        cells = [cell.strip() for cell in words.strip().strip("|").split("|")]
        return [blank, *(piece for cell in cells for piece in (cell, blank)), blank]
    if heading:
        return [blank, words, blank]
    return [blank, words] if _ITEM.match(line) else [words]


def _words(line: Traced) -> Traced:
    """A line without links, emphasis and marks of code; an escaped sign is no mark."""
    if not _MARK.search(line.text):
        return line
    # Escaped signs wait in the private use area until all marks are read.
    private = _free(line.text)
    line = line.sub(_ESCAPE, lambda found: chr(private + ord(found[1])))
    for _ in range(2):  # an image may stand inside a link
        line = line.unwrapped(_LINK)
    line = line.sub(AUTOLINK, "").unwrapped(CODE)
    for _ in range(2):  # strong inside emphasis
        line = line.unwrapped(_EMPHASIS, 2)
    hidden = re.compile(f"[{chr(private)}-{chr(private + 127)}]")
    return line.sub(hidden, lambda found: chr(ord(found[0]) - private))


def _free(text: str) -> int:
    """Where 128 characters of the private use area begin of which a text has none itself."""
    used = {ord(sign) // 128 for sign in text if ord(sign) >= _PRIVATE - 128 * len(text)}
    return next(place for place in range(_PRIVATE, 0, -128) if place // 128 not in used)
