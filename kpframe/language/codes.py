"""Names of languages: ISO 639-1 codes, BCP 47 tags and English names."""

from __future__ import annotations

from kpframe.errors import SpecError

__all__ = ["AUTO", "NAMES", "language_code"]

AUTO = "auto"
"""Stands for the language that a document or its corpus names, or that its text shows."""

_PAIRS = (
    "af afrikaans, am amharic, ar arabic, az azerbaijani, bg bulgarian, bn bengali, bo tibetan, ca catalan, "
    "cs czech, cy welsh, da danish, de german, el greek, en english, eo esperanto, es spanish, et estonian, "
    "eu basque, fa persian, fi finnish, fr french, ga irish, gd gaelic, gl galician, gu gujarati, he hebrew, "
    "hi hindi, hr croatian, hu hungarian, hy armenian, id indonesian, is icelandic, it italian, ja japanese, "
    "ka georgian, km khmer, kn kannada, ko korean, ky kyrgyz, la latin, lb luxembourgish, lo lao, "
    "lt lithuanian, "
    "lv latvian, mk macedonian, ml malayalam, mr marathi, ms malay, my burmese, nb norwegian, "
    "ne nepali, nl dutch, "
    "nn nynorsk, oc occitan, pl polish, pt portuguese, ro romanian, ru russian, sa sanskrit, si sinhala, "
    "sk slovak, sl slovenian, sq albanian, sr serbian, sv swedish, sw swahili, ta tamil, te telugu, th thai, "
    "tl tagalog, tr turkish, tt tatar, uk ukrainian, ur urdu, vi vietnamese, yo yoruba, zh chinese"
)
NAMES = dict(pair.split() for pair in _PAIRS.split(", "))
"""ISO 639-1 code → English name, in lower case."""

_CODES = {name: code for code, name in NAMES.items()} | {"no": "nb", "iw": "he", "in": "id", "nno": "nn"}
_CODES |= {
    "farsi": "fa",
    "flemish": "nl",
    "castilian": "es",
    "slovene": "sl",
    "brazilian": "pt",
    "mandarin": "zh",
}


def language_code(name: str) -> str:
    """The ISO 639 code that `name` stands for: `de`, `de-DE`, `de_AT`, `German` are all `de`.

    `auto` stays. Raises SpecError, with the codes that are known, for any other name.
    """
    wanted = name.strip().casefold()
    first = wanted.replace("_", "-").split("-")[0]
    if wanted == AUTO or first in NAMES:
        return AUTO if wanted == AUTO else first
    if first in _CODES:
        return _CODES[first]
    if len(first) == 3 and first.isascii() and first.isalpha():
        return first  # ISO 639-3, for which no code of two letters exists
    known = ", ".join(f"{code} ({english})" for code, english in NAMES.items())
    raise SpecError.at("language", f"{name!r} is no language that is known", f"use one of: {known}")
