"""Parts of a spec that are no stages, as `split` and `reference`: made, or all that is wrong told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from kpframe.stages.wrong_parameters import wrong_parameters

__all__ = ["checked_value"]

Model = TypeVar("Model", bound=BaseModel)
Key = tuple[str | int, ...]


def checked_value(
    cls: type[Model], value: Any, key: Key, complain: Callable[[Key, str, str], None]
) -> Model | None:
    """The value at `key` as a model; None if it is none, after a complaint for each thing that is wrong."""
    try:
        return cls.model_validate(value)
    except ValidationError as error:
        for wrong in wrong_parameters(cls, error, value):
            complain((*key, *wrong.at), wrong.problem, wrong.remedy)
        return None
