"""The language that a corpus says in a file beside its texts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from kpframe.errors import DataError, KpframeError, SpecError
from kpframe.files.container import Container, Member
from kpframe.files.decoding import decode
from kpframe.language.codes import known_language, language_code
from kpframe.model import AUTO

__all__ = ["LanguageFiles", "languages_among"]

_NAMES = ("lan.txt", "language.txt")
_LONGEST = 100
"""Characters of the longest file that can be the name of a language and no text."""
_STATEMENT = re.compile(r"[\w-]+(?: [\w-]+)?")
"""What is meant to name a language, whether it does or not."""


class LanguageFiles:
    """The files `language.txt` and `lan.txt` of a corpus, each of which names a language and nothing else.

    One counts for the texts in its folder and below, the nearest first; `given`, if it is not `auto`, counts
    for all. An empty one says `auto`. A sentence in a file of that name is a text like any other; a word or
    two that name no language are a DataError, unless `given` counts.
    """

    def __init__(self, container: Container, members: Sequence[Member], given: str) -> None:
        self._given = given
        self._named = {name.casefold(): code for name, code in _named(container, members, given)}

    def __contains__(self, member: Member) -> bool:
        return member.name.casefold() in self._named

    def language(self, member: Member) -> str:
        """The language of a text as its corpus says it, or `auto`."""
        if self._given != AUTO or not self._named:
            return self._given
        folder = member.folder
        while True:
            for name in _NAMES:
                found = self._named.get(f"{folder}/{name}".lstrip("/").casefold())
                if found:
                    return found
            if not folder:
                return AUTO
            folder = folder.rpartition("/")[0]


def languages_among(paths: Sequence[str], given: str = AUTO) -> dict[str, str]:
    """By path the language that those of some files name which are called `language.txt` or `lan.txt`.

    Each counts for the files of its folder that are given with it, as a shell gives them for `folder/*.txt`.
    DataError for one that names none, unless `given` counts for all.
    """
    found = {}
    for path in paths:
        if os.path.basename(path).casefold() in _NAMES and os.path.isfile(path) and len(paths) > 1:
            code = _language_in(Path(path).read_bytes()[: 8 * _LONGEST], path, given)
            if code is not None:
                found[path] = code
    return found


def _language_in(content: bytes, place: str, given: str) -> str | None:
    """The language that a file names and nothing else, `auto` for an empty one; None for a text."""
    try:
        text = decode(content, "utf-8", place).strip()
    except KpframeError:  # it will be told of as a text
        return None
    if not text:
        return AUTO
    code = known_language(text) if len(text) <= _LONGEST else None
    if code is None and _STATEMENT.fullmatch(text):
        if given != AUTO:
            return given
        try:
            return language_code(text)
        except SpecError as error:
            raise DataError.at(place, error.problems[0].problem, error.problems[0].remedy) from None
    return code


def _named(container: Container, members: Sequence[Member], given: str) -> Iterator[tuple[str, str]]:
    for member in members:
        if member.name.rpartition("/")[2].casefold() not in _NAMES:
            continue
        try:
            content = container.read(member)
        except KpframeError:
            continue
        code = _language_in(content, member.place, given)
        if code is not None:
            yield member.name, code
