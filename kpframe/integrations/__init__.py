"""kpframe inside other libraries: scikit-learn, spaCy and UIMA.

The names below are loaded when first used, so that none of these libraries is needed for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kpframe.integrations.cas import CasContent, read_cas, write_cas, write_run
    from kpframe.integrations.spacy_component import register_spacy
    from kpframe.integrations.vectorizer import KeyphraseVectorizer

_HOMES = {
    "CasContent": "kpframe.integrations.cas",
    "KeyphraseVectorizer": "kpframe.integrations.vectorizer",
    "read_cas": "kpframe.integrations.cas",
    "register_spacy": "kpframe.integrations.spacy_component",
    "write_cas": "kpframe.integrations.cas",
    "write_run": "kpframe.integrations.cas",
}

__all__ = ["CasContent", "KeyphraseVectorizer", "read_cas", "register_spacy", "write_cas", "write_run"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'kpframe.integrations' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
