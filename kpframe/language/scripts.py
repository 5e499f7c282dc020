"""Tell texts in scripts that put no space between words, which need a segmenter of their own."""

from __future__ import annotations

import re

from kpframe.errors import DataError, KpframeError
from kpframe.model import Document

__all__ = [
    "UNSPACED_LANGUAGES",
    "is_latin",
    "is_latin_language",
    "is_unspaced",
    "unspaced_error",
    "unspaced_model",
    "unspaced_problem",
]

UNSPACED_LANGUAGES = frozenset({"bo", "dz", "ja", "km", "lo", "my", "th", "wuu", "yue", "zh"})
"""Codes of languages whose words are not parted by spaces."""

_OTHERS = (
    "ab ae am ar ary arz as av ba be bg bho bn bo ce chr ckb cu cv dv dz el fa gom grc gu hbo he hi hy ii "
    "iu ja ka kk km kn ko ks kv ky lo mai mk ml mn mr my ne new or os pa pi ps ru sa sah sat sd sdh si ta "
    "te tg th ti tt tyv udm ug uk ur wuu yi yue zh"
)
_OTHER_SCRIPTS = frozenset(_OTHERS.split())
"""Codes of languages in other scripts than the Latin one; Serbian is written in two."""

# Compiled, and remembered, for the first text that is not ASCII.
_UNSPACED = (
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Tibetan, Myanmar, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"  # Han
)
_KANA = "[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f]"
_HAN = "[\u3400-\u4dbf\u4e00-\u9fff]"
_SEGMENTING = {
    "ja": "ja_core_news_sm",
    "wuu": "zh_core_web_sm",
    "yue": "zh_core_web_sm",
    "zh": "zh_core_web_sm",
}
"""The spaCy models that part words where no space does; for other languages spaCy has none."""
_SHARE = 1 / 3
_LOOKED_AT = 2000


def is_unspaced(text: str) -> bool:
    """Whether more than a third of the letters of `text` belong to a script without spaces."""
    if text.isascii():
        return False
    unspaced = len(re.findall(_UNSPACED, text))
    return unspaced > _SHARE * sum(map(str.isalpha, text)) if unspaced else False


def unspaced_problem(language: str) -> str:
    """What hinders a tokenizer on a language whose words are not parted by spaces."""
    return f"cannot split language {language!r}, which is written without spaces between words"


def unspaced_model(language: str, text: str = "") -> str:
    """How a remedy names the spaCy model that parts the words of a language, or of a text's script.

    A language that is not known (`auto`), or is another than one without spaces, is that of the script.
    """
    if language not in UNSPACED_LANGUAGES:
        language = "ja" if re.search(_KANA, text) else "zh" if re.search(_HAN, text) else ""
    model = _SEGMENTING.get(language)
    return f"as model: {model}" if model else "which spaCy itself has not: of your own, as model: PACKAGE"


def unspaced_error(document: Document, remedy: str) -> KpframeError:
    """The DataError for a document that cannot be split into words at spaces."""
    return DataError.at(
        f"document {document.id!r}",
        "most of its text is in a script without spaces between words, which this tokenizer cannot split",
        remedy,
    )


def is_latin(text: str) -> bool:
    """Whether most letters of `text` are Latin ones; true where it has none."""
    if text.isascii():
        return True
    letters = [letter for letter in text[:_LOOKED_AT] if letter.isalpha()]
    return 2 * sum(letter < "\u0250" for letter in letters) >= len(letters)


def is_latin_language(language: str) -> bool:
    """Whether a language is written in Latin script."""
    return language not in _OTHER_SCRIPTS
