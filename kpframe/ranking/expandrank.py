"""Rank phrases in the word graph of a document and its nearest neighbours in the collection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._collection_graph import CollectionGraph
from kpframe.ranking._collection_words import CollectionWords

__all__ = ["ExpandRank"]


class ExpandRank(CollectionGraph):
    """SingleRank over a document and the documents most like it, which lend it the links of their words.

    Neighbours are the `neighbours` other documents of the collection with the greatest cosine of
    tf · ln(N / df) vectors (words with a letter or digit, without stop words). Words are linked by
    Σ cosine · meetings over these documents, the document itself counting 1; PageRank over all their words;
    the phrases are those of the document alone. With a collection of one document it is SingleRank.

    What is learned grows with the length of the texts: each document's words, their counts and their places.
    A document that is not part of the collection finds its neighbours there.
    """

    source: ClassVar[str] = "Wan & Xiao 2008 (AAAI), sections 3 and 4"

    neighbours: int = Field(5, ge=0, description="How many other documents are added; 0: none (SingleRank).")

    def restore(self, state: Mapping[str, Any]) -> FittedExpandRank:
        """The ranker with the collection of `state`."""
        return FittedExpandRank(self, CollectionWords.from_state(state))

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Only without neighbours; StageError if the collection must be seen first."""
        if self.neighbours:
            raise self.unfitted()
        return FittedExpandRank(self, CollectionWords(())).rank(candidates)


@dataclass(frozen=True)
class FittedExpandRank:
    """ExpandRank with a collection."""

    settings: ExpandRank
    collection: CollectionWords

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by the joint graph, best first."""
        own = self.settings.words_of(candidates)
        near = self.collection.similar(own)[: self.settings.neighbours]
        others = [(self.collection.documents[index], cosine) for index, cosine in near]
        return self.settings.ranked(candidates, own, others)
