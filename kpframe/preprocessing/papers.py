"""The running text of papers: without what belongs to pages and not to sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar, Literal

from pydantic import Field

from kpframe.language.ligatures import without_ligatures
from kpframe.model import Traced
from kpframe.model.traced import narrowed
from kpframe.preprocessing._headings import heading
from kpframe.preprocessing.dehyphenate import Dehyphenate
from kpframe.stages import Cleaner

__all__ = ["Papers"]

_Part = Literal["ligatures", "contents", "page_numbers", "running_heads", "references", "hyphens"]

_PAGE_BEHIND = re.compile(r"(?:\d{1,4}|[ivxlc]{1,7})$")
_LEADERS = re.compile(r"(?:\.{4}|(?:\.[ \t]){3}\.|_{4}|…{2}|·{4})$")
_CONTENTS = re.compile(
    r"(?i)(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières|sumário|índice|indice"
)
_PAGE = re.compile(
    r"(?i)(?:[-–—|\[(][ \t]?)?(?:page |p\. ?|seite )?\d{1,4}(?: ?(?:of|/|von) ?\d{1,4})?(?:[ \t]?[-–—|\])])?"
)
_DIGITS = re.compile(r"\d+")
_ENTRY = re.compile(r"\b(?:1[6-9]|20)\d\d[a-z]?\b|^\[?\d{1,3}[\].]|^\[[^\]\n]{1,20}\]")
_GOES_ON = re.compile(r"[^\W\d_]|[,;(\-]")

_TIMES, _APART, _HEAD = 3, 15, 100
"""A running head comes at least so often, so many lines apart, and has at most so many characters."""


class Papers(Cleaner):
    """Takes out of the text of a paper, as programs make it of PDF, what is no running text.

    In this order, each a value of `parts`:

    - ligatures: ﬁ, ﬂ, ﬀ, … become letters; a word with a blank behind or before one ("classiﬁ cation") is
      joined if it stands elsewhere in the text, or is an English word while the half with the ligature is
      none, but not where both halves are words ("oﬀ set");
    - contents: lines that end in leaders and a page number ("Results ........ 12"), where three or more
      follow each other, and the heading above them;
    - page_numbers: lines that are nothing but one ("12", "- 12 -", "Page 3 of 10");
    - running_heads: lines of up to 100 characters that come at least three times, each time 15 or more lines
      after the last, whatever their numbers; the one among the first five lines stays, since it is the title;
    - references: from the last heading "References" (or the like, in seven languages) in the second half to
      the end, or to an appendix, if at least a third of its first 12 lines look like entries (a year, [3]);
    - hyphens: words broken at line ends, as `dehyphenate` joins them.

    Where a page ends inside a sentence, the sentence goes on. Not in the paper.
    """

    source: ClassVar[str] = "rules of kpframe"

    parts: tuple[_Part, ...] = Field(
        ("ligatures", "contents", "page_numbers", "running_heads", "references", "hyphens"),
        min_length=1,
        description="What is taken out or mended; the order does not matter.",
    )
    english: bool = Field(
        True,
        description="For ligatures and hyphens: whether to look words up in the word list of the English "
        "model.",
    )

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """Parameters, and the model whose word list is read."""
        if not {"hyphens", "ligatures"} & set(self.parts):
            return self.to_spec()
        return {**self._joiner.identity(languages), **self.to_spec()}

    @property
    def _joiner(self) -> Dehyphenate:
        return Dehyphenate(english=self.english)

    def clean(self, text: str) -> str:
        """The running text."""
        return self.edit(Traced.of(text)).text

    def edit(self, text: Traced) -> Traced:
        """The same, with the way back."""
        if "ligatures" in self.parts:
            text = without_ligatures(text, english=self.english)
        lines = text.lines()
        gone = self._gone([line.text.strip() for line in lines])
        if gone:
            text = narrowed(text.joined("\n", _without(lines, gone)))
        return self._joiner.edit(text) if "hyphens" in self.parts else text

    def _gone(self, lines: Sequence[str]) -> set[int]:
        """The numbers of the lines that are no running text."""
        gone: set[int] = set()
        if "contents" in self.parts:
            gone.update(_contents(lines))
        if "page_numbers" in self.parts:
            gone.update(number for number, line in enumerate(lines) if _PAGE.fullmatch(line))
        if "running_heads" in self.parts:
            gone.update(_running_heads(lines))
        if "references" in self.parts:
            gone.update(_references(lines))
        return gone


def _without(lines: Sequence[Traced], gone: set[int]) -> list[Traced]:
    """The lines that stay; no empty line where a page ended inside a sentence."""
    kept: list[Traced] = []
    cut = False
    for number, line in enumerate(lines):
        if number in gone:
            cut = True
            continue
        first = line.text.lstrip()[:1]
        if first and cut:
            before = len(kept)
            while before and not kept[before - 1].text.strip():
                before -= 1
            if before and first.islower() and _GOES_ON.fullmatch(kept[before - 1].text.rstrip()[-1]):
                del kept[before:]
        cut = cut and not first
        kept.append(line)
    return kept


def _contents(lines: Sequence[str]) -> Iterator[int]:
    """Tables of contents, of at least three lines with leaders."""
    written = [number for number, line in enumerate(lines) if line]
    run: list[int] = []
    for place, number in enumerate([*written, -1]):
        if number >= 0 and _has_leaders(lines[number]):
            run.append(place)
            continue
        if len(run) >= 3:
            yield from (written[one] for one in run)
            above = written[run[0] - 1] if run[0] else -1
            if above >= 0 and _CONTENTS.fullmatch(lines[above]):
                yield above
        run = []


def _has_leaders(line: str) -> bool:
    """Whether a line ends in leaders and a page number; only its end is looked at."""
    number = _PAGE_BEHIND.search(line[-7:])
    if number is None:
        return False
    return _LEADERS.search(line[: len(line) - len(number.group())].rstrip()[-8:]) is not None


def _running_heads(lines: Sequence[str]) -> Iterator[int]:
    """Lines that come again and again, pages apart."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        if 3 < len(line) <= _HEAD:
            form = " ".join(_DIGITS.sub(" ", line).split()).casefold()
            if sum(map(str.isalpha, form)) > 3:
                places.setdefault(form, []).append(number)
    for same in places.values():
        if len(same) >= _TIMES and all(b - a >= _APART for a, b in pairwise(same)):
            yield from (number for number in same if number > 4)


def _references(lines: Sequence[str]) -> Iterator[int]:
    """The list of references, with its heading."""
    for number in range(len(lines) - 1, len(lines) // 2 - 1, -1):
        found = heading(lines[number]) if lines[number] else None
        if found is None or found.kind != "references":
            continue
        following = [line for line in lines[number + 1 : number + 25] if line][:12]
        if 3 * sum(_ENTRY.search(line) is not None for line in following) < max(1, len(following)):
            return
        yield number
        for after in range(number + 1, len(lines)):
            next_one = heading(lines[after]) if lines[after] else None
            if next_one is not None and next_one.kind == "appendix":
                return
            yield after
        return
