"""GenEx: an extractor with a few parameters, which evolution fits to documents with gold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from kpframe.errors import StageError
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._extractor import Parameters, Phrases, extract, phrases_of
from kpframe.ranking._genitor import Genes, evolve
from kpframe.ranking._labels import label, reach, stemmed
from kpframe.ranking._rounding import significant
from kpframe.ranking._trained_state import Count, checked
from kpframe.stages import Ranking, Selection

__all__ = ["GenEx"]


@dataclass(frozen=True, slots=True)
class _Observation:
    """What the search needs of one document."""

    id: str
    phrases: Phrases
    positive: tuple[bool, ...]
    gold: int


class _State(BaseModel):
    """What `fit` gives."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parameters: Parameters = Field(description="Those that were found.")
    precision: FiniteFloat = Field(ge=0.0, le=1.0, description="Their precision on what was learned from.")
    documents: Count = Field(description="How many documents were learned from.")
    trials: Count = Field(description="How many settings were tried.")
    reach: dict[str, Count] = Field(description="How many gold keyphrases are candidates.")


class GenEx(Ranking):
    """Extractor's list, under the parameters with which it finds most keyphrases of the training documents.

    Extractor cuts words to stems of a few characters and scores each by its occurrences, with a factor for
    what is early or late in the text. The best stems are taken on; each stands for the best phrase of up to
    three words with that stem, where phrases are scored as stems are, times a factor for two or three words.
    A phrase keeps the score of its best stem; short phrases stay only in the first ranks. Other candidates
    get no rank.

    The eleven parameters are learned by Genitor: a population, in which children of good parents take the
    place of the worst; what counts is the mean share of the first `phrases` that are gold, by equal stems.
    The search is seeded, so that the same documents give the same parameters. More documents than
    `learn_from` only cost time; a seeded choice of them is taken.

    Made for candidates without stop words: `{kind: ngrams, max: 3, stopwords: [en], stopwords_barred:
    everywhere}`. The program is not public. What is here follows its published description, but not these:
    the number of phrases put out, its twelfth parameter, is no part of the search, since lists are cut by
    those who read them; verbs and adjectives are not told by their endings, which is the matter of the
    candidates; genes are numbers, not bits. Ranges and defaults are of the size that the paper gives, and
    were not compared.
    """

    source: ClassVar[str] = "Turney 2000, sections 5 and 6 (Extractor, GenEx); Whitley 1989 (Genitor)"
    leaves_out: ClassVar[bool] = True

    parameters: Parameters | None = Field(
        None, description="Extractor with these parameters, without learning; null: learn them."
    )
    phrases: int = Field(10, ge=1, le=1000, description="How many of the first phrases count when learning.")
    trials: int = Field(600, ge=1, le=100_000, description="How many settings are tried.")
    population: int = Field(50, ge=2, le=10_000, description="How many settings are kept, to make others of.")
    learn_from: int = Field(100, ge=1, description="Most documents to learn from.")
    seed: int = Field(1, ge=0, le=2**32 - 1, description="Of the search, and of the choice of documents.")
    stem: Literal["porter", "snowball", "lancaster", "casefold"] = Field(
        "porter", description="Stemming by which learning compares candidates to gold; casefold: none."
    )

    def fits_on(self) -> Literal["", "training"]:
        """The training documents, unless parameters are given."""
        return "" if self.parameters else "training"

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """What the search depends on."""
        return {"ranking": self.to_spec(), "candidates": selection.identity()}

    def observe(self, candidates: Candidates) -> _Observation | None:
        """The phrases of a document, and which are keyphrases; None without gold."""
        gold, language = candidates.document.gold, candidates.document.language
        if not gold:
            return None
        forms = (stemmed(surface, self.stem, language) for surface in candidates.surfaces)
        labels = label(forms, gold, self.stem, language)
        return _Observation(candidates.document.id, phrases_of(candidates), labels.positive, labels.gold)

    def fit(self, observations: Iterable[_Observation | None]) -> dict[str, Any]:
        """The parameters found, their precision on the documents learned from, and what candidates reach.

        Raises StageError if there is nothing to learn from.
        """
        seen = list(observations)
        kept = [observation for observation in seen if observation is not None]
        reached = reach(kept, len(seen))
        learned = sorted(kept, key=self._draw)[: self.learn_from]
        hits = [(one.phrases, np.array(one.positive, dtype=np.float64)) for one in learned]

        def precision(genes: Genes) -> float:
            chosen = Parameters.of_genes(genes)
            found = (positive[extract(own, chosen)[0][: self.phrases]].sum() for own, positive in hits)
            return float(sum(found)) / (self.phrases * len(hits))

        genes, best = evolve(
            precision,
            len(Parameters.model_fields),
            trials=self.trials,
            population=self.population,
            seed=self.seed,
        )
        return {
            "parameters": Parameters.of_genes(genes).model_dump(mode="json"),
            "precision": best,
            "documents": len(learned),
            "trials": self.trials,
            "reach": reached,
        }

    def restore(self, state: Mapping[str, Any]) -> FittedGenEx:
        """The ranker with the parameters of `state`."""
        return FittedGenEx(checked(_State, state, "ranking: genex").parameters)

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Rank with the parameters that are given; StageError if they must be learned first."""
        if self.parameters is None:
            raise StageError.at(
                "ranking: genex",
                "has learned no parameters",
                "train it on documents with gold, or give ranking.parameters ({} for the defaults)",
            )
        return FittedGenEx(self.parameters).rank(candidates)

    def _draw(self, one: _Observation) -> bytes:
        """By what documents are chosen: their ids, shuffled by the seed, in whatever order they come."""
        return hashlib.sha256(f"{self.seed}/{one.id}".encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True)
class FittedGenEx:
    """Extractor with parameters."""

    parameters: Parameters

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The phrases put out, best first."""
        found, scores = extract(phrases_of(candidates), self.parameters)
        score_of = dict(zip((candidates.keys[i] for i in found.tolist()), significant(scores), strict=True))
        kept = candidates.keep(lambda key, places: key in score_of)
        return Keyphrases.ranked(kept, [score_of[key] for key in kept.keys])
