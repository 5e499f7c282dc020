"""Phrases and texts as matching compares them: one normaliser for gold, predictions and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from typing import Any, Literal

from kpframe.language.codes import DEFAULT
from kpframe.language.lemmas import has_lemmas
from kpframe.language.models import load
from kpframe.language.plurals import is_plural_of, noun_lemma
from kpframe.language.stems import stemmer_of
from kpframe.language.words import token_spans
from kpframe.model import Phrase
from kpframe.model.folding import FOLDINGS, Folding, fold_with_dashes_apart
from kpframe.model.remembered import MOST

__all__ = ["Phrase", "Tokens", "contains", "folded_readings", "normalised", "normaliser", "text_tokens"]

Tokens = Literal["words", "blanks", "alphanumeric"]
"""How phrases and texts are cut into tokens: as everywhere in kpframe, at blanks, or at all but \\w."""

_ALPHANUMERIC = re.compile(r"\w+")


_REMEMBERED = MOST
"""Phrases come again within a document, in all its lists, and seldom in others."""

# What `Phrase._make` does, without a call of Python for each of very many.
_phrase = partial(tuple.__new__, Phrase)


class Normaliser(dict[str, Phrase]):
    """Phrases by their surface forms, under one normalisation: made when first asked for, remembered."""

    def __init__(
        self, method: str, tokens: Tokens, folding: Folding = "full", language: str = DEFAULT
    ) -> None:
        super().__init__()
        self._piece = _Pieces(method, tokens, folding, language).__getitem__

    def __missing__(self, surface: str) -> Phrase:
        # To forget all at times is cheaper than to note for each phrase when it was last asked for.
        if len(self) >= _REMEMBERED:
            self.clear()
        reduced: list[str] = []
        last = ""
        # No token has white space in it: what stands between is normalised once for all phrases.
        for some, final in map(self._piece, surface.split()):
            if some:
                reduced += some
                last = final
        made = self[surface] = _phrase((tuple(reduced), last, surface))
        return made


class _Pieces(dict[str, tuple[list[str], str]]):
    """The normalised tokens of texts without white space, and the last one only folded."""

    def __init__(self, method: str, tokens: Tokens, folding: Folding, language: str) -> None:
        super().__init__()
        self._fold = FOLDINGS[folding]
        self._tokens = tokens
        self._reduce = _reducer(method, language)

    def __missing__(self, text: str) -> tuple[list[str], str]:
        if len(self) >= _REMEMBERED:
            self.clear()
        words = _words(self._fold(text), self._tokens)
        made = self[text] = list(map(self._reduce, words)), words[-1] if words else ""
        return made


@lru_cache(maxsize=32)
def normaliser(
    method: str, tokens: Tokens = "words", folding: Folding = "full", language: str = DEFAULT
) -> Normaliser:
    """The phrases of a language under one of `normalize.NORMALISATIONS`."""
    return Normaliser(method, tokens, folding, language)


def normalised(
    phrase: str, method: str, tokens: Tokens = "words", folding: Folding = "full", language: str = DEFAULT
) -> Phrase:
    """`phrase` under one of `normalize.NORMALISATIONS`."""
    return normaliser(method, tokens, folding, language)[phrase]


@lru_cache(maxsize=32)
def text_tokens(
    text: str, method: str, tokens: Tokens = "words", folding: Folding = "full", language: str = DEFAULT
) -> str:
    """The normalised tokens of a text in one string, a space before and after each.

    Where a dash stands between two letters, the text comes in both readings, one a line.
    """
    reduce = _reducer(method, language)
    if (tokens, folding) == ("blanks", "lower"):
        return f" {' '.join(map(reduce, text.lower().split()))} "  # the same, without squeezing first
    readings = folded_readings(text, folding)
    return "\n".join(f" {' '.join(map(reduce, _words(one, tokens)))} " for one in readings)


def folded_readings(text: str, folding: Folding) -> list[str]:
    """A folded text, and in full folding once more with its dashes as marks of their own, if it has any."""
    parted = fold_with_dashes_apart(text) if folding == "full" else None
    return [FOLDINGS[folding](text), *([] if parted is None else [parted])]


def contains(text: str, phrase: tuple[str, ...]) -> bool:
    """Whether tokens stand in the result of `text_tokens`, contiguous and in order."""
    return f" {' '.join(phrase)} " in text


def _words(folded: str, tokens: Tokens) -> Sequence[str]:
    if tokens == "words":
        return [folded[begin:end] for begin, end in token_spans(folded)]
    return folded.split() if tokens == "blanks" else _ALPHANUMERIC.findall(folded)


@cache
def _reducer(method: str, language: str) -> Callable[[str], str]:
    """What normalises a folded token: in English as `method` says, in others by their own stems or lemmas."""
    if method != "lemma":
        return stemmer_of(language, method)
    if language == DEFAULT:
        return _noun_lemma
    return partial(noun_lemma, language=language) if has_lemmas(language) else str


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
