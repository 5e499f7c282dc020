"""Rank phrases by the centrality of their words: SingleRank, PositionRank and their kin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from kpframe.errors import StageError
from kpframe.language.parts_of_speech import PartOfSpeechNames, parse
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._document_frequencies import DocumentFrequencies
from kpframe.ranking._graph import Weights
from kpframe.ranking._pagerank import pagerank
from kpframe.ranking._rounding import significant
from kpframe.ranking._topic_model import TopicModel, Topics, learn_topics
from kpframe.ranking._words import (
    PhraseScore,
    Stemmer,
    WordClass,
    Words,
    phrase_scores,
    token_strings,
    words_of,
)
from kpframe.stages import Ranking, Selection

__all__ = ["WordGraph"]


class WordGraph(Ranking):
    """PageRank over the words of a text; a phrase takes the sum, mean, maximum or product of its words.

    The words are all tokens of certain parts of speech (`pos`), or those that are part of a candidate; two
    are linked if they meet within the window, as often as they meet. What the surfer does when it does not
    follow a link is `restart`: it jumps to any word (SingleRank; with `weighted: false, window: 2` TextRank),
    rather to words that stand early and often, Σ 1/(1 + place) over their places (PositionRank), to words of
    high tf.idf, or to those that the topics of the text prefer (Topical PageRank).

    Topical PageRank runs once for each topic z of a text, jumping in proportion to p_z(w), and adds the runs
    up by p(z | d). PageRank is linear in where it jumps, so one run with Σ p(z | d) · p_z(w) gives the same.
    Topics are learned by latent Dirichlet allocation from the documents themselves, where the paper has
    Wikipedia; how many, and that a word of no topic counts as much as the mean of the others, is ours.

    SingleRank as published is `{window: 10, cross_sentences: true, pos: [noun, adjective]}` over the longest
    runs of such words that end in a noun; PositionRank has `restart: position` besides, over
    "adjective* noun+" of at most three words. `sum` favours long phrases: right for abstracts, whose gold is
    long, and wrong for texts out of PDF files, where a "phrase" may be half a table.

    Differs from the papers: sentence ends are not crossed unless asked; PageRank is computed to 1e-12, where
    the papers stop at 1e-4. Beside `cooccurrence`, whose nodes are the candidates themselves, here nodes are
    words and candidates may be phrases. Time and memory grow with tokens × window.
    """

    source: ClassVar[str] = (
        "Wan & Xiao 2008 (SingleRank, AAAI, section 3); Florescu & Caragea 2017 (PositionRank, section 3); "
        "Mihalcea & Tarau 2004; Liu, Huang, Zheng & Sun 2010 (Topical PageRank)"
    )

    pos: PartOfSpeechNames | None = Field(
        None,
        description="Parts of speech of the words in the graph: universal classes in lower case (noun, "
        "adjective, …) or Penn tags in upper case; null: the words that are part of a candidate.",
    )
    tokens: WordClass = Field(
        "alphanumeric",
        description="Which of them are words: those with a letter or a digit, or any, even punctuation "
        "that was tagged as a noun, as programs that look at tags alone.",
    )
    window: int = Field(
        10,
        ge=2,
        description="Units in the window: a word is linked to those in the window - 1 units before it.",
    )
    units: Literal["text", "words"] = Field(
        "text", description="What the window counts: all tokens of the text, or the words of the graph alone."
    )
    cross_sentences: bool = Field(False, description="Whether the window reaches over the end of a sentence.")
    weighted: bool = Field(True, description="Whether links weigh as often as their ends met, or all 1.")
    restart: Literal["none", "position", "tfidf", "topics"] = Field(
        "none",
        description="Where the surfer jumps. none: anywhere alike; position: in proportion to "
        "Σ 1/(1 + place), places in tokens from 0; tfidf: in proportion to tf · ln(N / df); topics: to "
        "words that the topics of the text prefer.",
    )
    topics: Topics = Field(Topics(), description="With `restart: topics`: how many, and what they prefer.")
    documents: Literal["collection", "training"] = Field(
        "collection",
        description="With `restart: tfidf` or `topics`: the documents over which df is counted or topics are "
        "learned.",
    )
    phrase: PhraseScore = Field("sum", description="How the scores of its words become that of a phrase.")
    stem: Stemmer | None = Field(
        None,
        description="Words with equal stems are one node; null: those with equal folded words (or "
        "lemmas, for lemma candidates) are.",
    )
    damping: float = Field(
        0.85, gt=0.0, le=0.999, description="Probability of following a link in PageRank, 0 … 0.999."
    )

    def requires(self) -> frozenset[str]:
        """The layer that `pos` is looked up in."""
        return frozenset({parse(self.pos).layer}) if self.pos else frozenset()

    def fits_on(self) -> Literal["", "collection", "training"]:
        """The documents over which document frequencies are counted or topics learned, if they are needed."""
        return self.documents if self.restart in ("tfidf", "topics") else ""

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """Frequencies depend on what identifies tokens alone, so that many selections share a fit."""
        known: dict[str, Any] = {"kind": self.kind}
        known |= {"from": self.documents, "level": selection.level(), "stem": self.stem}
        if self.restart != "topics":
            return known
        known |= {"topics": self.topics.model_dump(mode="json"), "pos": self.pos, "tokens": self.tokens}
        return known if self.pos else {**known, "candidates": selection.identity()}

    def observe(self, candidates: Candidates) -> list[str] | dict[str, int]:
        """The distinct tokens of a document, sorted; for topics the words of its graph with their counts."""
        if self.restart != "topics":
            return sorted(set(token_strings(candidates, self.stem)))
        return _counted(words_of(candidates, self.stem, self.pos, self.tokens))

    def fit(self, observations: Iterable[Any]) -> dict[str, Any]:
        """{"documents": N, "df": {token: number of documents}}, or what `learn_topics` gives."""
        if self.restart == "topics":
            return learn_topics(observations, self.topics)
        return DocumentFrequencies.counted(observations).to_state()

    def restore(self, state: Mapping[str, Any]) -> FittedWordGraph:
        """The ranker with the frequencies or topics of `state`."""
        if self.restart == "topics":
            return FittedWordGraph(self, topics=TopicModel.from_state(state, self.topics))
        return FittedWordGraph(self, DocumentFrequencies.from_state(state))

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The phrases by their words; StageError if other documents must be seen first."""
        if self.fits_on():
            lacking = "topics" if self.restart == "topics" else "document frequencies"
            raise StageError.at(
                "ranking: word_graph",
                f"has no {lacking} yet",
                f"fit it on the {self.documents}, or set restart: none or position",
            )
        return FittedWordGraph(self).rank(candidates)


