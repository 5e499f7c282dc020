"""The readable text of Markdown. Source: CommonMark 0.31, sections 4 to 6; GitHub's tables."""

from __future__ import annotations

import re

__all__ = ["text_of_markdown"]

_FENCE = re.compile(r"[ ]{0,3}(```+|~~~+)")
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
_AUTOLINK = re.compile(r"<(?:https?://|mailto:)?[^<>\s]{1,2000}[.@:][^<>\s]{1,2000}>")
_CODE = re.compile(r"(?<!`)`{1,3}([^`\n]{1,500})`{1,3}(?!`)")
_EMPHASIS = re.compile(r"(?<![\w*~])([*_~]{1,3})(?=[^\s*_~])([^*~\n]{1,500}?)(?<=[^\s*_~])\1(?![\w*~])")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])")

_PRIVATE = 0x10FF00
_HIDDEN = re.compile(f"[{chr(_PRIVATE)}-{chr(_PRIVATE + 127)}]")


def text_of_markdown(text: str, *, code: bool = False) -> str:
    """The text, in which every heading, item and row is parted by a blank line; `code`: with fenced code."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            lines.append("")
        elif fence:
            lines.append(line if code else "")
        else:
            lines.extend(_cleaned(line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _cleaned(line: str) -> list[str]:
    """The lines that a line becomes."""
    if _RULE.match(line) or _DEFINITION.match(line) or ("|" in line and _TABLE_RULE.match(line)):
        return [""]
    body = _PREFIX.sub("", line, count=1)
    heading = _HEADING.match(line) is not None
    if heading:
        body = _HEADING_END.sub("", body)
    words = _words(body)
    if line.lstrip().startswith("|"):
        return [
            "",
            *(cell.strip() for cell in words.strip().strip("|").split("|") for cell in (cell, "")),
            "",
        ]
    if heading:
        return ["", words, ""]
    return ["", words] if _ITEM.match(line) else [words]


def _words(line: str) -> str:
    """A line without links, emphasis and marks of code; an escaped sign is no mark."""
    # Escaped signs wait in the private use area until all marks are read.
    line = _ESCAPE.sub(lambda found: chr(_PRIVATE + ord(found[1])), line)
    for _ in range(2):  # an image may stand inside a link
        line = _LINK.sub(r"\1", line)
    line = _CODE.sub(r"\1", _AUTOLINK.sub("", line))
    for _ in range(2):  # strong inside emphasis
        line = _EMPHASIS.sub(r"\2", line)
    return _HIDDEN.sub(lambda found: chr(ord(found[0]) - _PRIVATE), line)
