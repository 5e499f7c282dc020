"""Names of languages: ISO 639-1 codes, BCP 47 tags and English names."""

from __future__ import annotations

import re

from kpframe.arguments import word
from kpframe.errors import SpecError, nearest
from kpframe.language.code_table import ALIASES, NAMES
from kpframe.model import AUTO

__all__ = ["AUTO", "DEFAULT", "EACH", "NAMES", "known_language", "language_code", "settled"]

DEFAULT = "en"
"""The language of what says nothing and shows nothing."""

EACH = "each"
"""Stands for the languages of a collection in several."""

_ENDS = re.compile(r"[-_.@]")
"""What parts a language from its region, script or encoding, as in pt-BR, zh_Hant, fr_FR.UTF-8."""

_UNKNOWN = frozenset({"und", "unknown", "unspecified", "x", "mul", "zxx"})
"""Codes by which catalogues say that they do not know."""


def settled(language: str) -> str:
    """A language to work with: where none was settled upon, as for a stage that is called alone, English."""
    return DEFAULT if language == AUTO else language


def known_language(name: str) -> str | None:
    """The code of a language, `auto` for an unknown one, None where `name` is none; see `language_code`."""
    try:
        return language_code(name)
    except SpecError:
        return None


def language_code(name: str) -> str:
    """The code that `name` stands for: `de`, `deu`, `de-DE`, `de_AT`, `German` are all `de`.

    Codes of three letters become those of two where there are such. `auto` stays, and is what is said for
    unknown (`und`). Raises SpecError, with the nearest name that is known, for any other.
    """
    wanted = word("language", "language", name, example="de").strip().casefold()
    first = _ENDS.split(wanted)[0]
    if wanted == AUTO or first in _UNKNOWN:
        return AUTO
    if first in NAMES:
        return first
    found = ALIASES.get(wanted) or ALIASES.get(first)
    if found:
        return found
    raise SpecError.at("language", f"{name!r} is no language that is known", _hint(wanted))


def _hint(wanted: str) -> str:
    names = [name for name in ALIASES if len(name) > _CODE]  # every short word is like some code
    near = nearest(wanted, names, alike=0.75) if len(wanted) > _CODE else ""
    return f"did you mean {near!r}?" if near else _ANY


_CODE = 3
"""Letters of the longest code."""
_ANY = (
    "write a code of ISO 639-1 or an English name, as de or German; auto guesses it, and mis is any language "
    "of which nothing is known here"
)
