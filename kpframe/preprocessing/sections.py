"""The sections of a paper: where they begin, what they are, and what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import numpy as np

from kpframe.model import Annotations, Document
from kpframe.preprocessing._front_matter import front_matter
from kpframe.preprocessing._headings import CAPTION, heading
from kpframe.preprocessing._lines import line_borders
from kpframe.stages import Annotator

__all__ = ["Sections"]

_LINE = re.compile(r"[^\r\n\f]+")
_FRONT = 60
"""A title ends at the latest after so many words."""
_OPENING = ("abstract", "introduction")
"""What authors and addresses stand before."""


class _Part(NamedTuple):
    """A section: its kind, and where it and its heading begin and the heading ends, in characters."""

    kind: str
    begin: int
    heading_end: int


class Sections(Annotator):
    """Parts a paper into sections, by its lines.

    Kinds: title, abstract, keywords, introduction, related_work, method, experiments, discussion, conclusion,
    acknowledgements, references, appendix, caption, other and front_matter.

    - The title is what the document's `title_length` says, or else what is before the first blank line,
      heading or end of a title line (as sentences see it), if that has no full stop at its end and at most
      60 words.
    - Sections begin at headings: usual names in several languages, numbered lines, lines in capitals (see
      `preprocessing/_headings.py`). A subsection with a name of its own has the kind of its section.
    - A caption begins with "Figure 3:", "Table 2." or the like at the begin of a line, and ends with the
      line that ends in a full stop, or before a blank line; the section goes on after it.
    - Front matter (authors and addresses) stands before the heading of an abstract or an introduction, from
      the first e-mail address or affiliation on, and the names right above it (see
      `preprocessing/_front_matter.py`). What else is before the first heading is `other`; so is a text
      without headings.

    Lines must have been kept: a text without line breaks has one section, or a title and one.
    """

    source: ClassVar[str] = "Nguyen and Kan 2007, section 3 (generic section headers); rules of kpframe"

    def requires(self) -> frozenset[str]:
        """Tokens."""
        return frozenset({"tokens"})

    def provides(self) -> frozenset[str]:
        """sections."""
        return frozenset({"sections"})

    def stands_alone(self) -> bool:
        """It adds a layer and changes no other."""
        return True

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        """The annotations with the layer `sections`."""
        assert annotations is not None
        title = document.metadata.get("title_length")
        parts = _with_front(annotations.text, title if isinstance(title, int) else None)
        begins = annotations.begins
        first = np.searchsorted(begins, [part.begin for part in parts]).astype(np.int32)
        ends = np.append(first[1:], len(annotations)).astype(np.int32)
        named = np.searchsorted(begins, [part.heading_end for part in parts]).astype(np.int32)
        kept = np.flatnonzero(ends > first)
        numbers = {word: number for number, word in enumerate(annotations.vocabulary)}
        kinds = [numbers.setdefault(parts[i].kind, len(numbers)) for i in kept.tolist()]
        return annotations.with_layers(
            vocabulary=tuple(numbers),
            sections=np.stack((first[kept], ends[kept]), axis=1).reshape(-1, 2),
            section_kinds=np.array(kinds, dtype=np.int32),
            headings=np.stack((first[kept], np.minimum(named, ends)[kept]), axis=1).reshape(-1, 2),
        )


def _parts(text: str, title_length: int | None) -> Iterator[_Part]:
    """The sections in text order."""
    if not text:
        return
    end = _title(text) if title_length is None else min(title_length, len(text))
    if end:
        yield _Part("title", 0, end)
    yield from _body(text, end)


def _with_front(text: str, title_length: int | None) -> list[_Part]:
    """The sections, with front matter for what was seen there: lines of addresses may look like headings."""
    parts = list(_parts(text, title_length))
    opening = next((part for part in parts if part.kind in _OPENING and part.heading_end > part.begin), None)
    found = None if opening is None else front_matter(text[: opening.begin])
    if opening is None or found is None or (title_length or 0) > found:
        return parts
    before = [part for part in parts if part.begin < found and part.heading_end <= found]
    return [*before, _Part("front_matter", found, found), *parts[parts.index(opening) :]]


def _title(text: str) -> int:
    """Where the title ends; 0 if none is to be seen."""
    begin = len(text) - len(text.lstrip())
    blank = re.compile(r"\n[^\S\n]*\n").search(text, begin)
    ends = [border for border in line_borders(text) if border > begin][:1]
    ends += [blank.start()] if blank else []
    ends += [
        line.start() for line in list(_LINE.finditer(text, begin, begin + 2000))[1:] if heading(line.group())
    ][:1]
    if not ends or heading(text[begin : min(ends)].strip()) is not None:
        return 0
    end = min(ends)
    return end if len(text[begin:end].split()) <= _FRONT and not text[begin:end].rstrip().endswith(".") else 0


def _body(text: str, begin: int) -> Iterator[_Part]:
    """The sections behind the title."""
    section, main, open_caption = _Part("other", begin, begin), "other", False
    yield section
    previous = begin
    for line in _LINE.finditer(text, begin):
        words = line.group().strip()
        if not words:
            continue
        at = line.start() + len(line.group()) - len(line.group().lstrip())
        blank = text.count("\n", previous, line.start()) > 1
        previous = line.end()
        found = heading(words)
        if open_caption and (blank or found):
            open_caption = False
            yield section._replace(begin=at, heading_end=at)
        if CAPTION.match(words):
            open_caption = True
            yield _Part("caption", at, at)
        elif found is not None:
            if found.depth == 1:
                main = found.kind
            section = _Part(main if found.kind == "other" else found.kind, at, at + found.characters)
            yield section
        if open_caption and words.endswith("."):
            open_caption = False
            yield section._replace(begin=line.end(), heading_end=line.end())
