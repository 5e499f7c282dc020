"""Rank candidates by the tf.idf of their tokens."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from kpframe.errors import KpframeError, StageError
from kpframe.files.resources import resource_path
from kpframe.model import Candidates, Keyphrases
from kpframe.ranking._document_frequencies import DocumentFrequencies, read_table
from kpframe.stages import Ranking, Selection

__all__ = ["Idf", "TfIdf"]


class Idf(BaseModel):
    """Where document frequencies come from and how they become an idf."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    from_: Literal["collection", "training", "file", "none"] = Field(
        default="collection",
        alias="from",
        description="Count over all documents or the training part, read a file, or take 1 for every token.",
    )
    path: Path | None = Field(
        default=None,
        description='With `from: file`: JSON {"documents": N, "df": {token: count}}, or rows token<TAB>df '
        "after a first row #documents<TAB>N; tokens case-folded.",
    )
    resource: str | None = Field(
        default=None, description="With `from: file`: the name of a shipped table, instead of a path."
    )
    form: Literal["log", "smooth", "ratio"] = Field(
        default="log",
        description="log: ln(N / df); smooth: ln((N + 1) / (df + 1)) + 1, never 0; ratio: N / df, which "
        "weighs rare tokens much more.",
    )

    @model_validator(mode="after")
    def _one_file(self) -> Idf:
        named = (self.path is not None) + (self.resource is not None)
        if self.from_ == "file" and named != 1:
            raise ValueError("from: file needs either path or resource")
        if self.from_ != "file" and named:
            raise ValueError(f"path and resource are for from: file, not for from: {self.from_}")
        return self

    @model_serializer(mode="wrap")
    def _as_written(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {"from" if name == "from_" else name: value for name, value in dump(self).items()}

    def file(self) -> Path:
        """The file of the table; ResourceError for an unknown resource."""
        return resource_path(self.resource) if self.resource else Path(str(self.path))


class TfIdf(Ranking):
    """tf.idf of tokens; a candidate takes the greatest of its tokens, or their mean or sum.

    tf counts a token (its folded word, or its folded lemma for lemma candidates) over the whole
    text, whether or not it is part of a candidate; idf is ln(N / df) unless `form` says otherwise.
    Where a key stands for several forms, its best place counts.

    A token in every document has idf 0, a token in none counts as standing in one; idf is never
    negative. A collection of one document gives every candidate 0, so that the order is that of
    the text: use `form: smooth`, or a table from a greater collection.

    As in the paper, tf.idf belongs to tokens and candidates take the maximum; the program that
    succeeded it weighs whole candidates.
    """

    source: ClassVar[str] = "Salton & Buckley 1988; Zesch & Gurevych 2009, section 3"
    paths: ClassVar[tuple[str, ...]] = ("idf.path",)

    combine: Literal["max", "mean", "sum"] = Field(
        "max", description="How the tf.idf values of a candidate's tokens become its score."
    )
    tf: Literal["raw", "log", "binary"] = Field(
        "raw", description="raw: number of occurrences; log: 1 + ln of it; binary: 1."
    )
    idf: Idf = Field(Idf(), description="Where document frequencies come from and how they become an idf.")

    def fits_on(self) -> Literal["", "collection", "training"]:
        """The documents over which document frequencies are counted, if any are."""
        source = self.idf.from_
        return source if source in ("collection", "training") else ""

    def fit_identity(self, selection: Selection) -> dict[str, Any]:
        """Frequencies depend on the level of tokens alone, so that many selections share a fit."""
        return {"kind": self.kind, "from": self.idf.from_, "level": selection.level()}

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """A table that is missing or malformed."""
        if self.idf.from_ != "file":
            return
        try:
            read_table(self.idf.file())
        except KpframeError as error:
            yield from error.about("idf")

    def observe(self, candidates: Candidates) -> list[str]:
        """The distinct tokens of a document, sorted."""
        return sorted(set(candidates.tokens))

    def fit(self, observations: Iterable[list[str]]) -> dict[str, Any]:
        """{"documents": N, "df": {token: number of documents}}."""
        documents = 0
        counts: Counter[str] = Counter()
        for tokens in observations:
            documents += 1
            counts.update(tokens)
        return DocumentFrequencies(documents, counts).to_state()

    def restore(self, state: Mapping[str, Any]) -> FittedTfIdf:
        """The ranker with the frequencies of `state`."""
        return FittedTfIdf(self, DocumentFrequencies.from_state(state))

    def rank(self, candidates: Candidates) -> Keyphrases:
        """Rank with frequencies from a file, or none; StageError if they must be counted first."""
        if self.fits_on():
            raise StageError.at(
                "ranking: tfidf",
                "has no document frequencies yet",
                f"fit it on the {self.fits_on()}, or set idf to {{from: file, …}} or {{from: none}}",
            )
        table = read_table(self.idf.file()) if self.idf.from_ == "file" else None
        return FittedTfIdf(self, table).rank(candidates)


@dataclass(frozen=True)
class FittedTfIdf:
    """tf.idf with known document frequencies; without any, idf is 1."""

    settings: TfIdf
    frequencies: DocumentFrequencies | None

    def rank(self, candidates: Candidates) -> Keyphrases:
        """The candidates by tf.idf, best first."""
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
