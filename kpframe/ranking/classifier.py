"""Rank candidates by a classifier trained on gold keyphrases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, Field, field_validator, model_validator

from kpframe.errors import KpframeError, StageError
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking import _scikit_learn
from kpframe.ranking._features import COHERENCE, Feature
from kpframe.ranking._prediction import TrainedRanker, restore
from kpframe.ranking._training import Observation, Recipe, observe, train
from kpframe.stages import Ranking, Selection
from kpframe.stages.checked import Checked

__all__ = ["Classifier", "ScikitLearn"]


class ScikitLearn(Checked):
    """A classifier of scikit-learn."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sklearn: str = Field(description="The class, as LogisticRegression or RandomForestClassifier.")
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="Its parameters; random_state is 0 unless given."
    )

    def __hash__(self) -> int:
        return hash(json.dumps(self.model_dump(mode="json"), sort_keys=True))


class Classifier(Ranking):
    """The probability of being a keyphrase, by any features and any classifier.

    `kea` is this ranking with two features and Naive Bayes; see there for how training labels
    candidates. Features, all of one candidate in one document:

    - tfidf: (occurrences / tokens) · -log2((df + 1) / (N + 1)), over the candidates of the training
      documents; a training document is left out of its own counts
    - first_position, last_position: the token at which the first or last occurrence begins / tokens
    - spread: last_position - first_position
    - length, n_chars: tokens, and characters of the surface form
    - tf: number of occurrences
    - keyphraseness: number of other training documents in which it is gold
    - head_pos: part of speech of the last token of the first occurrence
    - pos_sequence: parts of speech of all tokens of the first occurrence, one name for each sequence of
      noun, adjective, verb, preposition and other up to three tokens
    - ending: the group of the English ending of the head (-tion, -ity, -ment, …)
    - acronym: 1 if a token of the surface form is an acronym (HTTP, SVMs), else 0
    - parts_tf: occurrences of other candidates that are a part of it
    - section: kind of the section in which it first occurs (abstract, introduction, …, references; needs
      the annotator `sections`)
    - in_heading: 1 if an occurrence begins in the title or a heading of a section, else 0
    - coherence_1 … coherence_4: a second pass. Naive Bayes over the other features tells the four best
      candidates of a text; each of these features is the rank of a candidate, 0 … 1, by its association with
      one of them (pointwise mutual information over the training documents that have both as candidates)
    - in_title: 1 if it first occurs in the title (the document's `title_length`), else 0

    Naive Bayes takes bins. A classifier of scikit-learn takes the numbers of bins with
    `discretisation: mdl`, standard scores with `none`; parts of speech become one column each. The
    score is the class probability, or for classifiers without one the logistic function of the
    decision function; equal probabilities are ordered by tf.idf, then first place, and told apart
    by less than 1e-9.
    """

    source: ClassVar[str] = (
        "Turney 2000; Frank et al. 1999 (keyphraseness); Hulth 2003 (parts of speech); Nguyen & Kan 2007 "
        "(acronym, suffix, section); Turney 2003 (coherence, there by hits of a search engine); Medelyan "
        "2009 (spread); Luong, Nguyen & Kan 2010 (WINGNUS: parts_tf)"
    )
    probability: ClassVar[bool] = True

    features: tuple[Feature, ...] = Field(
        ("tfidf", "first_position", "length"), min_length=1, description="What the classifier sees."
    )
    discretisation: Literal["mdl", "none"] = Field(
        "mdl", description="mdl: cut numbers into bins by Fayyad & Irani 1993; none: standard scores."
    )
    model: Literal["naive_bayes"] | ScikitLearn = Field(
        "naive_bayes", description="naive_bayes, or {sklearn: class name, parameters: {…}}."
    )
    stem: Literal["porter", "snowball", "lancaster", "casefold"] = Field(
        "porter", description="Stemming by which training compares candidates to gold; casefold: none."
    )
    drop_subphrases: bool = Field(
        False, description="Whether to drop a phrase that is part of one ranked above it."
    )

    @field_validator("model", mode="before")
    @classmethod
    def _one_of_two(cls, value: Any) -> Any:
        if isinstance(value, str) and value != "naive_bayes":
            raise ValueError("must be naive_bayes or {sklearn: class name, parameters: {…}}")
        return value

    @model_validator(mode="after")
    def _possible(self) -> Classifier:
        if len(set(self.features)) < len(self.features):
            raise ValueError("features must differ")
        if set(self.features) <= set(COHERENCE):
            raise ValueError("coherence needs other features beside it, for its first pass")
        if self.model == "naive_bayes" and self.discretisation == "none":
            raise ValueError("naive_bayes needs discretisation: mdl")
        return self

    def requires(self) -> frozenset[str]:
        """Parts of speech and sections, if a feature reads them."""
        layers = {"pos": {"head_pos", "pos_sequence"}, "sections": {"section", "in_heading"}}
        return frozenset(layer for layer, features in layers.items() if features & set(self.features))

    def fits_on(self) -> Literal["training"]:
        """The training documents."""
        return "training"

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """What training depends on; how to rank is no part of it."""
        learned = {name: value for name, value in self.to_spec().items() if name != "drop_subphrases"}
        return {"ranking": learned, "candidates": selection.identity()}

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A classifier that does not exist or cannot be saved."""
        if isinstance(self.model, str):
            return
        try:
            _scikit_learn.build(self.model.sklearn, self.model.parameters)
            _scikit_learn.require_skops()
        except KpframeError as error:
            for found in error.problems:
                yield "model", found.problem, found.remedy

    def observe(self, candidates: Candidates) -> Observation | None:
        """Features and labels of a document's candidates; None without gold."""
        return observe(candidates, self._recipe())

    def fit(self, observations: Iterable[Observation | None]) -> dict[str, Any]:
        """The trained model: counts, cuts and how many gold keyphrases the candidates reach."""
        return train(observations, self._recipe())

    def restore(self, state: Mapping[str, Any]) -> TrainedRanker:
        """The ranker for a trained model, with the present `drop_subphrases`."""
        return restore(state, self._recipe(), drop_subphrases=self.drop_subphrases)

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Not possible: a classifier must be trained first."""
        raise StageError.at(
            "ranking: classifier", "has not been trained", "train it on documents with gold keyphrases"
        )

    def _recipe(self) -> Recipe:
        sklearn = None if isinstance(self.model, str) else (self.model.sklearn, self.model.parameters)
        return Recipe(self.kind, self.features, self.stem, self.discretisation == "mdl", sklearn)
