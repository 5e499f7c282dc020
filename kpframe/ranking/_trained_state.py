"""The state of a trained ranking, checked: a file that somebody changed is told, not stumbled over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from kpframe.errors import ResourceError
from kpframe.ranking._features import COHERENCE, NOMINAL
from kpframe.stages.wrong_parameters import wrong_parameters

__all__ = ["MOST", "Count", "TrainedState", "checked"]

MOST = 2**53
Count = Annotated[int, Field(strict=True, ge=0, le=MOST)]
"""A whole number that is exact as a float, too."""

Row = tuple[Count, ...]


def _ascending(cuts: tuple[float, ...]) -> tuple[float, ...]:
    if any(left >= right for left, right in pairwise(cuts)):
        raise ValueError("cut points must ascend")
    return cuts


Number = Annotated[FiniteFloat, Field(strict=True)]
Cuts = Annotated[tuple[Number, ...], AfterValidator(_ascending)]
Scale = tuple[Number, Annotated[Number, Field(gt=0.0)]]


class BayesCounts(BaseModel):
    """The counts of Naive Bayes: see `NaiveBayes`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    classes: tuple[Count, Count]
    bins: tuple[tuple[Row, Row], ...]


class FirstPassState(BaseModel):
    """Naive Bayes over the features that are none of coherence: see `FirstPass`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cuts: dict[str, Cuts]
    naive_bayes: BayesCounts


class TrainedState(BaseModel):
    """What `train` returns; see there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    features: tuple[str, ...]
    documents: Count
    df: dict[str, Count]
    gold_forms: dict[str, Count]
    reach: dict[str, Count] = Field(default_factory=dict)
    cuts: dict[str, Cuts] | None
    scales: dict[str, Scale] = Field(default_factory=dict)
    naive_bayes: BayesCounts | None = None
    first_pass: FirstPassState | None = None
    documents_of: dict[str, tuple[Count, ...]] = Field(default_factory=dict)
    sklearn: str | None = None

    def problem(self, kind: str, features: Sequence[str], *, bayes: bool, discretise: bool) -> str | None:
        """What keeps this state from being that of a ranking of `kind` over `features`; None if nothing."""
        numbers = {name for name in features if name not in NOMINAL}
        if self.kind != kind:
            return f"is a model of {self.kind!r}, not of {kind!r}"
        if max(self.df.values(), default=0) > self.documents:
            return "counts more documents with a phrase than there are documents"
        known = numbers if self.cuts is None else set(self.cuts)
        if discretise != (self.cuts is not None) or known != numbers:
            return "lacks the cut points of a feature, or has those of another"
        if bayes != (self.naive_bayes is not None):
            return "holds another kind of classifier"
        second = self._problem_of_first_pass(features)
        if second is not None:
            return second
        return self._problem_of_bayes(features) if bayes else self._problem_of_scales(numbers)

    def _problem_of_first_pass(self, features: Sequence[str]) -> str | None:
        base = [name for name in features if name not in COHERENCE]
        if (len(base) < len(features)) != (self.first_pass is not None):
            return "lacks the first pass of its features of coherence, or has one without them"
        if self.first_pass is None:
            return "has documents of phrases that no feature reads" if self.documents_of else None
        times = {key: len(set(numbers)) for key, numbers in self.documents_of.items()}
        last = max((max(numbers, default=0) for numbers in self.documents_of.values()), default=0)
        if times != self.df or (times and last >= self.documents):
            return "has other documents of phrases than it counts"
        cuts = self.first_pass.cuts
        if set(cuts) != {name for name in base if name not in NOMINAL}:
            return "lacks the cut points of a feature of the first pass, or has those of another"
        return _bins_that_differ(self.first_pass.naive_bayes, base, cuts)

    def _problem_of_scales(self, numbers: set[str]) -> str | None:
        return None if set(self.scales) == numbers else "lacks the scale of a feature, or has that of another"

    def _problem_of_bayes(self, features: Sequence[str]) -> str | None:
        assert self.naive_bayes is not None and self.cuts is not None
        return _bins_that_differ(self.naive_bayes, features, self.cuts)


def _bins_that_differ(
    counts: BayesCounts, features: Sequence[str], cuts: Mapping[str, Sequence[float]]
) -> str | None:
    sizes = [NOMINAL[name] if name in NOMINAL else len(cuts[name]) + 1 for name in features]
    shape = [(len(negative), len(positive)) for negative, positive in counts.bins]
    return None if shape == [(size, size) for size in sizes] else "counts other bins than its cuts make"


M = TypeVar("M", bound=BaseModel)


def checked(cls: type[M], state: Mapping[str, Any], place: str) -> M:
    """The state as `cls` declares it; ResourceError, naming the first wrong value, if it is not."""
    try:
        return cls.model_validate(state)
    except ValidationError as error:
        first = wrong_parameters(cls, error, state)[0]
        where = ".".join(map(str, first.at)) or "state"
        raise ResourceError.at(
            place,
            f"the model is damaged: {where}: {first.problem}",
            "train it anew with `kpframe train`",
        ) from None
