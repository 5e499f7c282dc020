"""Singular and plural."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from kpframe.files.resources import read_pairs
from kpframe.language.codes import settled
from kpframe.language.lemmas import has_lemmas, lemma_of
from kpframe.language.stems import SNOWBALL, stemmer_of

__all__ = ["differ_in_number", "is_plural_of", "noun_lemma", "plural_limits"]


@cache
def _irregular_plurals() -> frozenset[tuple[str, str]]:
    return frozenset(read_pairs("plurals/en"))


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


def differ_in_number(left: str, right: str, language: str) -> bool:
    """Whether two different lower-case words are forms of one noun: by rules in English, else by lemmas.

    Lemmas are those of simplemma's tables (50 languages), or, where it has none, Snowball stems. Tables do
    not tell number from case: in German "Wohnung" and "Wohnungen" are alike, and so are "Hauses" and
    "Haus". False in a language that has neither table nor stemmer.
    """
    if left == right:
        return False
    if settled(language) == "en":
        return is_plural_of(left, right) or is_plural_of(right, left)
    return noun_form(left, language) == noun_form(right, language)


def noun_form(word: str, language: str) -> str:
    """What forms of a noun share in a language other than English: lemma, stem, or the word itself."""
    return noun_lemma(word, language) if has_lemmas(language) else stemmer_of(language)(word)


def plural_limits(language: str) -> Iterator[str]:
    """What is to be told where singular and plural in a language are to be compared."""
    if settled(language) not in SNOWBALL and not has_lemmas(language):
        yield "plurals are not known, so singular and plural do not match"


@lru_cache(maxsize=200_000)
def noun_lemma(word: str, language: str) -> str:
    """The lemma of a noun; German nouns are in the table with a capital, and phrases are folded."""
    lemma = lemma_of(word, language).casefold()
    return lemma if lemma != word else lemma_of(word.capitalize(), language).casefold()
