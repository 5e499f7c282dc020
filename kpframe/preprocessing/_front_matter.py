"""Where the authors and addresses of a paper begin, by evidence: what is not sure is text."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["front_matter"]

_MOST = 250
"""Title, authors and addresses have at most so many words."""

_AFFILIATION = re.compile(
    r"\b(?:universit\w*|univ\b|institut\w*|dep(?:t\b|artment\w*|artament\w*)|département|dipartimento|abteilung|"
    r"facult\w+|fakultät|laborator\w*|labs\b|laboratoire|hochschule|polytechni\w*|politec\w*|école|gmbh|inc\.|ltd|"
    r"corporation|academy of|college of)|@",
    re.IGNORECASE,
)
_PARTICLES = frozenset(
    (
        "and",
        "und",
        "et",
        "e",
        "y",
        "von",
        "van",
        "der",
        "den",
        "de",
        "di",
        "da",
        "dos",
        "del",
        "la",
        "le",
        "el",
    )
)
_WORD = re.compile(r"[^\W\d_]+(?:['’.´˘¨ˇ`-][^\W\d_]+)*")  # programs set accents of PDF beside their letters
_SEVERAL = re.compile(r"[,&*†‡§∗¶$]|\b(?:and|und|et|y)\b|\b[^\W\d_]\.|[\d¹²³]")
"""What parts names on a line, marks one, or shortens one."""
_NAME = 5
"""A line with one name has at most so many words."""
_PROSE = 8
"""From so many words on a line of which most are in small letters is running text."""


def front_matter(head: str) -> int | None:
    """The offset at which authors and addresses begin in what stands before an abstract; None if nowhere.

    They begin with the first line that has an e-mail address or an affiliation ("Department of", "Institut"),
    or with the lines of names right above it. The first line of a text is its title whatever it says, and a
    title's second line is none of names: it has small words, or nothing that parts or marks names. Running
    text before the abstract means that this is no paper; then there is no front matter.
    """
    if len(head.split()) > _MOST:
        return None
    lines = [(found.start(), found.group().strip()) for found in re.finditer(r"[^\r\n\f]+", head)]
    lines = [(place, line) for place, line in lines if line]
    texts = [line for _, line in lines]
    first = next((n for n, line in enumerate(texts) if n and _is_address(line)), None)
    if first is None or any(_is_prose(line) for line in texts[1:]):
        return None
    first = _names_above(texts, first)
    return lines[first][0]


def _names_above(lines: Sequence[str], address: int) -> int:
    """The first of the lines of names that end right above an address."""
    first = address
    if first > 1 and _is_name(lines[first - 1]) and not _SEVERAL.search(lines[first - 1]):
        first -= 1
    else:
        while first > 1 and (_are_names(lines[first - 1]) or not _WORD.search(lines[first - 1])):
            first -= 1
    return first


def _is_address(line: str) -> bool:
    """With an affiliation, and neither running text nor the end of a title (in small letters)."""
    return _AFFILIATION.search(line) is not None and ("@" in line or not line[0].islower())


def _is_name(line: str) -> bool:
    """Two to five words, all of them as names are written."""
    words = _WORD.findall(line)
    capitals = [word for word in words if word[0].isupper()]
    small = [word for word in words if not word[0].isupper()]
    return 2 <= len(words) <= _NAME and len(capitals) >= 2 and _PARTICLES.issuperset(small)


def _are_names(line: str) -> bool:
    """Names with something that parts or marks them, or shortened first names."""
    small = [word for word in _WORD.findall(line) if not word[0].isupper()]
    return _SEVERAL.search(line) is not None and _PARTICLES.issuperset(small) and bool(_WORD.search(line))


def _is_prose(line: str) -> bool:
    words = _WORD.findall(line)
    small = sum(word[0].islower() for word in words)
    return "@" not in line and len(words) >= _PROSE and 2 * small > len(words)
