"""Tell texts in scripts that put no space between words, which need a segmenter of their own."""

from __future__ import annotations

import re

from kpframe.errors import DataError, KpframeError
from kpframe.model import Document

__all__ = ["UNSPACED_LANGUAGES", "is_unspaced", "unspaced_error"]

UNSPACED_LANGUAGES = frozenset({"bo", "dz", "ja", "km", "lo", "my", "th", "yue", "zh"})
"""Codes of languages whose words are not parted by spaces."""

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Tibetan, Myanmar, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"  # Han
)
_SHARE = 1 / 3


def is_unspaced(text: str) -> bool:
    """Whether more than a third of the letters of `text` belong to a script without spaces."""
    if text.isascii():
        return False
    unspaced = len(_UNSPACED.findall(text))
    return unspaced > _SHARE * sum(map(str.isalpha, text)) if unspaced else False


def unspaced_error(document: Document, remedy: str) -> KpframeError:
    """The DataError for a document that cannot be split into words at spaces."""
    return DataError.at(
        f"document {document.id!r}",
        "most of its text is in a script without spaces between words, which this tokenizer cannot split",
        remedy,
    )
