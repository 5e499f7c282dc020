"""What of an HTML page stands around its content. Source: HTML Living Standard, sections 4.3 and 4.4.14."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

__all__ = ["STRUCTURE", "Tag", "around_content"]

STRUCTURE = frozenset({"main", "article", "nav", "header", "footer", "aside", "form"})
"""The elements by which content is told from what stands around it; `script` and `style` are never read."""


class Tag(NamedTuple):
    """A tag of one of these elements and its characters."""

    name: str
    close: bool
    begin: int
    end: int


class _Open:
    """An element that is not closed yet, and whether the content stands in it."""

    def __init__(self, tag: Tag) -> None:
        self.tag = tag
        self.holds = False


def around_content(tags: Iterable[Tag]) -> list[tuple[int, int]]:
    """The ranges of a page that are navigation, headers, footers, asides and forms, in order.

    There are none where the page names no content: no `main`, or else no `article`. What the content stands
    in is never among them, as a form around a whole page; the header of the content itself is not either,
    since it has the title. An element that is never closed ends nowhere, and stays.
    """
    given = list(tags)
    names = {tag.name for tag in given if not tag.close}
    content = next((name for name in ("main", "article") if name in names), None)
    found: list[tuple[int, int]] = []
    if content is not None:
        for begin, end in _closed(given, content):
            while found and found[-1][0] >= begin:  # it stands inside
                found.pop()
            found.append((begin, end))
    return found


def _closed(tags: Iterable[Tag], content: str) -> Iterator[tuple[int, int]]:
    """Elements around the content, in the order of their ends."""
    opened: list[_Open] = []
    count: Counter[str] = Counter()
    for tag in tags:
        if not tag.close:
            if tag.name == content and not count[content]:
                for outer in opened:
                    outer.holds = True
            opened.append(_Open(tag))
            count[tag.name] += 1
            continue
        while count[tag.name]:  # what was never closed inside ends with it
            last = opened.pop()
            count[last.tag.name] -= 1
            if last.tag.name == tag.name:
                of_content = tag.name == "header" and count[content]
                if tag.name not in ("main", "article") and not last.holds and not of_content:
                    yield last.tag.begin, tag.end
                break
