"""Stems of words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from kpframe.errors import SpecError
from kpframe.language.codes import settled
from kpframe.language.porter import porter_stem
from kpframe.model.remembered import Remembered

__all__ = ["NORMALISATIONS", "SNOWBALL", "stem", "stem_limits", "stemmer", "stemmer_of"]

NORMALISATIONS = ("casefold", "porter", "snowball", "lancaster", "lemma")
"""How tokens may be compared; `lemma` needs a language model, the others do not."""

SNOWBALL = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nb": "norwegian",
    "nl": "dutch",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
}
"""Languages with a Snowball stemmer in nltk, and its name."""

_REMEMBERED = 100_000
"""So many stems: to find one takes longer than what else is remembered of words."""


def stem(word: str, method: str = "porter") -> str:
    """The stem of a lower-case word by `porter`, `snowball` (English) or `lancaster` from nltk."""
    return stemmer(method)(word)


@cache
def stemmer(method: str) -> Callable[[str], str]:
    """A remembering stemming function; SpecError for an unknown method."""
    if method == "casefold":
        return str
    if method not in ("porter", "snowball", "lancaster"):
        raise SpecError.at("stemmer", f"unknown method {method!r}", "use porter, snowball or lancaster")
    if method == "porter":
        return _remembering(porter_stem)
    from nltk.stem import LancasterStemmer, SnowballStemmer

    made = SnowballStemmer("english") if method == "snowball" else LancasterStemmer()
    return _remembering(made.stem)


def stem_limits(language: str) -> Iterator[str]:
    """What is to be told where words in a language are to be stemmed."""
    if settled(language) not in SNOWBALL:
        yield "there is no stemmer, so words stand for themselves"


@cache
def stemmer_of(language: str, english: str = "porter") -> Callable[[str], str]:
    """The stemming function for a language: `english` for English, Snowball for 14 more, else none.

    Where there is no stemmer, words stand for themselves: an English one would cut them anywhere.
    """
    if english == "casefold" or settled(language) == "en":
        return stemmer(english)
    if language not in SNOWBALL:
        return str
    from nltk.stem import SnowballStemmer

    return _remembering(SnowballStemmer(SNOWBALL[language]).stem)


def _remembering(function: Callable[[str], str]) -> Callable[[str], str]:
    """The same function, which computes the stem of a word once."""
    return Remembered(function, _REMEMBERED).__getitem__
