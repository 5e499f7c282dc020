"""Parts of a spec that are no stages, as `split` and `reference`: made, or all that is wrong told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from kpframe.errors import suggestion
from kpframe.stages.parameter_hints import choice_hint

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
        for details in error.errors(include_url=False):
            where = (*key, *details["loc"])
            if details["type"] == "extra_forbidden":
                complain(where, "unknown parameter", suggestion(str(where[-1]), cls.model_fields))
            elif details["type"] == "missing":
                field = cls.model_fields[str(details["loc"][0])]
                complain(where, "is missing", str(field.description))
            elif details["type"] == "model_type":
                complain(key, "must be a mapping", f"of {', '.join(cls.model_fields)}")
            else:
                complain(where, details["msg"].removeprefix("Value error, "), choice_hint(details))
        return None
