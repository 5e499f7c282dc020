"""Tokens and sentences by rules, without any language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from kpframe.language.scripts import (
    UNSPACED_LANGUAGES,
    is_unspaced,
    unspaced_error,
    unspaced_model,
    unspaced_problem,
)
from kpframe.model import Annotations, Document
from kpframe.preprocessing._words_alone import words_alone
from kpframe.stages import Annotator

__all__ = ["Simple"]

_REMEDY = "use tokenize with a spaCy model of its language, "


class Simple(Annotator):
    """Splits a text into tokens and sentences by rules that need no model: fast, for any spaced script.

    Words with hyphens, numbers, URLs and abbreviations with inner full stops are one token, every
    other mark is its own; sentences are those of `tokenize`. Not in the paper.
    """

    source: ClassVar[str] = "kpframe.language.words.token_spans; Unicode Standard Annex 29"

    def provides(self) -> frozenset[str]:
        """tokens and sentences."""
        return frozenset({"tokens", "sentences"})

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Languages that are written without spaces."""
        for language in sorted(set(languages) & UNSPACED_LANGUAGES):
            remedy = f"use tokenize with a spaCy model of that language, {unspaced_model(language)}"
            yield "", unspaced_problem(language), remedy

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        """The tokens and sentences of a text; given tokens stay as they are.

        Raises DataError for a text in a script without spaces.
        """
        if annotations is not None and len(annotations):
            return annotations
        if is_unspaced(document.text):
            raise unspaced_error(document, _REMEDY + unspaced_model(document.language, document.text))
        return words_alone(document.text, document.language)
