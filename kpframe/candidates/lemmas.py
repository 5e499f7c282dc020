"""Every lemma of the text."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from kpframe.candidates._wordlike import wordlike
from kpframe.language.parts_of_speech import PartOfSpeechNames, parse, tagged
from kpframe.model import Annotations, Candidates, Document
from kpframe.stages import Selection

__all__ = ["Lemmas"]


class Lemmas(Selection):
    """Single words, grouped by their folded lemma and shown by their most frequent surface form.

    Punctuation, URLs, addresses and pieces of contractions are never candidates. The paper ranks
    and evaluates the lemmas themselves; here the lemma is the identity, and what is shown (and
    evaluated) is a slice of the text.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 4"

    pos: PartOfSpeechNames | None = Field(
        None,
        description="Only tokens with one of these parts of speech: universal classes in lower case "
        "(noun, proper_noun, adjective, verb, …; noun includes proper nouns) or Penn tags in upper case "
        "(NN, NNS, JJ, …); null: all words.",
    )

    def requires(self) -> frozenset[str]:
        """Lemmas, and the layer that `pos` is looked up in."""
        return frozenset({"lemmas", parse(self.pos).layer}) if self.pos else frozenset({"lemmas"})

    def level(self) -> Literal["words", "lemmas"]:
        """Tokens are identified by their lemmas."""
        return "lemmas"

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """One place for every word."""
        annotations.require("lemmas")
        chosen = wordlike(annotations)
        if self.pos:
            chosen = chosen & tagged(annotations, self.pos)
        places = [(token, token + 1) for token in np.flatnonzero(chosen).tolist()]
        return Candidates.build(document, annotations, places, level="lemmas")
