"""What can go wrong, told so that a person can repair it: place, problem, remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self

__all__ = [
    "DataError",
    "KpframeError",
    "ParameterError",
    "Problem",
    "ResourceError",
    "SpecError",
    "StageError",
    "counted",
    "nearest",
    "suggestion",
    "without_secrets",
]

_PASSWORD = re.compile(r"(?<=://)[^\s/@'\"]*:[^\s/@'\"]*(?=@)")
_QUERY = re.compile(r"(\w://[^\s?'\"]*)\?[^\s'\",;)]*")


class _Told(NamedTuple):
    # No dataclass: what those import would be a quarter of the time that `kpframe --help` takes.
    place: str
    problem: str
    remedy: str


class Problem(_Told):
    """One thing that is wrong.

    `place` says where (a file with its line, a document, a parameter), `problem` what is wrong
    there, and `remedy` what to do about it; `place` and `remedy` may be empty.
    """

    __slots__ = ()

    def __new__(cls, place: str, problem: str, remedy: str = "") -> Self:
        """Without what nobody else may know, as passwords in URLs."""
        return super().__new__(cls, *map(without_secrets, (place, problem, remedy)))

    def but(self, **other: str) -> Problem:
        """The same with another place, problem or remedy."""
        return Problem(**{**self._asdict(), **other})

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

    def under(self, place: str) -> Self:
        """The same error told from outside: every place below `place`."""
        return type(self)([p.but(place=f"{place}: {p.place}" if p.place else place) for p in self.problems])

    def moved(self, place: str) -> Self:
        """The same error with `place` instead of its own places, which mean nothing to the reader."""
        return type(self)([p.but(place=place) for p in self.problems])

    def about(self, parameter: str) -> Iterator[tuple[str, str, str]]:
        """What a stage's `problems` says of one of its parameters: (parameter, problem, remedy)."""
        for found in self.problems:
            told = f"{found.place}: {found.problem}" if found.place else found.problem
            yield parameter, told, found.remedy


def without_secrets(text: str) -> str:
    """A text whose URLs have neither users with passwords nor queries, which may be signatures."""
    if "://" not in text:
        return text
    return _QUERY.sub(r"\1?…", _PASSWORD.sub("…", text))


def nearest(word: str, known: Iterable[str], *, alike: float = 0.65) -> str:
    """The known word that `word` is most like whatever its case, if it is like any; else the empty word.

    `alike`: from this share of common letters on a word is taken for a slip of the pen. The beginning of a
    single known word is that word, however much is missing.
    """
    import difflib  # only where somebody has mistyped: it costs more than all of this module

    folded = {name.casefold(): name for name in reversed(list(known))}
    begun = [name for name in folded if len(word) > 2 and name.startswith(word.casefold())]
    if len(begun) == 1:
        return folded[begun[0]]
    near = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=alike)
    return folded[near[0]] if near else ""


def counted(number: int, noun: str) -> str:
    """As `1 document` or `2,000 documents`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def suggestion(
    word: str, known: Iterable[str], what: str = "there are", *, listed: Iterable[str] | None = None
) -> str:
    """A remedy for an unknown word: the nearest known one whatever its case, or else all.

    `listed` are those that are told then, if it is not all.
    """
    offered = list(dict.fromkeys(known))
    if near := nearest(word, offered):
        return f"did you mean {near!r}?"
    return f"{what}: {', '.join(offered if listed is None else listed) or 'none'}"


class SpecError(KpframeError):
    """A spec, a parameter or an option is wrong; found before any text is read."""


class ParameterError(SpecError, ValueError):
    """A stage was made in Python with parameters that it does not take; a ValueError, as Python's own are."""


class DataError(KpframeError):
    """A corpus, a file of predictions or a document cannot be used as it is."""


class ResourceError(KpframeError):
    """A language model, stop list or other resource is missing or damaged."""


class StageError(KpframeError):
    """A stage broke its contract, for example by a score that is not a number."""
