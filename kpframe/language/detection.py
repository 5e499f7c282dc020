"""In which language texts are written: a guess from function words and scripts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from kpframe.files.resources import manifest, read_words

__all__ = ["UNKNOWN", "UNSPACED", "language_guess", "stop_lists"]

UNKNOWN = "und"
"""ISO 639-2 for a language that is not determined."""

UNSPACED = ("ja", "th", "zh")
"""Guesses that cannot be split into words without a model of the language."""

_LEAST = 0.08
"""The share of words that must be function words of a language; in running text it is .3 to .5."""

_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = {"CYRILLIC": "ru", "GREEK": "el", "HIRAGANA": "ja", "KATAKANA": "ja", "CJK": "zh", "THAI": "th"}
_STOP_LIST = re.compile(r"stopwords/([a-z]{2,3})")
_UKRAINIAN = set("іїєґ")


def stop_lists() -> list[str]:
    """The languages for which a stop list is shipped; other programs' lists, as `en-spacy`, are none."""
    return sorted(found[1] for name in manifest() if (found := _STOP_LIST.fullmatch(name)))


def language_guess(texts: Iterable[str]) -> str:
    """An ISO 639-1 code, or `UNKNOWN`.

    Among languages in Latin script it is the one with the most function words among the words; a word that
    is one in several languages counts for each of them by its share.
    """
    words = Counter(word for text in texts for word in _WORD.findall(text.casefold()))
    total = sum(words.values())
    if not total:
        return UNKNOWN
    script = _script(words)
    if script != "LATIN":
        code = _SCRIPTS.get(script, UNKNOWN)
        return "uk" if code == "ru" and _UKRAINIAN & set("".join(words)) else code
    lists = {language: frozenset(read_words(f"stopwords/{language}")) for language in stop_lists()}
    shared = Counter(word for found in lists.values() for word in found)
    scores = {
        language: sum(words[word] / shared[word] for word in found if word in words) / total
        for language, found in lists.items()
    }
    best = max(sorted(scores), key=scores.__getitem__)
    return best if scores[best] >= _LEAST else UNKNOWN


def _script(words: Counter[str]) -> str:
    """The script of most letters, as the names of Unicode's characters begin; kana make Japanese."""
    letters: Counter[str] = Counter()
    for word, count in words.most_common(2000):
        for letter in word:
            letters[unicodedata.name(letter, "?").split()[0].split("-")[0]] += count
    kana = letters["HIRAGANA"] + letters["KATAKANA"]
    if kana > 0.1 * sum(letters.values()):
        return "HIRAGANA"
    return letters.most_common(1)[0][0]
