"""Annotations with tokens and sentences and nothing else: no language model is asked, none is loaded."""

from __future__ import annotations

from itertools import chain

import numpy as np

from kpframe.language.words import Span, token_spans
from kpframe.model import Annotations
from kpframe.model.folding import plain
from kpframe.preprocessing._pieces import pieces
from kpframe.preprocessing._sentences import sentence_begins, sentence_spans

__all__ = ["words_alone"]


def words_alone(text: str, language: str, limit: int | None = None) -> Annotations:
    """The tokens and sentences of `text` by the rules for `language`.

    With a `limit` no token is looked for across the ends of pieces of so many characters, just as where a
    language model takes the text in such pieces.
    """
    starts = sentence_begins(text, language)
    if limit is None or len(text) <= limit:
        spans = token_spans(text, language)
    else:
        spans = _of_pieces(text, pieces(text, starts, limit), language)
    words = [text[begin:end] for begin, end in spans]
    if not text.isascii():
        words = list(map(plain, words))
    vocabulary = tuple(dict.fromkeys(words))
    number = dict(zip(vocabulary, range(len(vocabulary)), strict=True))
    offsets = np.fromiter(chain.from_iterable(spans), np.int32, 2 * len(spans)).reshape(-1, 2)
    begins = np.ascontiguousarray(offsets[:, 0])
    return Annotations(
        text,
        begins,
        np.ascontiguousarray(offsets[:, 1]),
        np.fromiter(map(number.__getitem__, words), np.int32, len(words)),
        vocabulary,
        sentence_spans(begins, starts),
    )


def _of_pieces(text: str, ranges: list[tuple[int, int]], language: str) -> list[Span]:
    """The tokens of each of the pieces of a text, with offsets into the text."""
    return [
        (first + begin, first + end)
        for first, last in ranges
        for begin, end in token_spans(text[first:last], language)
    ]
