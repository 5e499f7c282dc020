"""Rank candidates by how near their vectors are to that of the text: EmbedRank and KeyBERT."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from kpframe.language.parts_of_speech import PartOfSpeechNames, parse, tagged
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._rounding import significant
from kpframe.stages import Ranking
from kpframe.stages.parts import EmbeddingPart

__all__ = ["EmbedRank"]


class EmbedRank(Ranking):
    """The cosine of the vectors of a candidate and of its text, -1 … 1.

    EmbedRank takes the vector of the text's adjectives and nouns alone (`pos`), KeyBERT that of the whole
    text (`pos: null`, the default), over n-grams. A candidate is embedded as the folded words of its first
    place. For variety both then choose by maximal marginal relevance: the post-processing
    `marginal_relevance`. What `embedding` is decides nearly all; its default knows spelling alone and needs
    no model. A text of which the embedding knows nothing gives every candidate 0, and the order of the text.
    """

    source: ClassVar[str] = (
        "Bennani-Smires et al. 2018 (EmbedRank, section 3); the program KeyBERT (Grootendorst 2020)"
    )
    paths: ClassVar[tuple[str, ...]] = ("embedding.path",)

    embedding: EmbeddingPart = Field(
        "trigrams",
        validate_default=True,
        description="What gives vectors, as `{kind: sentence_transformers, path: FOLDER}`, `{kind: "
        "spacy_vectors, model: en_core_web_md}` or `{kind: word_vectors, path: FILE}`; all: kpframe stages "
        "embedding.",
    )
    pos: PartOfSpeechNames | None = Field(
        None,
        description="The parts of speech of the words that stand for the text: universal classes in lower "
        "case (noun, adjective, …) or Penn tags in upper case; null: the text as it is.",
    )

    def requires(self) -> frozenset[str]:
        """The layer that `pos` is looked up in."""
        return frozenset({parse(self.pos).layer}) if self.pos else frozenset()

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by their cosine to the text."""
        if not candidates:
            return Keyphrases.ranked(candidates, [])
        words = candidates.annotations.folded_words
        phrases = [" ".join(words[begin:end]) for (begin, end), *_ in candidates.places_of]
        rows = self.embedding.directions([self._of_text(candidates), *phrases])
        # Two vectors at a time: a product of matrices may sum in an order that their number decides.
        return Keyphrases.ranked(candidates, significant((rows[1:] * rows[0]).sum(axis=1).tolist()))

    def _of_text(self, candidates: Candidates) -> str:
        annotations = candidates.annotations
        if self.pos is None:
            return annotations.text
        chosen = tagged(annotations, self.pos).nonzero()[0].tolist()
        words = annotations.folded_words
        return " ".join(words[token] for token in chosen)
