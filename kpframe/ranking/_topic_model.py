"""What the words of a text are about: topics by latent Dirichlet allocation, and the words they prefer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from kpframe.ranking._graph import Weights
from kpframe.ranking._trained_state import checked
from kpframe.stages.checked import Checked

__all__ = ["TopicModel", "Topics", "learn_topics"]

_DIGITS = 7
"""Significant digits of a weight that is kept: more would tell nothing of a topic."""


class Topics(Checked):
    """How topics are learned, and which words each prefers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int = Field(default=50, ge=1, le=1000, description="How many topics there are.")
    prefer: Literal["topic_given_word", "word_given_topic", "product"] = Field(
        default="topic_given_word",
        description="What a topic z prefers a word w by: p(z | w), so its own words; p(w | z), its frequent "
        "words; or the product of the two.",
    )
    vocabulary: int = Field(
        default=10_000,
        ge=1,
        le=1_000_000,
        description="Most words: those that stand in most documents, at least in two.",
    )
    passes: int = Field(default=20, ge=1, le=1000, description="Passes over the documents.")
    seed: int = Field(default=1, ge=0, le=2**32 - 1, description="Where the topics begin.")


Weight = Annotated[FiniteFloat, Field(gt=0.0, strict=True)]


class _State(BaseModel):
    """What `learn_topics` gives."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: list[str]
    topics: list[list[Weight]]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(set(self.words)) < len(self.words):
            raise ValueError("words: one stands twice")
        if any(len(topic) != len(self.words) for topic in self.topics):
            raise ValueError("topics: not one weight for each word")
        return self


def learn_topics(documents: Iterable[Mapping[str, int]], settings: Topics) -> dict[str, Any]:
    """The topics of documents, given by the counts of their words: {words, topics}, plain JSON values.

    `topics` has a row for each topic, the weight of each word in it. Where no word stands in two documents
    there are no topics.
    """
    kept = [dict(document) for document in documents]
    known = Counter(word for document in kept for word in document)
    frequent = [word for word, count in known.items() if count > 1]
    words = sorted(sorted(frequent, key=lambda word: (-known[word], word))[: settings.vocabulary])
    if not words:
        return {"words": [], "topics": []}
    from sklearn.decomposition import LatentDirichletAllocation

    model = LatentDirichletAllocation(
        settings.number, max_iter=settings.passes, learning_method="batch", random_state=settings.seed
    )
    columns = {word: column for column, word in enumerate(words)}
    weights = model.fit(_rows(kept, columns)).components_
    return {"words": words, "topics": [[float(f"{w:.{_DIGITS}g}") for w in row] for row in weights.tolist()]}


def _rows(documents: Sequence[Mapping[str, int]], number: Mapping[str, int]) -> Any:
    """A sparse row of counts for each document, shape (documents, words); `number` has a word's column."""
    from scipy.sparse import csr_matrix

    found = [
        (row, number[word], count)
        for row, document in enumerate(documents)
        for word, count in sorted(document.items())
        if word in number
    ]
    rows, columns, counts = zip(*found, strict=True) if found else ((), (), ())
    return csr_matrix((counts, (rows, columns)), shape=(len(documents), len(number)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class TopicModel:
    """Topics over `words`; `weights` (shape (topics, words)) are positive."""

    words: tuple[str, ...]
    weights: Weights
    prefer: Literal["topic_given_word", "word_given_topic", "product"]

    @classmethod
    def from_state(cls, state: Mapping[str, Any], settings: Topics) -> TopicModel:
        """The topics that `learn_topics` gave; ResourceError if they are damaged."""
        found = checked(_State, state, "topics")
        weights = np.array(found.topics, dtype=np.float64).reshape(len(found.topics), len(found.words))
        return cls(tuple(found.words), weights, settings.prefer)

    def shares(self, counts: Mapping[str, float]) -> Weights:
        """p(z | d) of a text with such counts of words, shape (topics,), summing to 1."""
        known = [word for word in counts if word in self._column]
        row = np.zeros((1, len(self.words)))  # for a single text a sparse row takes twice the time
        row[0, [self._column[word] for word in known]] = [int(counts[word]) for word in known]
        found: Weights = self._model.transform(row)[0]
        return found

    def preferences(self, counts: Mapping[str, float]) -> Weights | None:
        """Σ p(z | d) · p_z(w) over the topics z, for each word w of a text, in the order of `counts`.

        p_z sums to 1 over the words of the text. Words that no topic knows have the mean of the others. None
        if all are such words.
        """
        columns = [self._column[word] for word in counts if word in self._column]
        if not columns or not len(self.weights):
            return None
        of_topic = self._preferred[:, columns]
        mixed = self.shares(counts) @ (of_topic / of_topic.sum(axis=1, keepdims=True))
        found = np.full(len(counts), mixed.mean())
        found[[number for number, word in enumerate(counts) if word in self._column]] = mixed
        return found

    @cached_property
    def _column(self) -> dict[str, int]:
        return {word: column for column, word in enumerate(self.words)}

    @cached_property
    def _preferred(self) -> Weights:
        """What each topic prefers each word by, not yet summing to 1."""
        of_word = self.weights / self.weights.sum(axis=0)
        of_topic = self.weights / self.weights.sum(axis=1, keepdims=True)
        found: Weights = {
            "topic_given_word": of_word,
            "word_given_topic": of_topic,
            "product": of_word * of_topic,
        }[self.prefer]
        return found

    @cached_property
    def _model(self) -> Any:
        """The model of scikit-learn with these weights, made without learning."""
        from scipy.special import psi
        from sklearn.decomposition import LatentDirichletAllocation

        topics, words = self.weights.shape
        model = LatentDirichletAllocation(topics)
        model.components_ = self.weights
        model.exp_dirichlet_component_ = np.exp(
            psi(self.weights) - psi(self.weights.sum(axis=1, keepdims=True))
        )
        model.doc_topic_prior_ = 1.0 / topics
        model.n_features_in_ = words
        return model
