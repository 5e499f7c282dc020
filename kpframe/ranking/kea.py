"""Kea: Naive Bayes over tf.idf and first position."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from kpframe.errors import KpframeError, ResourceError, StageError
from kpframe.files.changes import while_unchanged
from kpframe.files.resources import resource_path
from kpframe.files.sealing import is_whole
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._prediction import TrainedRanker, restore
from kpframe.ranking._training import Observation, Recipe, observe, train
from kpframe.stages import Ranking, Selection

__all__ = ["Kea"]


class Kea(Ranking):
    """The probability of being a keyphrase, learned from documents with gold, as in KEA 3.0.

    Features are tf.idf = (occurrences / tokens) · -log2((df + 1) / (N + 1)), over the candidates of
    the training documents, each document left out of its own counts while training, and the
    relative position of the first occurrence. Both are discretised by minimum description length
    (Fayyad & Irani 1993) and combined by Naive Bayes with Laplace's correction. In training a
    candidate is a keyphrase if its stemmed surface form equals a stemmed gold keyphrase, each gold
    counting once; all others are negative; documents without gold are left out.

    The order is by probability, then tf.idf, then first place. The score is the probability; among
    equals it is lifted by the least differences that keep the order (together below 1e-9).

    KEA's candidates are n-grams of 1 to 3 tokens without a stopword at the ends, told apart by their
    stems: `candidates: {kind: ngrams, …}` gives them, and its `min_frequency` says how often one must
    occur: 2 as in KEA loses most keyphrases of abstracts; 1 suits them. Differs from KEA 3.0: Porter's
    stemmer for the labels, position counted from 0, N also without the document itself in
    training, document frequencies count what is a candidate (not where it is too rare to be one).
    """

    source: ClassVar[str] = (
        "Frank, Paynter, Witten, Gutwin & Nevill-Manning 1999; Witten et al. 1999; KEA 3.0"
    )
    paths: ClassVar[tuple[str, ...]] = ("model",)
    probability: ClassVar[bool] = True

    stem: Literal["porter", "snowball", "lancaster", "casefold"] = Field(
        "porter", description="Stemming by which training compares candidates to gold; casefold: none."
    )
    subphrases: Literal["drop", "keep"] = Field(
        "drop", description="Whether to drop a phrase that is part of one ranked above it, as KEA 3.0 does."
    )
    model: str | None = Field(
        None,
        description="A file written by `kpframe train`; null: train on the training documents.",
    )
    resource: str | None = Field(None, description="The name of a shipped trained model, instead of `model`.")

    @model_validator(mode="after")
    def _one_model(self) -> Kea:
        if self.model and self.resource:
            raise ValueError("give either model or resource")
        return self

    def fits_on(self) -> Literal["", "training"]:
        """The training documents, unless a trained model is given."""
        return "" if self.model or self.resource else "training"

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """What training depends on; how to rank is no part of it."""
        learned = {"kind": self.kind, "stem": self.stem}
        return {"ranking": learned, "candidates": selection.identity()}

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A model that is missing or no trained Kea."""
        if self.fits_on():
            return
        try:
            _ranker(self._path(), self._recipe(), self.subphrases == "drop")
        except KpframeError as error:
            yield from error.about("model")

    def observe(self, candidates: Candidates) -> Observation | None:
        """Features and labels of a document's candidates; None without gold."""
        return observe(candidates, self._recipe())

    def fit(self, observations: Iterable[Observation | None]) -> dict[str, Any]:
        """The trained model: counts, cuts and how many gold keyphrases the candidates reach."""
        return train(observations, self._recipe())

    def restore(self, state: Mapping[str, Any]) -> TrainedRanker:
        """The ranker for a trained model, with the present `subphrases`."""
        return restore(state, self._recipe(), drop_subphrases=self.subphrases == "drop")

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Rank with the model that is given; StageError if there is none."""
        if self.fits_on():
            raise StageError.at(
                "ranking: kea", "has not been trained", "train it on documents with gold, or give a model"
            )
        return _ranker(self._path(), self._recipe(), self.subphrases == "drop").rank(candidates)

    def _recipe(self) -> Recipe:
        return Recipe(self.kind, ("tfidf", "first_position"), self.stem)

    def _path(self) -> Path:
        """The resource or file of the model."""
        return resource_path(self.resource) if self.resource else Path(str(self.model))


@while_unchanged(4)
def _ranker(path: Path, recipe: Recipe, drop_subphrases: bool) -> TrainedRanker:
    """The ranker in a file, read and checked once; ResourceError that names the file."""
    try:
        return restore(_state(path), recipe, drop_subphrases=drop_subphrases)
    except KpframeError as error:
        own = [p.but(place=p.place if p.place == str(path) else f"{path}: {p.place}") for p in error.problems]
        raise ResourceError(own) from None


def _state(path: Path) -> Mapping[str, Any]:
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _unreadable(path, error) from None
    except (ValueError, RecursionError):
        loaded = None
    state = loaded.get("state", loaded) if isinstance(loaded, dict) else None
    if not isinstance(state, dict) or state.get("kind") != "kea":
        raise ResourceError.at(str(path), "is no trained Kea model", "give a file that `kpframe train` wrote")
    if "checksum" in loaded and not is_whole(loaded):
        problem = "was changed after it was written"
        raise ResourceError.at(str(path), problem, "train it anew with `kpframe train`")
    return state


def _unreadable(path: Path, error: OSError) -> KpframeError:
    return ResourceError.at(str(path), f"cannot be read ({error})", "give a trained model")
