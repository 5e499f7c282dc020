"""Tokens and sentences by spaCy's tokenizer."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from kpframe.preprocessing._spacy_pass import Request, SpacyAnnotator

__all__ = ["Tokenize"]


class Tokenize(SpacyAnnotator):
    """Splits a text into tokens (spaCy's rules for the language) and sentences (kpframe's own rule).

    Hyphenated compounds stay whole ("state-of-the-art"), white space is never a token, and a single
    line break is white space. A sentence ends after . ! ? before what begins another one, and at
    every blank line; abbreviations and initials do not end it. The paper does not name
    its tokenizer.
    """

    source: ClassVar[str] = "Zesch and Gurevych 2009, figure 1 (tokenization, sentence splitting); spaCy 3.8"
    short: ClassVar[str] = "model"

    piece_characters: int = Field(
        20_000,
        ge=1000,
        description="Texts longer than this many characters go through the model in pieces that end at a "
        "sentence end (or, in longer sentences, at white space), so that memory stays bounded.",
    )

    def provides(self) -> frozenset[str]:
        """tokens and sentences."""
        return frozenset({"tokens", "sentences"})

    def ask(self, request: Request) -> Request:
        """Adds the size of the pieces."""
        return replace(super().ask(request), piece_characters=self.piece_characters)
