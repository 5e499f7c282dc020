"""Case, white space, tokens, stems and plurals of strings: pure functions, one for everybody.

Gold keyphrases, predictions and texts all pass through the functions of this module, so that a
difference in normalisation can never look like a difference in quality.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from kpframe.errors import SpecError
from kpframe.files.resources import read_pairs
from kpframe.language.folding import fold, squeeze
from kpframe.language.porter import porter_stem

__all__ = [
    "NORMALISATIONS",
    "fold",
    "is_plural_of",
    "is_wordlike",
    "phrase_tokens",
    "squeeze",
    "stem",
    "stemmer",
    "token_spans",
]

NORMALISATIONS = ("casefold", "porter", "snowball", "lancaster", "lemma")
"""How tokens may be compared; `lemma` needs a language model, the others do not."""

_TOKEN = re.compile(
    r"""
    (?:https?://|www\.)[^\s<>"'“”«»]*[^\s<>"'“”«».,;:!?)\]}]  # a URL
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                            # an e-mail address
    | (?:[^\W\d_]\.){2,}(?:[^\W\d_](?!\w))?                   # U.S., e.g., a.k.a
    | \d+(?:[.,:/]\d+)+%?                                     # 3.14, 1,000, 12/5
    | [^\W\d_](?:\+\+|\#)(?!\w)                               # C++, C#
    | \w+(?:[-‐‑&/+.’']\w+)*                                  # words and compounds
    | --+                                                     # a dash
    | [^\w\s]                                                 # a mark of its own
    """,
    re.VERBOSE,
)
_CLITIC = re.compile(r"(?i)(n['’]t|['’](?:s|re|ve|ll|d|m))$")
_URL = re.compile(r"(?i)^(?:https?://|www\.|[\w.+-]+@[\w-]+\.)")


def token_spans(text: str) -> list[tuple[int, int]]:
    """Character spans of the tokens of `text`: words with hyphens, numbers, URLs, single marks.

    Hyphenated compounds are one token; English contractions are split before n't, 's, 're, ….
    """
    spans: list[tuple[int, int]] = []
    for found in _TOKEN.finditer(text):
        begin, end = found.span()
        word = found.group()
        clitic = _CLITIC.search(word) if ("'" in word or "’" in word) else None
        if clitic and clitic.start() > 0:
            cut = begin + clitic.start()
            spans.append((begin, cut))
            begin = cut
        spans.append((begin, end))
    return spans


@lru_cache(maxsize=200_000)
def phrase_tokens(phrase: str) -> tuple[str, ...]:
    """The folded tokens of a phrase, as matching sees them."""
    folded = fold(phrase)
    return tuple(folded[b:e] for b, e in token_spans(folded))


@lru_cache(maxsize=200_000)
def is_wordlike(word: str) -> bool:
    """Whether a token can be (part of) a candidate: not punctuation, URL, address or clitic."""
    if not any(ch.isalnum() for ch in word):
        return False
    return not (_CLITIC.fullmatch(word) or _URL.match(word))


def stem(word: str, method: str = "porter") -> str:
    """The stem of a lower-case word by `porter`, `snowball` (English) or `lancaster`, as nltk has them."""
    return stemmer(method)(word)


@cache
def stemmer(method: str) -> Callable[[str], str]:
    """A remembering stemming function; SpecError for an unknown method."""
    if method == "casefold":
        return str
    if method not in ("porter", "snowball", "lancaster"):
        raise SpecError.at("stemmer", f"unknown method {method!r}", "use porter, snowball or lancaster")
    if method == "porter":
        return lru_cache(maxsize=500_000)(porter_stem)
    from nltk.stem import LancasterStemmer, SnowballStemmer

    made = SnowballStemmer("english") if method == "snowball" else LancasterStemmer()
    function: Callable[[str], str] = lru_cache(maxsize=500_000)(made.stem)
    return function


@cache
def _irregular_plurals() -> frozenset[tuple[str, str]]:
    return frozenset(read_pairs("plurals/en"))


@lru_cache(maxsize=200_000)
def is_plural_of(plural: str, singular: str) -> bool:
    """Whether the lower-case English noun `plural` is a plural of `singular`.

    By -s ("cats", not after s, x, z, ch or sh), -es after s, x, z, ch, sh or o ("buses"), -ies for
    consonant + y ("queries"), or by the table of irregular plurals. "cas" is no plural of "cat".
    """
    if len(singular) < 2:
        return False
    hissing = singular.endswith(("s", "x", "z", "ch", "sh"))
    if plural == singular + "s":
        return not hissing or singular.endswith("ch")
    if plural == singular + "es":
        return hissing or singular.endswith("o")
    if singular.endswith("y") and singular[-2:-1] not in "aeiou" and plural == singular[:-1] + "ies":
        return True
    return (singular, plural) in _irregular_plurals()
