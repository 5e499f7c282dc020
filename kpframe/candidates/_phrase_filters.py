"""What parts phrases that could be keyphrases from those that only look like them."""

from __future__ import annotations

from collections.abc import Sequence

from kpframe.candidates._token_classes import among, is_plain, of_words
from kpframe.language.stop_lists import stop_words
from kpframe.model import Candidates, Place

__all__ = ["filtered"]


def filtered(
    candidates: Candidates, *, max_tokens: int | None, stopwords: Sequence[str], plain: bool
) -> Candidates:
    """The candidates that pass; where forms of a key differ, the first in the text decides.

    `max_tokens`: at most so many tokens; `stopwords`: no token in any of these lists (`auto`: that
    of the document's language); `plain`: all
    tokens of two or more characters, which are letters, digits and hyphens.
    """
    if max_tokens is None and not stopwords and not plain:
        return candidates
    annotations = candidates.annotations
    good = ~of_words(annotations, among(stop_words(stopwords, candidates.document.language)))
    if plain:
        good &= of_words(annotations, is_plain)
    admitted = good.tolist()

    def wanted(key: str, places: Sequence[Place]) -> bool:
        begin, end = places[0]
        return (max_tokens is None or end - begin <= max_tokens) and all(admitted[begin:end])

    return candidates.keep(wanted)
