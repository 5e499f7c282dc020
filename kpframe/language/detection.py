"""In which language texts are written: a guess for each text, and what many texts agree on.

The guess is py3langid's (Lui and Baldwin 2012, langid.py: naive Bayes over byte n-grams), for which a few
hundred characters are enough; `tests/benchmarks/language_guesses.py` tells how often it is right.
A text that is plainly English, by the words that every English text is full of, is not shown to it: so the
library, which takes half a second to load, is not loaded for English texts of a sentence or more.

Source: Lui and Baldwin (2012), langid.py: an off-the-shelf language identification tool.
"""

from __future__ import annotations

import re
import tempfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from kpframe.files.resources import manifest
from kpframe.language.code_table import GUESSED
from kpframe.language.codes import DEFAULT
from kpframe.language.scripts import is_latin, is_latin_language

__all__ = [
    "SAMPLE",
    "SURE",
    "UNKNOWN",
    "language_guess",
    "language_of_most",
    "leans_to_english",
    "majority",
    "stop_lists",
]

UNKNOWN = "und"
"""ISO 639-2 for a language that is not determined."""

SAMPLE = 600
"""Characters of a text that are looked at."""

_HINT = 0.4
"""The probability from which on a guess speaks for a language at all."""

_LONG = 2000
"""Characters from which on a text is a long one."""

SURE = 0.7
"""The least probability at which a guess counts; a text below it says nothing."""

_SURE_OF_OTHERS = 0.5
"""The same for texts in other scripts than the Latin one: what is not guessed may be taken for English."""

_NEEDED = 300
"""Bytes that the library needs: more make it slower and not better."""

_WORD = re.compile(r"[^\W\d_]+")
_STOP_LIST = re.compile(r"stopwords/([a-z]{2,3})")

_ENGLISH = frozenset(["the", "of", "and", "to", "with", "that", "this", "which", "are", "from"])
_PLAIN_SHARE, _PLAIN_WORDS = 0.12, 12
"""The share of such words, and the fewest words, by which a text is plainly English."""

_CODES = {"no": "nb", "bs": "hr", "wuu": "zh", "yue": "zh"}
"""What the library's codes are called here."""

_NEVER = frozenset({"la"})
"""Latin, for which it takes English titles of papers; nobody's texts are in it."""


def stop_lists() -> list[str]:
    """The languages for which a stop list is shipped; other programs' lists, as `en-spacy`, are none."""
    return sorted(found[1] for name in manifest() if (found := _STOP_LIST.fullmatch(name)))


def language_guess(text: str) -> str:
    """The ISO 639-1 code of the language that a text is in, or `UNKNOWN` where that is not sure.

    Depends on the text alone, and is the same in NFC and NFD. Of a long text the middle decides, and where
    that is not sure the beginning, which in papers is names and addresses.
    """
    composed = unicodedata.normalize("NFC", text)
    found = _guess(_telling(composed))
    return _guess(composed[:SAMPLE]) if found == UNKNOWN and len(composed) > _LONG else found


def _telling(composed: str) -> str:
    middle = len(composed) // 2 if len(composed) > _LONG else 0
    return composed[middle : middle + SAMPLE]


def language_of_most(texts: Sequence[str]) -> str:
    """The majority of the guesses for `texts`; the library is asked only where it could turn the vote.

    Loading its model takes longer than scoring a small file.
    """
    words = (_WORD.findall(_telling(unicodedata.normalize("NFC", text)).casefold()) for text in texts)
    if 2 * sum(map(_is_plainly_english, words)) > len(texts):
        return DEFAULT
    return majority(map(language_guess, texts))


def _guess(text: str) -> str:
    words = _WORD.findall(text.casefold())
    if _is_plainly_english(words):
        return DEFAULT
    if not words:
        return UNKNOWN
    code, probability = _classified(_beginning(text))
    least = SURE if is_latin(text) else _SURE_OF_OTHERS
    return code if probability >= least and code in GUESSED else UNKNOWN


def leans_to_english(text: str) -> bool:
    """Whether an unsure guess is English, or nothing in the text speaks for another language."""
    composed = unicodedata.normalize("NFC", text)[:SAMPLE]
    words = _WORD.findall(composed.casefold())
    if not words or _is_plainly_english(words):
        return True
    code, probability = _classified(_beginning(composed))
    return code == DEFAULT or (composed.isascii() and probability < _HINT)


def _classified(text: str) -> tuple[str, float]:
    # Chinese, Norwegian and Serbo-Croatian have several labels, none of which may be sure by itself.
    summed: defaultdict[str, float] = defaultdict(float)
    for code, probability in _identifier().rank(text):
        summed[_CODES.get(code, code)] += float(probability)
    return min(summed.items(), key=lambda found: (-found[1], found[0]))


def majority(codes: Iterable[str], latin: bool | None = None) -> str:
    """The language of most texts, of equally many the first in the alphabet; English where none is known.

    `latin` says whether only languages in Latin script count, or only others.
    """
    counts = Counter(code for code in codes if code != UNKNOWN and latin in (None, is_latin_language(code)))
    return min(counts, key=lambda code: (-counts[code], code), default=DEFAULT)


def _is_plainly_english(words: list[str]) -> bool:
    found = [word for word in words if word in _ENGLISH]
    return (
        len(words) >= _PLAIN_WORDS
        and len(found) >= _PLAIN_SHARE * len(words)
        and "the" in found
        and len(set(found)) > 1
    )


def _beginning(text: str) -> str:
    """Whole words of at most so many bytes as the library needs."""
    kept: list[str] = []
    size = 0
    for word in text.split():
        size += len(word.encode("utf-8", "replace")) + 1
        if size > _NEEDED and kept:
            break
        kept.append(word)
    return " ".join(kept)


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        made = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:  # a full disk does not say where it is unpacked
        error.filename = error.filename or tempfile.gettempdir()
        raise
    made.set_languages(sorted(({*GUESSED, *_CODES} - _NEVER) & set(made.labels)))
    return made
