"""Which tokens of a text can be part of a candidate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kpframe.language.normalize import fold, is_wordlike
from kpframe.model import Annotations

__all__ = ["wordlike"]

_CONTRACTED = frozenset({"n't", "'re", "'ve", "'ll", "'d", "'m"})


def wordlike(annotations: Annotations) -> NDArray[np.bool_]:
    """For each token whether it is a word or a number by itself.

    Punctuation, URLs, addresses and clitics are not, and neither is what a contraction leaves before
    its clitic ("do" of "don't", "ca" of "can't"). The noun before a possessive 's is a word.
    """
    vocabulary, words = annotations.vocabulary, annotations.words
    of_word = np.fromiter(map(is_wordlike, vocabulary), dtype=np.bool_, count=len(vocabulary))
    found: NDArray[np.bool_] = of_word[words]
    clitics = [i for i, word in enumerate(vocabulary) if word[:1] in "'’nN" and fold(word) in _CONTRACTED]
    if clitics:
        contracted = np.isin(words[1:], clitics) & (annotations.begins[1:] == annotations.ends[:-1])
        found[:-1] &= ~contracted
    return found
