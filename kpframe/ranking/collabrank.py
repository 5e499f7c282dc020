"""Rank phrases in the word graph of a whole cluster of documents."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel, Field

from kpframe.errors import ResourceError, StageError
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._collection_graph import CollectionGraph
from kpframe.ranking._collection_words import CollectionWords, DocumentWords
from kpframe.ranking._trained_state import Count, checked
from kpframe.stages import Selection

__all__ = ["CollabRank"]


class _Clusters(BaseModel):
    """What the state has beside that of `CollectionWords`."""

    clusters: tuple[Count, ...] = Field(description="The number of the cluster of each document.")


class CollabRank(CollectionGraph):
    """SingleRank over the cluster of documents that a document belongs to; all of them weigh alike.

    The collection is clustered agglomeratively (average linkage) by the cosine of tf · ln(N / df) vectors.
    Words are linked as often as they meet in any document of the cluster; the phrases are those of the
    document alone. A document that is not part of the collection joins the cluster of the document most
    like it.

    Clustering compares all pairs of documents, so a collection of more than `max_documents` is refused. The
    paper tries several clusterings; how many clusters it makes is not known here, and the square root of
    the number of documents is ours.
    """

    source: ClassVar[str] = "Wan & Xiao 2008 (COLING), section 3"

    clusters: int | None = Field(
        None,
        ge=1,
        description="How many clusters are made; null: the square root of the number of documents.",
    )
    max_documents: int = Field(
        10_000,
        ge=1,
        description="Most documents of a collection: memory grows with the square of their number (0.8 GB at "
        "10,000), so a greater one is an error.",
    )

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """Clusters are part of what is learned."""
        return {**super().fit_identity(selection), "clusters": self.clusters}

    def fit(self, observations: Iterable[DocumentWords]) -> dict[str, Any]:
        """The state of `CollectionWords`, and the cluster of each document; StageError for too many."""
        collection = CollectionWords.of(observations)
        count = len(collection.documents)
        if count > self.max_documents:
            raise StageError.at(
                "documents",
                f"{count:,} of them; time and memory of clustering grow with the square of their number",
                f"take at most {self.max_documents:,}, or raise ranking.max_documents, or use expandrank",
            )
        return {**collection.to_state(), "clusters": _clusters(collection, self.clusters)}

    def restore(self, state: Mapping[str, Any]) -> FittedCollabRank:
        """The ranker with the clusters of `state`."""
        collection = CollectionWords.from_state({k: v for k, v in state.items() if k != "clusters"})
        clusters = checked(_Clusters, {"clusters": state.get("clusters")}, "collection").clusters
        if len(clusters) != len(collection.documents):
            raise ResourceError.at(
                "collection",
                "the model is damaged: it has not one cluster for each document",
                "train it anew with `kpframe train`",
            )
        return FittedCollabRank(self, collection, clusters)

    def rank(self, candidates: Candidates) -> Keyphrases:
        """StageError: the collection must be seen first."""
        raise self.unfitted()


def _clusters(collection: CollectionWords, wanted: int | None) -> list[int]:
    """The number of the cluster of each document."""
    count = len(collection.documents)
    if count < 2:
        return [1] * count
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    cosines = (collection.vectors @ collection.vectors.T).toarray()
    distances = np.clip(1.0 - cosines.round(12), 0.0, 1.0)
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), method="average")
    most = wanted or max(1, round(math.sqrt(count)))
    found: list[int] = fcluster(tree, t=most, criterion="maxclust").tolist()
    return found


@dataclass(frozen=True)
class FittedCollabRank:
    """CollabRank with a clustered collection."""

    settings: CollabRank
    collection: CollectionWords
    clusters: tuple[int, ...]

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by the graph of their cluster, best first."""
        own = self.settings.words_of(candidates)
        cluster = self._cluster(own)
        documents = zip(self.collection.documents, self.clusters, strict=True)
        others = [(other, 1.0) for other, its in documents if its == cluster and other.id != own.id]
        return self.settings.ranked(candidates, own, others)

    def _cluster(self, own: DocumentWords) -> int:
        """The cluster of a document; 0, which no document has, if it is like none."""
        for document, cluster in zip(self.collection.documents, self.clusters, strict=True):
            if document.id == own.id:
                return cluster
        near = self.collection.similar(own)
        return self.clusters[near[0][0]] if near else 0