def _counted(words: Words) -> dict[str, int]:
    """The words with the number of their tokens."""
    return {name: int(count) for name, count in zip(words.names, words.counts(), strict=True)}


@dataclass(frozen=True)
class FittedWordGraph:
    """A word graph with the document frequencies or topics that its restart needs."""

    settings: WordGraph
    frequencies: DocumentFrequencies | None = None
    topics: TopicModel | None = None

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by the centrality of their words, best first."""
        words, scores = self.word_scores(candidates)
        combined = phrase_scores(candidates, words, scores, self.settings.phrase)
        return Keyphrases.ranked(candidates, significant(combined.tolist()))

    def word_scores(self, candidates: Candidates) -> tuple[Words, Weights]:
        """The words of the graph and the PageRank of each."""
        settings = self.settings
        words = words_of(candidates, settings.stem, settings.pos, settings.tokens)
        graph = words.graph_of(
            candidates.annotations,
            window=settings.window,
            cross_sentences=settings.cross_sentences,
            consecutive=settings.units == "words",
        )
        graph = graph if settings.weighted else graph.unweighted()
        return words, pagerank(graph, damping=settings.damping, restart=self._restart(words))

    def _restart(self, words: Words) -> Weights | None:
        if self.settings.restart == "position":
            return words.totals(np.reciprocal(words.positions + 1.0))
        if self.topics is not None:
            return self.topics.preferences(_counted(words))
        if self.frequencies is None:
            return None
        idf = np.array([self.frequencies.idf(name, "log") for name in words.names])
        weights = words.counts() * idf
        # In a collection of one document every idf is 0: nothing is preferred then.
        return weights if weights.any() else None
