"""The state of a trained ranking, checked: a file that somebody changed is told, not stumbled over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from kpframe.errors import ResourceError
from kpframe.ranking._features import NOMINAL

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
        return self._problem_of_bayes(features) if bayes else self._problem_of_scales(numbers)

    def _problem_of_scales(self, numbers: set[str]) -> str | None:
        return None if set(self.scales) == numbers else "lacks the scale of a feature, or has that of another"

    def _problem_of_bayes(self, features: Sequence[str]) -> str | None:
        assert self.naive_bayes is not None and self.cuts is not None
        cuts = self.cuts
        sizes = [NOMINAL[name] if name in NOMINAL else len(cuts[name]) + 1 for name in features]
        shape = [(len(negative), len(positive)) for negative, positive in self.naive_bayes.bins]
        return None if shape == [(size, size) for size in sizes] else "counts other bins than its cuts make"


M = TypeVar("M", bound=BaseModel)


def checked(cls: type[M], state: Mapping[str, Any], place: str) -> M:
    """The state as `cls` declares it; ResourceError, naming the first wrong value, if it is not."""
    try:
        return cls.model_validate(state)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "state"
        raise ResourceError.at(
            place,
            f"the model is damaged: {where}: {first['msg'].removeprefix('Value error, ')}",
            "train it anew with `kpframe train`",
        ) from None
