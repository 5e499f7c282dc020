"""Annotations out of one JSON object that lists its layers: columns of tokens, and ranges of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kpframe.model import Annotations, IntArray

__all__ = ["COLUMNS", "layers_of"]

COLUMNS = ("lemmas", "tags", "pos")
"""The layers that have one string a token and may be left out."""

_MOST = 2**31 - 1


def layers_of(record: Mapping[str, Any], text: str) -> Annotations:
    """The annotations of `text` that a record lists. Raises ValueError, with the reason.

    `begins`, `ends` and `words` are tokens in text order that do not overlap, each the slice of the text
    that it says; `sentences` follow one another and cover them all; `lemmas`, `tags`, `pos` (a string a
    token) and `chunks` (ranges inside sentences, in text order) are there or not.
    """
    begins, ends = _numbers(record, "begins"), _numbers(record, "ends")
    words = _strings(record, "words", len(begins))
    if len(ends) != len(begins):
        raise ValueError(f"'ends' has {len(ends)} items for {len(begins)} tokens")
    _refuse_bad_tokens(text, begins, ends, words)
    vocabulary: dict[str, int] = {}
    columns = {
        name: _coded(_strings(record, name, len(words)), vocabulary)
        for name in ("words", *COLUMNS)
        if name == "words" or record.get(name) is not None
    }
    sentences = _ranges(record, "sentences", len(words))
    if [begin for begin, _ in sentences] != [0, *(end for _, end in sentences)][: len(sentences)] or (
        (sentences[-1][1] if sentences else 0) != len(words)
    ):
        raise ValueError("'sentences' do not cover the tokens one after the other")
    made = Annotations(
        text,
        np.array(begins, dtype=np.int32),
        np.array(ends, dtype=np.int32),
        vocabulary=tuple(vocabulary),
        sentences=np.array(sentences, dtype=np.int32).reshape(-1, 2),
        **columns,
    )
    return made if record.get("chunks") is None else made.with_layers(chunks=_chunks(record, made))


def _numbers(record: Mapping[str, Any], key: str) -> list[int]:
    values = record.get(key)
    if not isinstance(values, list) or not all(
        type(value) is int and 0 <= value <= _MOST for value in values
    ):
        raise ValueError(f"{key!r} is not a list of whole numbers from 0")
    return values


def _strings(record: Mapping[str, Any], key: str, count: int) -> list[str]:
    values = record.get(key)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{key!r} is not a list of strings")
    if len(values) != count:
        raise ValueError(f"{key!r} has {len(values)} items for {count} tokens")
    return values


def _ranges(record: Mapping[str, Any], key: str, count: int) -> list[list[int]]:
    """Pairs of token indexes, half-open and not empty."""
    ranges = record.get(key)
    if not isinstance(ranges, list):
        raise ValueError(f"{key!r} is not a list of [first token, token after the last]")
    for pair in ranges:
        numbers = isinstance(pair, list) and len(pair) == 2 and all(type(value) is int for value in pair)
        if not numbers or not 0 <= pair[0] < pair[1] <= count:
            raise ValueError(f"{key!r} holds {pair!r}, which is no range of the {count} tokens")
    return ranges


def _refuse_bad_tokens(text: str, begins: Sequence[int], ends: Sequence[int], words: Sequence[str]) -> None:
    before = 0
    for number, (begin, end, word) in enumerate(zip(begins, ends, words, strict=True)):
        if not before <= begin < end:
            raise ValueError(f"token {number} ({word!r}) is empty or begins before the one before it ends")
        if text[begin:end] != word:
            raise ValueError(f"token {number} is {word!r}, but the text has {text[begin:end]!r} there")
        if word != word.strip():
            raise ValueError(f"token {number} ({word!r}) begins or ends with white space")
        before = end


def _coded(strings: Sequence[str], vocabulary: dict[str, int]) -> IntArray:
    codes = [vocabulary.setdefault(string, len(vocabulary)) for string in strings]
    return np.array(codes, dtype=np.int32)


def _chunks(record: Mapping[str, Any], made: Annotations) -> IntArray:
    chunks = _ranges(record, "chunks", len(made))
    sentence_of = made.sentence_of
    for begin, end in chunks:
        if sentence_of[begin] != sentence_of[end - 1]:
            raise ValueError(f"the chunk [{begin}, {end}] crosses the end of a sentence")
    if chunks != sorted(chunks):
        raise ValueError("'chunks' are not in text order")
    return np.array(chunks, dtype=np.int32).reshape(-1, 2)
