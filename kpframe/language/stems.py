"""Stems of words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from kpframe.errors import SpecError

__all__ = ["NORMALISATIONS", "stem", "stemmer"]

NORMALISATIONS = ("casefold", "porter", "snowball", "lancaster", "lemma")
"""How tokens may be compared; `lemma` needs a language model, the others do not."""


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
    from nltk.stem import LancasterStemmer, PorterStemmer, SnowballStemmer

    made = {
        "porter": PorterStemmer,
        "snowball": lambda: SnowballStemmer("english"),
        "lancaster": LancasterStemmer,
    }[method]()
    function: Callable[[str], str] = lru_cache(maxsize=500_000)(made.stem)
    return function
