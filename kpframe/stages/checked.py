"""Models of parameters: what is wrong with those that a Python caller gives is told as it is in specs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ValidationError

from kpframe.errors import ParameterError

__all__ = ["Checked"]


class Checked(BaseModel):
    """A model whose constructor raises ParameterError: class and parameter, the problem, the remedy.

    `model_validate` raises pydantic's ValidationError, of which whoever reads a spec makes errors of its own.
    """

    explain: ClassVar[Callable[[type[BaseModel], ValidationError, Mapping[str, Any]], ParameterError]]
    """Who knows the words. It stands above, since it looks for what was meant in all kinds of stages."""

    def __init__(self, /, *unnamed: Any, **parameters: Any) -> None:
        if unnamed:
            own, names = type(self).__name__, (getattr(type(self), "short", ""), *type(self).model_fields)
            named = next(filter(None, names), "")
            remedy = f"as {own}({named}=…)" if named else "it has none"
            raise ParameterError.at(own, "takes parameters by their names", remedy)
        try:
            super().__init__(**parameters)
        except ValidationError as error:
            raise Checked.explain(type(self), error, parameters) from None

    # Pydantic's own mark of a constructor that adds nothing: `model_validate` does not go through it.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]
