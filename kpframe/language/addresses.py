"""Addresses in texts: URLs, DOIs, e-mail addresses, also of several people and with the @ in words.

Papers write `{ann.lee, bob}@host.edu` for two authors, and who hides from programs that gather addresses
writes `ann (at) host (dot) edu`. All of it is one token, since no part of an address is a term.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import regex

__all__ = ["address_spans", "is_address"]

_NAME = r"[\w\p{M}.+-]{1,64}+"
_HOST = r"[\w-]{1,63}+(?:\.[\w-]{1,63}+)*+"
_TOPPED = r"(?<=\.\p{L}{2,24})"
"""Behind a host that has dots in it."""
_LIST = rf"[ \t]?{_NAME}(?:[ \t]?[,;|/][ \t]?{_NAME}){{0,30}}+[ \t]?"
_OPEN, _CLOSE = r"[\[({<]", r"[\])}>]"
_AT = rf"[ \t]?{_OPEN}[ \t]?(?i:at|@)[ \t]?{_CLOSE}[ \t]?"
_DOT = rf"[ \t]?(?:{_OPEN}[ \t]?(?i:dot|\.)[ \t]?{_CLOSE}|[ \t](?i:dot)[ \t])[ \t]?"
_TOP = r"(?i:com|org|net|edu|gov|info|int|mil|[a-z]{2})(?!\w)"
_END = r"(?<=[\w-]{2})(?=\.?[ \t]*(?:[,;)\r\n]|\Z))"

_WORDY = rf"""
      \{{{_LIST}\}}(?:[ \t]?@[ \t]?|{_AT}){_HOST}(?:{_DOT}{_HOST})*+             # {{a, b}}@host.edu
    | [\[(]{_LIST}(?<=[,;|][^\])]{{1,66}})[\])]@{_HOST}                         # (a, b)@host.edu
    | {_NAME}{_AT}{_HOST}(?:{_TOPPED}|(?:{_DOT}{_HOST})++|{_END})                # a (at) host.edu
    | {_NAME}[ \t](?:AT|at)[ \t][\w-]{{1,63}}+(?:[ \t](?:DOT|dot)[ \t][\w-]{{1,63}}+){{0,3}}
      [ \t](?:DOT|dot)[ \t]{_TOP}                                              # a at host dot edu
    | [a-zA-Z0-9.+-]{{1,64}}_(?i:at)_[a-zA-Z0-9-]{{1,63}}+(?:(?:\.|_(?i:dot)_)[a-zA-Z0-9-]{{1,63}}+)++
    | {_NAME}[ \t]@[ \t]?{_HOST}{_TOPPED}                                        # a @ host.edu
    | {_NAME}@[\w-]{{1,63}}+(?:{_DOT}{_HOST})++                                  # a@host [dot] edu
"""
_BEFORE = rf"(?:(?:(?<=^[ \t]*)|(?<=[:(<][ \t]?))(?:{_NAME}[ \t]?[,;][ \t]?){{1,30}}+)?+"
"""Names of a line that is nothing but addresses, or behind a colon: who shares the host of the last one."""


@cache
def _several() -> regex.Pattern[str]:
    """Compiled for the first text that has a mark of such addresses: that takes longer than most texts."""
    return regex.compile(
        rf"(?<![\w\p{{M}}.+-])(?=[\w.+\-\{{\[(]){_BEFORE}"
        rf"(?:{_WORDY}|(?<=[,;][ \t]?){_NAME}@[\w-]++(?:\.[\w-]++)++)",
        regex.VERBOSE | regex.MULTILINE,
    )


_MARKS = (
    *("@", "(at)", "[at]", "{at}", "<at>", " at)", " at]", "(AT)", "[AT]", "{AT}", "(At)"),
    *("_at_", "_AT_", " dot ", " DOT "),
)
"""What every such address has in it; quickly looked for, as most texts have none."""
_BACK, _ON = 600, 200
"""Characters before and behind a mark that may belong to its address."""
_PLAIN = regex.compile(r"(?i)^(?:(?:https?|ftp)://|www\.|10\.\d{4,9}/|[\w.+-]{1,64}+@[\w-]++\.)")


def address_spans(text: str) -> list[tuple[int, int]]:
    """Where addresses stand that have blanks or brackets in them, each on one line."""
    windows: list[tuple[int, int]] = []
    for place in sorted(place for mark in _MARKS for place in _places(text, mark)):
        first = text.rfind("\n", max(0, place - _BACK), place) + 1 or max(0, place - _BACK)
        after = text.find("\n", place, place + _ON)
        last = after if after >= 0 else min(len(text), place + _ON)
        if windows and first <= windows[-1][1]:
            windows[-1] = windows[-1][0], max(windows[-1][1], last)
        else:
            windows.append((first, last))
    return [found.span() for window in windows for found in _several().finditer(text, *window)]


def _places(text: str, mark: str) -> Iterator[int]:
    place = text.find(mark)
    while place >= 0:
        yield place
        place = text.find(mark, place + len(mark))


def is_address(word: str) -> bool:
    """Whether a token is a URL, a DOI or an e-mail address, in whatever way it is written."""
    if _PLAIN.match(word) is not None:
        return True
    return any(mark in word for mark in _MARKS) and _several().match(word) is not None
