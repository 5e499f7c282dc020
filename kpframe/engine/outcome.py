"""What became of a document at a stage: a value, or the error and the stage where it failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar, cast

from kpframe.errors import KpframeError, ResourceError
from kpframe.runs.records import FailedDocument

__all__ = ["Outcome", "described"]

Value = TypeVar("Value")
Other = TypeVar("Other")


class Outcome(NamedTuple, Generic[Value]):
    """A value, or why there is none: `error`, and the `stage` that raised it.

    A chain is written as `annotated.then("candidates tokens", select).then("ranking tfidf", rank)`: what
    has failed passes through all later stages, and still names the first that failed.
    """

    made: Value | None = None
    error: Exception | None = None
    stage: str = ""

    @classmethod
    def attempt(cls, stage: str, work: Callable[..., Value], *given: Any) -> Outcome[Value]:
        """What `work` makes of what is given; an error is an outcome too: no document loses the others."""
        try:
            return cls(work(*given), None, "")
        except Exception as error:
            return cls(None, error, stage)

    @property
    def value(self) -> Value:
        """The value; raises the error where there is none."""
        if self.error is not None:
            raise self.error
        return cast(Value, self.made)

    @property
    def failed(self) -> bool:
        """Whether there is no value."""
        return self.error is not None

    @property
    def undecided(self) -> bool:
        """Whether it failed by no fault of the document or the stage: another time it may go well.

        So it is where memory, a file, a shipped resource or a language model was missing.
        """
        return isinstance(self.error, MemoryError | OSError | ResourceError)

    def then(self, stage: str, work: Callable[[Value], Other]) -> Outcome[Other]:
        """What the next stage makes of the value; of a failure, the failure."""
        if self.error is not None:
            return cast("Outcome[Other]", self)
        return Outcome.attempt(stage, work, self.made)

    def failure(self, id: str) -> FailedDocument:
        """The record of a failed document."""
        assert self.error is not None
        return FailedDocument(id, self.stage, described(self.error))


def described(error: BaseException) -> str:
    """An error on one line."""
    return str(error) if isinstance(error, KpframeError) else f"{type(error).__name__}: {error}"
