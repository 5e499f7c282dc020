"""Lemmas by spaCy's lemmatizer."""

from __future__ import annotations

from typing import ClassVar

from kpframe.preprocessing._spacy_pass import SpacyAnnotator

__all__ = ["Lemmatize"]


class Lemmatize(SpacyAnnotator):
    """The lemma of each token, found with its part of speech ("networks" → "network").

    A token without a lemma has its own word as lemma. The paper used the TreeTagger.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, figure 1 (lemmatization); spaCy 3.8"

    def requires(self) -> frozenset[str]:
        """tokens."""
        return frozenset({"tokens"})

    def provides(self) -> frozenset[str]:
        """lemmas."""
        return frozenset({"lemmas"})
