"""Texts that come as lists of tokens: these tokens are the tokens, whatever a tokenizer would say."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from kpframe.model import Annotations
from kpframe.model.folding import plain

__all__ = ["joined", "tell_lists", "tokens_given"]

_log = logging.getLogger("kpframe.documents")
_ENDS = frozenset([".", "!", "?", "…", "。", "．", "｡", "！", "？", "।", "॥", "؟", "۔"])
"""Tokens after which a sentence begins."""


def tell_lists(column: str) -> None:
    """Tell that the lists in a column are read, and as what."""
    _log.info("column %r has lists: taken as tokens", column)


def joined(tokens: Sequence[str]) -> str:
    """The text of some tokens: a space between them, nothing for a blank one."""
    return " ".join(token.strip() for token in tokens if token.strip())


def tokens_given(value: Any) -> Annotations | None:
    """The tokens and sentences of a list of strings, over its `joined` text; None for anything else."""
    if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
        return None
    tokens: list[str] = []
    after_blank_line: set[int] = set()
    blank = ""
    for token in value:
        if token.strip():
            tokens.append(token.strip())
            blank = ""
        else:  # line ends may come as tokens: a title ends at two
            blank += token
            if blank.count("\n") > 1:
                after_blank_line.add(len(tokens))
    lengths = np.array([len(token) for token in tokens], dtype=np.int32)
    begins = np.concatenate(([0], np.cumsum(lengths + 1)[:-1])).astype(np.int32) if tokens else lengths
    numbers: dict[str, int] = {}
    words = [numbers.setdefault(plain(token), len(numbers)) for token in tokens]
    ends = {i + 1 for i, token in enumerate(tokens) if token in _ENDS} | after_blank_line
    borders = sorted({0, *ends, len(tokens)})
    sentences = [pair for pair in pairwise(borders) if pair[0] < pair[1]]
    return Annotations(
        joined(tokens),
        begins,
        (begins + lengths).astype(np.int32),
        np.array(words, dtype=np.int32),
        tuple(numbers),
        np.array(sentences, dtype=np.int32).reshape(-1, 2),
    )
