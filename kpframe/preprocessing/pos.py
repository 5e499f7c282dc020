"""Parts of speech by spaCy's tagger."""

from __future__ import annotations

from typing import ClassVar

from kpframe.preprocessing._spacy_pass import SpacyAnnotator

__all__ = ["Pos"]


class Pos(SpacyAnnotator):
    """The tag of each token (for English a Penn tag) and its universal part of speech.

    Where the model has Penn tags, the universal part of speech follows from the tag alone
    (`kpframe.model.penn`), so it is the same whatever else is annotated; a form of "have" is always VERB.
    For models with other tags it is the model's own. The paper used the TreeTagger.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, figure 1 (POS tagging); spaCy 3.8"

    def requires(self) -> frozenset[str]:
        """tokens."""
        return frozenset({"tokens"})

    def provides(self) -> frozenset[str]:
        """tags and pos."""
        return frozenset({"tags", "pos"})
