"""Names of languages: ISO 639-1 codes, BCP 47 tags and English names."""

from __future__ import annotations

import re

from kpframe.arguments import word
from kpframe.errors import SpecError, suggestion
from kpframe.model import AUTO

__all__ = ["AUTO", "DEFAULT", "EACH", "NAMES", "known_language", "language_code", "settled"]

DEFAULT = "en"
"""The language of what says nothing and shows nothing."""

EACH = "each"
"""Stands for the languages of a collection in several."""

_PAIRS = (
    "af afrikaans, am amharic, ar arabic, az azerbaijani, bg bulgarian, bn bengali, bo tibetan, ca catalan, "
    "cs czech, cy welsh, da danish, de german, el greek, en english, eo esperanto, es spanish, et estonian, "
    "eu basque, fa persian, fi finnish, fr french, ga irish, gd gaelic, gl galician, gu gujarati, he hebrew, "
    "hi hindi, hr croatian, hu hungarian, hy armenian, id indonesian, is icelandic, it italian, ja japanese, "
    "ka georgian, km khmer, kn kannada, ko korean, ky kyrgyz, la latin, lb luxembourgish, lo lao, "
    "lt lithuanian, lv latvian, mk macedonian, ml malayalam, mr marathi, ms malay, my burmese, nb norwegian, "
    "ne nepali, nl dutch, nn nynorsk, oc occitan, pl polish, pt portuguese, ro romanian, "
    "ru russian, sa sanskrit, si sinhala, "
    "sk slovak, sl slovenian, sq albanian, sr serbian, sv swedish, sw swahili, ta tamil, te telugu, th thai, "
    "tl tagalog, tr turkish, tt tatar, uk ukrainian, ur urdu, vi vietnamese, yo yoruba, zh chinese"
)
NAMES = dict(pair.split() for pair in _PAIRS.split(", "))
"""ISO 639-1 code → English name, in lower case."""

_OTHER_NAMES = (
    "no nb, nor nb, nob nb, bokmål nb, nno nn, iw he, ji yi, in id, farsi fa, flemish nl, castilian es, "
    "slovene sl, brazilian pt, mandarin zh, filipino tl, ger de, deu de, eng en, fre fr, fra fr, "
    "spa es, por pt, "
    "ita it, dut nl, nld nl, dan da, swe sv, fin fi, pol pl, cze cs, ces cs, slo sk, slk sk, slv sl, hun hu, "
    "rum ro, ron ro, rus ru, ukr uk, gre el, ell el, tur tr, ara ar, heb he, hin hi, ben bn, tam ta, tel te, "
    "mar mr, urd ur, per fa, fas fa, chi zh, zho zh, cmn zh, jpn ja, kor ko, tha th, vie vi, ind id, may ms, "
    "msa ms, cat ca, baq eu, eus eu, glg gl, bul bg, hrv hr, srp sr, mac mk, mkd mk, alb sq, sqi sq, est et, "
    "lav lv, lit lt, ice is, isl is, gle ga, wel cy, cym cy, lat la, afr af, swa sw, arm hy, hye hy, geo ka, "
    "kat ka, deutsch de, français fr, español es, português pt, italiano it"
)
_CODES = {name: code for code, name in NAMES.items()} | dict(
    pair.split() for pair in _OTHER_NAMES.split(", ")
)
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
    """The ISO 639 code that `name` stands for: `de`, `de-DE`, `de_AT`, `German` are all `de`.

    `auto` stays, and is what is said for unknown (`und`). Raises SpecError, with the codes that are known,
    for any other name.
    """
    wanted = word("language", "language", name, example="de").strip().casefold()
    first = _ENDS.split(wanted)[0]
    if wanted == AUTO or first in _UNKNOWN:
        return AUTO
    if first in NAMES:
        return first
    if first in _CODES:
        return _CODES[first]
    if len(first) == 3 and first.isascii() and first.isalpha():
        return first  # ISO 639-3, for which no code of two letters exists
    known = [f"{code} ({english})" for code, english in NAMES.items()]
    hint = suggestion(wanted, [*NAMES.values(), *_CODES], "use one of", listed=known)
    raise SpecError.at("language", f"{name!r} is no language that is known", hint)
