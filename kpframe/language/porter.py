"""Porter's stemmer, in the variant that the evaluation programs of the field use.

It is nltk's default (`NLTK_EXTENSIONS`), stem by stem: an import of nltk costs more time than scoring a small
file, and stems are what most published figures were compared by.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["porter_stem"]

_IRREGULAR = {
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
    **{word: word for word in ("sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed")},
    "succeed": "succeed",
}
_Suffixes = Mapping[str, list[tuple[str, str]]]


def _by_end(suffixes: Mapping[str, str]) -> _Suffixes:
    """Suffixes and what replaces them by their last two letters, which few words have; the longest first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for suffix in sorted(suffixes, key=len, reverse=True):
        found.setdefault(suffix[-2:], []).append((suffix, suffixes[suffix]))
    return found


_STEP_2 = _by_end(
    {
        "ational": "ate",
        "tional": "tion",
        "enci": "ence",
        "anci": "ance",
        "izer": "ize",
        "bli": "ble",
        "entli": "ent",
        "eli": "e",
        "ousli": "ous",
        "ization": "ize",
        "ation": "ate",
        "ator": "ate",
        "alism": "al",
        "iveness": "ive",
        "fulness": "ful",
        "ousness": "ous",
        "aliti": "al",
        "iviti": "ive",
        "biliti": "ble",
        "fulli": "ful",
    }
)
_STEP_3 = _by_end(
    {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
)
_STEP_4 = _by_end(
    dict.fromkeys(
        [
            "al",
            "ance",
            "ence",
            "er",
            "ic",
            "able",
            "ible",
            "ant",
            "ement",
            "ment",
            "ent",
            "ion",
            "ou",
            "ism",
            "ate",
            "iti",
            "ous",
            "ive",
            "ize",
        ],
        "",
    )
)

_VOWEL_CONSONANT = re.compile("[aeiou][^aeiou]", re.DOTALL)
_VOWEL = re.compile("[aeiou]")
# A short syllable at the end: consonant, vowel, consonant other than w, x and y; or vowel, consonant alone.
_SHORT_END = re.compile(r"(?:[^aeiou][aeiou][^aeiouwxY]|^[aeiou][^aeiou])\Z", re.DOTALL)


def porter_stem(word: str) -> str:
    """The stem of a word: lower-cased, and kept as it is if it has one or two letters.

    Source: Porter 1980, Program 14(3), with nltk's extensions: a few irregular words, -ies and -ied of words
    of four letters, y after a consonant alone, -alli before what it leaves, -fulli and -logi.
    """
    lower = word.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if len(word) <= 2:
        return lower
    stem = _without_y(_without_past(_without_plural(lower)))
    stem = _derived(stem)
    stem = _replaced(stem, _STEP_3, 0)
    stem = _replaced(stem, _STEP_4, 1)
    return _tidied(stem)


def _marked(word: str) -> str:
    """Every y that counts as a vowel as i, and every other as Y, which is no letter of a lower-case word."""
    if "y" not in word:
        return word
    marked: list[str] = []
    vowel_before = True  # so that a y in front is a consonant
    for letter in word:
        if letter == "y":
            vowel_before = not vowel_before
            marked.append("i" if vowel_before else "Y")
        else:
            vowel_before = letter in "aeiou"
            marked.append(letter)
    return "".join(marked)


def _measure(stem: str) -> int:
    """How often a vowel is followed by a consonant."""
    return len(_VOWEL_CONSONANT.findall(_marked(stem)))


def _ends_short(stem: str) -> bool:
    return _SHORT_END.search(_marked(stem)) is not None


def _without_plural(word: str) -> str:
    if not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _without_past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    if not word.endswith(("ed", "ing")):
        return word
    stem = word[:-2] if word.endswith("ed") else word[:-3]
    if not _VOWEL.search(_marked(stem)):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) >= 2 and stem[-1] == stem[-2] and _marked(stem)[-1] not in "aeiou":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _without_y(word: str) -> str:
    if word.endswith("y") and len(word) > 2 and _marked(word[:-1])[-1] not in "aeiou":
        return word[:-1] + "i"
    return word


def _derived(word: str) -> str:
    while word.endswith("alli") and _measure(word[:-4]):
        word = word[:-2]
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) else word
    return _replaced(word, _STEP_2, 0)


def _replaced(word: str, suffixes: _Suffixes, least: int) -> str:
    """The longest suffix replaced, if what stands before it has a measure above `least`."""
    for suffix, other in suffixes.get(word[-2:], ()):
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            if _measure(stem) <= least or (suffix == "ion" and stem[-1] not in "st"):
                return word
            return stem + other
    return word


def _tidied(word: str) -> str:
    """Without a last e, and with one l for two, where enough is left."""
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
