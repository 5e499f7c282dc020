"""Gold keyphrases out of the strings in which corpora write them."""

from __future__ import annotations

from collections.abc import Iterable

from kpframe.model import Gold
from kpframe.model.blank import visible

__all__ = ["gold_keyphrases", "split_phrases"]


def split_phrases(text: str, separator: str | None) -> list[str]:
    """The phrases of `text`, stripped; empty ones are left out."""
    parts = [text] if separator is None else text.split(separator)
    return [part.strip() for part in parts if visible(part)]


def gold_keyphrases(
    phrases: Iterable[str], *, variants: str | None = None, source: str = ""
) -> tuple[Gold, ...]:
    """One gold keyphrase for each phrase; its variants parted by `variants`, if that is given.

    A phrase that is nothing but separators has no variants and is left out.
    """
    forms = (split_phrases(phrase, variants) for phrase in phrases)
    return tuple(Gold(tuple(form), source) for form in forms if form)
