"""Ids that have no counterpart, but nearly: what a reader does not see, and programs write differently."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from unicodedata import category, normalize

__all__ = ["alike", "alike_remedy"]


def _visible(id: str) -> str:
    return "".join(sign for sign in id if category(sign) not in ("Cf", "Cc"))


def _without_ending(id: str) -> str:
    stem, ending = os.path.splitext(id)
    return stem if re.fullmatch(r"\.[A-Za-z]\w{0,5}", ending) else id


_ALIKE: dict[str, Callable[[str], str]] = {
    "their Unicode form": lambda id: normalize("NFC", id),
    "blanks around them": str.strip,
    "case": lambda id: normalize("NFC", id.casefold()),
    "signs that cannot be seen": _visible,
    "the ending of a file's name": _without_ending,
    "zeros before a number": lambda id: re.sub(r"(?<![0-9.])0+(?=[0-9])", "", id),
    "the decimals of a number": lambda id: re.sub(r"^([0-9]+)\.0+$", r"\1", id),
}
"""In what ids may differ, and what makes them equal in it; in this order."""


_SEVERAL = "several of: Unicode form, blanks, case, an ending, zeros"


def alike(here: Iterable[str], there: Iterable[str]) -> str:
    """A sentence on ids of two sides that differ in such a thing only; empty where there are none.

    Neither side has an id of the other.
    """
    folded: dict[str, str] = {}
    for id in there:
        folded.setdefault(_folded(id), id)
    pairs = [(id, folded[key]) for id in here if (key := _folded(id)) in folded and key]
    if not pairs:
        return ""
    one, other = pairs[0]
    how = next((name for name, made in _ALIKE.items() if made(one) == made(other)), _SEVERAL)
    differ = f"{_shown(one, other)} and {_shown(other, one)} differ only in {how}"
    many = f"{len(pairs):,} of them have a counterpart that is nearly the same: "
    return f"{many if len(pairs) > 1 else ''}{differ}"


def alike_remedy(here: Iterable[str], there: Iterable[str], remedy: str) -> str:
    """A remedy for ids without a counterpart, with what `alike` says before it."""
    told = alike(here, there)
    return f"{told}; {remedy}" if told else remedy


def _folded(id: str) -> str:
    for made in _ALIKE.values():
        id = made(id)
    return id.strip()


def _shown(id: str, other: str) -> str:
    """In quotes, and in ASCII where one looks as the other does."""
    plain = _visible(normalize("NFC", id)) == _visible(normalize("NFC", other))
    return ascii(id) if plain else repr(id)
