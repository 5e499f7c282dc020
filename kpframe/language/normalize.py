"""The old address of what now lies in `words`, `folding`, `stems` and `plurals`: one import for each."""

from kpframe.language.folding import fold, squeeze
from kpframe.language.plurals import is_plural_of
from kpframe.language.stems import NORMALISATIONS, stem, stemmer
from kpframe.language.words import is_wordlike, phrase_tokens, token_spans

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
