"""Every word of the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from kpframe.candidates._number_names import number_names
from kpframe.candidates._wordlike import wordlike
from kpframe.language.parts_of_speech import PartOfSpeechNames, parse, tagged
from kpframe.model import Annotations, Candidates, Document
from kpframe.stages import Selection

__all__ = ["Tokens"]


class Tokens(Selection):
    """Single words and numbers; two tokens are the same candidate if their folded words are equal.

    Punctuation, URLs, addresses and pieces of contractions are never candidates. The paper's
    "Tokens" are all tokens, its "Tokens (N,A)" those with `pos: [noun, adjective]`; stop words are
    left to postprocessing, as in the paper.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 4"

    pos: PartOfSpeechNames | None = Field(
        None,
        description="Only tokens with one of these parts of speech: universal classes in lower case "
        "(noun, proper_noun, adjective, verb, …; noun includes proper nouns) or Penn tags in upper case "
        "(NN, NNS, JJ, …); null: all words.",
    )
    name_numbers: bool = Field(
        False,
        description="With `pos`: also numbers that belong to a name (IEEE 802.11, type 2 diabetes), which "
        "merging then joins to it; no years and counts.",
    )

    def requires(self) -> frozenset[str]:
        """The layer that `pos` is looked up in."""
        return frozenset({parse(self.pos).layer}) if self.pos else frozenset()

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters but `name_numbers` where it is off: models from before it was one go on."""
        found = super().identity(languages)
        return {name: value for name, value in found.items() if (name, value) != ("name_numbers", False)}

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """One place for every word."""
        chosen = wordlike(annotations)
        if self.pos:
            wanted = tagged(annotations, self.pos)
            if self.name_numbers:
                wanted = wanted | number_names(annotations).numbers
            chosen = chosen & wanted
        places = [(token, token + 1) for token in np.flatnonzero(chosen).tolist()]
        return Candidates.build(document, annotations, places)
