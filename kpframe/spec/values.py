"""What a checked spec is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from pydantic import ConfigDict, Field, field_validator, model_validator

from kpframe.language.codes import DEFAULT, EACH
from kpframe.spec.measures import Measure, distinct_matchings
from kpframe.spec.strict_yaml import as_yaml
from kpframe.stages import (
    Annotator,
    Cleaner,
    Matching,
    Postprocessor,
    Predictions,
    Ranking,
    Reader,
    Report,
    Selection,
    Stage,
)
from kpframe.stages.checked import Checked

__all__ = ["CHAIN", "Configuration", "Reference", "Spec", "Split"]

CHAIN = ("preprocessing", "candidates", "ranking", "postprocessing")
"""The boxes that a sweep may vary."""


class Split(Checked):
    """How documents are parted for training and evaluation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    train: str | list[str] = Field(
        description="by hash: the share for training, as 2/3; by metadata: the names of the training parts."
    )
    by: Literal["hash", "metadata"] = Field(
        "hash", description="hash: by a seeded hash of the document id; metadata: by the corpus's own split."
    )
    seed: int = Field(2009, description="Seed of the hash.")
    test: str | list[str] | None = Field(
        None,
        description="by metadata: the names of the evaluated parts; null: all that are not for training.",
    )

    development: bool = Field(
        False,
        description="true: leave the test part untouched and split the training part again in the same "
        "shares (by metadata: 2/3); for choosing parameters.",
    )

    @field_validator("train", mode="before")
    @classmethod
    def _number_as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int | float) else value

    @model_validator(mode="after")
    def _proper_share(self) -> Split:
        if self.by == "hash" and not 0 < self.share < 1:
            raise ValueError("train must lie between 0 and 1; write it as 2/3 or 0.5")
        return self

    @property
    def share(self) -> Fraction:
        """The share of documents for training."""
        try:
            return Fraction(str(self.train))
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"train must be a share, not {self.train!r}; write it as 2/3 or 0.5") from None


class Reference(Checked):
    """Published values that a run is put beside."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    resource: str | None = Field(None, description="Name of a shipped CSV file, its first column `cell`.")
    path: str | None = Field(None, description="A CSV file of your own, its first column `cell`.")
    columns: dict[str, str] = Field(description="Our column (`r_precision/exact`) → column of the file.")
    source: str = Field(description="Where the values were published; printed with them.")


class PrintedRows(Checked):
    """Systems of a publication with the values that are printed there, to stand below those of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    resource: str | None = Field(None, description="Name of a shipped CSV file, as reference/yuan2020.")
    path: str | None = Field(None, description="A CSV file of your own, with a column `system`.")
    where: dict[str, str | int] = Field(
        {}, description="Which rows: column of the file → what stands in it, as {table: 2, dataset: Inspec}."
    )
    columns: dict[str, str] = Field(description="Our column (`f1@5/exact`) → column of the file.")
    source: str = Field(description="Where the values were published; printed with them.")


@dataclass(frozen=True)
class Configuration:
    """One cell of the grid: everything between documents and evaluation.

    Where `predictions` of another program are given, selection and ranking are placeholders.
    """

    name: str
    axes: Mapping[str, str]
    preprocessing: tuple[Cleaner | Annotator, ...]
    selection: Selection
    ranking: Ranking
    postprocessing: tuple[Postprocessor, ...]
    predictions: Predictions | None = None

    @property
    def chain(self) -> tuple[Stage, ...]:
        """All stages between preprocessing and evaluation, in their order."""
        ranked: tuple[Stage, ...] = (self.selection, self.ranking)
        if self.predictions is not None:
            ranked = (self.predictions,)
        return (*ranked, *self.postprocessing)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages, in the order of the chain."""
        return (*self.preprocessing, *self.chain)

    def required(self) -> frozenset[str]:
        """The layers that selection, ranking and postprocessing read."""
        return frozenset().union({"tokens"}, *(stage.requires() for stage in self.chain))

    def to_spec(self) -> dict[str, Any]:
        """All stages with all parameters, as plain values."""
        made = {"candidates": self.selection.to_spec(), "ranking": self.ranking.to_spec()}
        if self.predictions is not None:
            made = {"predictions": self.predictions.to_spec()}
        return {
            "preprocessing": [stage.to_spec() for stage in self.preprocessing],
            **made,
            "postprocessing": [stage.to_spec() for stage in self.postprocessing],
        }


@dataclass(frozen=True)
class Spec:
    """A checked spec.

    `measures` are the columns of its tables by their names; `matchings` are the distinct matchings of
    those with their labels. `model` is a fitted model's file.
    """

    name: str
    description: str
    reader: Reader | None
    split: Split | None
    configurations: tuple[Configuration, ...]
    measures: Mapping[str, Measure]
    reports: tuple[Report, ...]
    reference: Reference | None
    printed: tuple[PrintedRows, ...]
    model: str | None
    save: int
    languages: tuple[str, ...]
    resolved: dict[str, Any] = field(default_factory=dict)

    def in_languages(self, languages: tuple[str, ...]) -> Spec:
        """This spec for texts in some languages: matchings go by them, and say so unless all is English."""
        if set(languages) <= {DEFAULT}:
            return replace(self, languages=languages)
        by = languages[0] if len(languages) == 1 else EACH
        measures = {
            column: replace(measure, matching=measure.matching.in_language(by))
            for column, measure in self.measures.items()
        }
        found = replace(self, languages=languages, measures=measures, resolved=dict(self.resolved))
        if "measures" in found.resolved:
            found.resolved["measures"] = [measure.to_spec() for measure in measures.values()]
        else:
            found.resolved["matching"] = [matching.to_spec() for matching in found.matchings.values()]
        return found

    @property
    def computing(self) -> tuple[Stage, ...]:
        """The stages of all cells and what evaluates them, each once; predictions are read, not computed."""
        cells = [stage for one in self.configurations for stage in one.stages]
        measuring = [stage for one in self.measures.values() for stage in (one.metric, one.matching)]
        found = dict.fromkeys([*cells, *measuring])
        return tuple(stage for stage in found if not isinstance(stage, Predictions))

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all scores, as `r_precision/exact`."""
        return tuple(self.measures)

    @cached_property
    def matchings(self) -> dict[str, Matching]:
        """Label → matching, each once."""
        return {label: matching for matching, label in distinct_matchings(self.measures.values()).items()}

    @cached_property
    def labels(self) -> dict[str, str]:
        """Column → label of its matching."""
        labels = distinct_matchings(self.measures.values())
        return {column: labels[measure.matching] for column, measure in self.measures.items()}

    def to_yaml(self) -> str:
        """The resolved spec: all defaults filled in; running it gives the same results."""
        return as_yaml(self.resolved)
