"""What ExpandRank and CollabRank share: a word graph over a document and others that are like it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from kpframe.errors import StageError
from kpframe.language.parts_of_speech import PartOfSpeechNames, parse
from kpframe.language.stop_lists import file_checksums, list_limits, list_problems, stop_words
from kpframe.language.words import has_letter_or_digit
from kpframe.model import AUTO, Candidates, Keyphrases
from kpframe.ranking._collection_words import CollectionWords, DocumentWords, joined
from kpframe.ranking._graph import Graph
from kpframe.ranking._pagerank import pagerank
from kpframe.ranking._rounding import significant
from kpframe.ranking._words import PhraseScore, phrase_scores, words_of
from kpframe.stages import Ranking, Selection

__all__ = ["CollectionGraph"]


class CollectionGraph(Ranking):
    """Parameters and steps of the rankings that add other documents to the graph of a document."""

    pos: PartOfSpeechNames | None = Field(
        None,
        description="Parts of speech of the words in the graph: universal classes in lower case (noun, "
        "adjective, …) or Penn tags in upper case; null: the words that are part of a candidate.",
    )
    window: int = Field(
        10,
        ge=2,
        description="Tokens in the window: a word is linked to those in the window - 1 tokens before it.",
    )
    cross_sentences: bool = Field(False, description="Whether the window reaches over the end of a sentence.")
    phrase: PhraseScore = Field("sum", description="How the scores of its words become that of a phrase.")
    stopwords: tuple[str, ...] = Field(
        (AUTO,),
        description="Stop lists whose words do not count when documents are compared: language codes "
        "(en, de, hi, …), paths of files with an entry a line, or auto, the list of the document's language.",
    )
    damping: float = Field(
        0.85, gt=0.0, le=0.999, description="Probability of following a link in PageRank, 0 … 0.999."
    )

    def requires(self) -> frozenset[str]:
        """The layer that `pos` is looked up in."""
        return frozenset({parse(self.pos).layer}) if self.pos else frozenset()

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Stop lists that do not exist."""
        for problem, remedy in list_problems(self.stopwords):
            yield "stopwords", problem, remedy

    def limits(self, language: str) -> Iterator[str]:
        """Stop lists that are those of other languages."""
        yield from list_limits(self.stopwords, language)

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """All parameters, and the checksums of files of stop words."""
        files = file_checksums(self.stopwords)
        return {**super().identity(languages), **({"sha256": files} if files else {})}

    def fits_on(self) -> Literal["", "collection", "training"]:
        """Neighbours come from the whole collection."""
        return "collection"

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """With `pos`, what is kept of documents depends on the candidates by their level alone."""
        kept: dict[str, Any] = {"kind": self.kind, "level": selection.level(), "pos": self.pos}
        kept |= {"stopwords": self.stopwords, "files": file_checksums(self.stopwords)}
        return kept if self.pos else {**kept, "candidates": selection.identity()}

    def observe(self, candidates: Candidates) -> DocumentWords:
        """The document's words and where those of its graph stand."""
        return self.words_of(candidates)

    def fit(self, observations: Iterable[DocumentWords]) -> dict[str, Any]:
        """The state of `CollectionWords`."""
        return CollectionWords.of(observations).to_state()

    def words_of(self, candidates: Candidates) -> DocumentWords:
        """What is known of a document: all words but stop words for its counts, nouns … for its graph."""
        stop = stop_words(self.stopwords, candidates.document.language)
        strings = candidates.tokens
        counted = Counter(s for s in strings if s not in stop and has_letter_or_digit(s))
        words = words_of(candidates, None, self.pos, "alphanumeric")
        ends = candidates.annotations.sentences[:, 1].astype(np.int64)
        return DocumentWords(candidates.document.id, dict(sorted(counted.items())), words, ends)

    def unfitted(self) -> Exception:
        """The error of a ranking that knows no collection."""
        return StageError.at(
            f"ranking: {self.kind}",
            "knows no other documents yet",
            "fit it on the collection (kpframe train)",
        )

    def ranked(
        self, candidates: Candidates, own: DocumentWords, others: Sequence[tuple[DocumentWords, float]]
    ) -> Keyphrases:
        """The candidates by the words of the joint graph, in which the own document weighs 1."""
        graph = own.words.graph_of(
            candidates.annotations, window=self.window, cross_sentences=self.cross_sentences
        )
        near = [(one.words, self._graph(one), weight) for one, weight in others]
        _, graph = joined([(own.words, graph, 1.0), *near])
        scores = pagerank(graph, damping=self.damping)[: len(own.words.names)]
        combined = phrase_scores(candidates, own.words, np.asarray(scores), self.phrase)
        return Keyphrases.ranked(candidates, significant(combined.tolist()))

    def _graph(self, one: DocumentWords) -> Graph:
        ends = None if self.cross_sentences else one.sentence_ends
        return one.words.graph(window=self.window, sentence_ends=ends)
