"""Phrases and texts as matching compares them: one normaliser for gold, predictions and texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, NamedTuple

from kpframe.language_model import load
from kpframe.normalize import is_plural_of, phrase_tokens, stemmer

__all__ = ["Phrase", "contains", "normalised", "text_tokens"]


class Phrase(NamedTuple):
    """A phrase by its normalised tokens; `last` is the last token only case-folded."""

    tokens: tuple[str, ...]
    last: str


@lru_cache(maxsize=200_000)
def normalised(phrase: str, method: str) -> Phrase:
    """`phrase` under one of `normalize.NORMALISATIONS`."""
    words = phrase_tokens(phrase)
    reduce = _reducer(method)
    return Phrase(tuple(reduce(word) for word in words), words[-1] if words else "")


@lru_cache(maxsize=32)
def text_tokens(text: str, method: str) -> str:
    """The normalised tokens of a text in one string, a space before and after each."""
    # The undecorated function: a cache of phrases must not hold whole texts.
    words = phrase_tokens.__wrapped__(text)
    return f" {' '.join(map(_reducer(method), words))} "


def contains(text: str, phrase: tuple[str, ...]) -> bool:
    """Whether tokens stand in the result of `text_tokens`, contiguous and in order."""
    return f" {' '.join(phrase)} " in text


@cache
def _reducer(method: str) -> Callable[[str], str]:
    return _noun_lemma if method == "lemma" else stemmer(method)


@lru_cache(maxsize=200_000)
def _noun_lemma(word: str) -> str:
    """The lemma of a word taken as a noun, by the rules and the lexicon of the language model.

    The words around it play no part: a lemma that hung on them would differ between a text and a
    phrase cut out of it. Alone, though, "analysis" looks like a plural to the rules, so a word that
    the lexicon knows is its own lemma, and an unknown word loses only what a plural adds ("css" nothing).
    """
    from spacy.tokens import Doc

    nouns = _known_nouns()
    if word in nouns:
        return word
    language = load("en")
    lemmatizer: Any = language.get_pipe("lemmatizer")
    guesses: list[str] = lemmatizer.rule_lemmatize(Doc(language.vocab, words=[word], pos=["NOUN"])[0])
    for guess in guesses:
        if is_plural_of(word, guess) or (guess in nouns and word != guess + "s"):
            return guess
    return word


@cache
def _known_nouns() -> frozenset[str]:
    lemmatizer: Any = load("en").get_pipe("lemmatizer")
    return frozenset(lemmatizer.lookups.get_table("lemma_index")["noun"])
