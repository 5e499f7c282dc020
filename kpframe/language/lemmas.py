"""Lemmas from tables, without a language model."""

from __future__ import annotations

from functools import cache, lru_cache

from kpframe.language.codes import settled

__all__ = ["has_lemmas", "lemma_of"]

_ALIASES = {"hr": "hbs", "sr": "hbs", "bs": "hbs", "no": "nb"}
"""Codes under which simplemma keeps the tables of other languages."""


@cache
def _supported() -> frozenset[str]:
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    return frozenset(SUPPORTED_LANGUAGES)


def has_lemmas(language: str) -> bool:
    """Whether there is a table of lemmas for a language code."""
    language = settled(language)
    return _ALIASES.get(language, language) in _supported()


@lru_cache(maxsize=500_000)
def lemma_of(word: str, language: str) -> str:
    """The most likely lemma of a word by itself; the word where the table does not know it.

    Source: simplemma (Barbaresi), tables of 50 languages. Raises ValueError for a language without table.
    """
    import simplemma

    language = settled(language)
    lemma: str = simplemma.lemmatize(word, lang=_ALIASES.get(language, language))
    return lemma
