"""Noun phrases, as a chunker finds them."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kpframe.candidates._phrase_core import CoreFinder
from kpframe.model import Annotations, Candidates, Document
from kpframe.stages import Selection

__all__ = ["NounPhrases"]


class NounPhrases(Selection):
    """The noun chunks of the text, without punctuation at their ends.

    By default leading determiners, possessives, pronouns and number words are left off ("its own
    accuracy" → "accuracy", "each of the two systems" → "systems"; numbers in digits stay), and a
    chunk that is nothing else is no candidate. The paper keeps chunks whole and leaves this to its
    stop word filter; `determiners: keep` does that.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, section 4"

    determiners: Literal["drop", "keep"] = Field(
        "drop",
        description="Leading determiners, possessives, pronouns and number words of a chunk: left off, "
        "or kept as the chunker gives them. drop needs the pos layer.",
    )

    def requires(self) -> frozenset[str]:
        """Chunks, and parts of speech to tell determiners."""
        return frozenset({"chunks", "pos"} if self.determiners == "drop" else {"chunks"})

    def propose(self, document: Document, annotations: Annotations) -> Candidates:
        """One place for every chunk that has a word left."""
        annotations.require("chunks")
        assert annotations.chunks is not None
        finder = CoreFinder(annotations, "introduction" if self.determiners == "drop" else "nothing")
        cores = (finder.core(begin, end) for begin, end in annotations.chunks.tolist())
        return Candidates.build(document, annotations, (core for core in cores if core))
