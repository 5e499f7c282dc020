"""Whether a string is an English word."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from kpframe.files.resources import read_words
from kpframe.language import models as language_model

__all__ = ["is_english_word"]

_CLASSES = ("noun", "verb", "adj", "adv")


@lru_cache(maxsize=100_000)
def is_english_word(word: str) -> bool:
    """Whether a case-folded `word` is a function word or, in some inflection, a word of WordNet.

    The words are those of the tables that come with the lemmatizer of the English language model.
    """
    return word in _function_words() or any(_is_form(word, *tables) for tables in _tables())


def _is_form(word: str, lemmas: frozenset[str], irregular: frozenset[str], endings: Any) -> bool:
    if word in lemmas or word in irregular:
        return True
    return any(
        word.endswith(ending) and word[: len(word) - len(ending)] + base in lemmas
        for ending, base in endings
        if ending
    )


@cache
def _function_words() -> frozenset[str]:
    return frozenset(read_words("stopwords/en"))


@cache
def _tables() -> tuple[tuple[frozenset[str], frozenset[str], tuple[tuple[str, str], ...]], ...]:
    lemmatizer: Any = language_model.load("en").get_pipe("lemmatizer")
    lemmas, irregular, rules = (
        lemmatizer.lookups.get_table(name) for name in ("lemma_index", "lemma_exc", "lemma_rules")
    )
    return tuple(
        (frozenset(lemmas[name]), frozenset(irregular.get(name, ())), tuple(map(tuple, rules.get(name, ()))))
        for name in _CLASSES
    )
