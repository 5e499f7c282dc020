"""Rank candidates by the tf.idf of their tokens."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field

from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._document_frequencies import DocumentFrequencies
from kpframe.ranking._idf import Idf
from kpframe.stages import Ranking, Selection

__all__ = ["Idf", "TfIdf"]


class TfIdf(Ranking):
    """tf.idf of tokens; a candidate takes the greatest of its tokens, or their mean or sum.

    tf counts a token (its folded word, or its folded lemma for lemma candidates) over the whole
    text, whether or not it is part of a candidate; idf is ln(N / df) unless `form` says otherwise.
    Where a key stands for several forms, its best place counts.

    A token in every document has idf 0, a token in none counts as standing in one; idf is never
    negative. A collection of one document gives every candidate 0, so that the order is that of
    the text: use `form: smooth`, or a table from a greater collection.

    As in the paper, tf.idf belongs to tokens and candidates take the maximum. `over: candidates`
    weighs whole candidates, as the program that succeeded it and pke do: tf is the number of a
    candidate's occurrences, df the number of documents that have it as a candidate (so that filters
    of the selection, as `min_frequency`, are filters of what is counted), and `combine` has no effect.
    """

    source: ClassVar[str] = "Salton & Buckley 1988; Zesch & Gurevych 2009, section 3"
    paths: ClassVar[tuple[str, ...]] = ("idf.path",)

    over: Literal["tokens", "candidates"] = Field(
        "tokens", description="What is counted: the tokens of the text, or whole candidates."
    )
    combine: Literal["max", "mean", "sum"] = Field(
        "max",
        description="With `over: tokens`: how the tf.idf values of a candidate's tokens become its score.",
    )
    tf: Literal["raw", "log", "binary"] = Field(
        "raw", description="raw: number of occurrences; log: 1 + ln of it; binary: 1."
    )
    idf: Idf = Field(Idf(), description="Where document frequencies come from and how they become an idf.")

    def fits_on(self) -> Literal["", "collection", "training"]:
        """The documents over which document frequencies are counted, if any are."""
        return self.idf.fits_on()

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """Frequencies of tokens depend on their level alone, so that many selections share a fit."""
        counted = {"kind": self.kind, "from": self.idf.from_}
        if self.over == "candidates":
            return {**counted, "candidates": selection.identity()}
        return {**counted, "level": selection.level()}

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A table that is missing or malformed."""
        yield from self.idf.problems()

    def observe(self, candidates: Candidates) -> list[str]:
        """The distinct tokens of a document, or its candidates; sorted."""
        return sorted(candidates.keys if self.over == "candidates" else set(candidates.tokens))

    def fit(self, observations: Iterable[list[str]]) -> dict[str, Any]:
        """{"documents": N, "df": {token or candidate: number of documents}}."""
        return DocumentFrequencies.counted(observations).to_state()

    def restore(self, state: Mapping[str, Any]) -> FittedTfIdf:
        """The ranker with the frequencies of `state`."""
        return FittedTfIdf(self, DocumentFrequencies.from_state(state))

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Rank with frequencies from a file, or none; StageError if they must be counted first."""
        return FittedTfIdf(self, self.idf.known(self.kind)).rank(candidates)


@dataclass(frozen=True)
class FittedTfIdf:
    """tf.idf with known document frequencies; without any, idf is 1."""

    settings: TfIdf
    frequencies: DocumentFrequencies | None

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by tf.idf, best first."""
        if self.settings.over == "candidates":
            weighed = zip(candidates.keys, candidates.places_of, strict=True)
            return Keyphrases.ranked(candidates, [self._weight(key, len(places)) for key, places in weighed])
        tokens = candidates.tokens
        weights = {token: self._weight(token, count) for token, count in Counter(tokens).items()}
        weight_of = [weights[token] for token in tokens]
        scores = [-1.0] * len(candidates)
        for owner, (begin, end) in zip(candidates.owners, candidates.places, strict=True):
            score = weight_of[begin] if end == begin + 1 else self._combined(weight_of[begin:end])
            if score > scores[owner]:
                scores[owner] = score
        return Keyphrases.ranked(candidates, scores)

    def _weight(self, token: str, count: int) -> float:
        idf = 1.0 if self.frequencies is None else self.frequencies.idf(token, self.settings.idf.form)
        match self.settings.tf:
            case "raw":
                return count * idf
            case "log":
                return (1.0 + math.log(count)) * idf
            case "binary":
                return idf

    def _combined(self, weights: Sequence[float]) -> float:
        match self.settings.combine:
            case "max":
                return max(weights)
            case "mean":
                return math.fsum(weights) / len(weights)
            case "sum":
                return math.fsum(weights)
