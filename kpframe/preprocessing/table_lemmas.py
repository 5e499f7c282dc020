"""Lemmas from tables, without a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from kpframe.language.lemmas import has_lemmas, lemma_of
from kpframe.model import Annotations, Document
from kpframe.stages import Annotator

__all__ = ["TableLemmas"]


class TableLemmas(Annotator):
    """The lemma of each token by simplemma's tables for 50 languages ("réseaux" → "réseau").

    A word is looked up by itself, whatever its part of speech; one that the table does not know is its own
    lemma. Needs no language model, so it serves languages without one. Not in the paper.
    """

    source: ClassVar[str] = "simplemma (Barbaresi 2021)"

    def requires(self) -> frozenset[str]:
        """tokens."""
        return frozenset({"tokens"})

    def provides(self) -> frozenset[str]:
        """lemmas."""
        return frozenset({"lemmas"})

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Languages without a table."""
        for language in sorted(set(languages)):
            if not has_lemmas(language):
                yield "", f"there is no table of lemmas for language {language!r}", "leave it out"

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        """`annotations` with the layer lemmas; in a language without a table words are their own."""
        known = annotations if annotations is not None else Annotations.empty(document.text)
        if not len(known) or not has_lemmas(document.language):
            return known.with_layers(lemmas=known.words)
        numbers = {word: number for number, word in enumerate(known.vocabulary)}
        used = np.unique(known.words).tolist()
        lemmas = (lemma_of(known.vocabulary[number], document.language) for number in used)
        of_word = np.zeros(len(known.vocabulary), dtype=np.int32)
        of_word[used] = [numbers.setdefault(lemma, len(numbers)) for lemma in lemmas]
        return known.with_layers(lemmas=of_word[known.words], vocabulary=tuple(numbers))
