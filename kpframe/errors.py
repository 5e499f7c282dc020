"""What can go wrong, told so that a person can repair it: place, problem, remedy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["DataError", "KpframeError", "Problem", "ResourceError", "SpecError", "StageError"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    `place` says where (a file with its line, a document, a parameter), `problem` what is wrong
    there, and `remedy` what to do about it; `place` and `remedy` may be empty.
    """

    place: str
    problem: str
    remedy: str = ""

    def __str__(self) -> str:
        text = f"{self.place}: {self.problem}" if self.place else self.problem
        return f"{text}; {self.remedy}" if self.remedy else text


class KpframeError(Exception):
    """The base of every error that kpframe raises on purpose. `problems` has all that was found."""

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        found = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.problems: tuple[Problem, ...] = found
        super().__init__("\n".join(map(str, found)))

    def __reduce__(self) -> tuple[type[KpframeError], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)

    @classmethod
    def at(cls, place: str, problem: str, remedy: str = "") -> KpframeError:
        """An error with the one problem `problem` at `place`."""
        return cls(Problem(place, problem, remedy))


class SpecError(KpframeError):
    """A spec, a parameter or an option is wrong; found before any text is read."""


class DataError(KpframeError):
    """A corpus, a file of predictions or a document cannot be used as it is."""


class ResourceError(KpframeError):
    """A language model, stop list or other resource is missing or damaged."""


class StageError(KpframeError):
    """A stage broke its contract, for example by a score that is not a number."""
