"""Documents whose language must be one that a pipeline can work on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from kpframe.errors import Problem, SpecError

if TYPE_CHECKING:
    from kpframe.engine.pipeline import Pipeline
    from kpframe.engine.settling import Languages
    from kpframe.model import Document

__all__ = ["Hindered", "SpokenDocuments"]

_LOOKED_AT, _CHARACTERS = 100, 1_000_000
"""So many documents, of so many characters together, are read before the first is worked on."""


class Hindered(SpecError):
    """The pipeline can do nothing with texts in the language that most documents are in."""


class SpokenDocuments:
    """Documents that can be gone through again, to find out which language most of them are in.

    `read` makes them; it is told whether that is the first time. Raises Hindered if most documents (of the
    first hundred) are in a language that the pipeline lacks a model for: that is wrong input, not the failure
    of every document. Others fail by themselves.
    """

    def __init__(self, pipeline: Pipeline, read: Callable[[bool], Iterable[Document]]) -> None:
        self._pipeline = pipeline
        self._read = read
        self._begun = False

    def __iter__(self) -> Iterator[Document]:
        first, self._begun = not self._begun, True
        documents = iter(self._read(first))
        if first:
            begin = _beginning(documents)
            self._check(begin)
            documents = chain(begin, documents)
        yield from documents

    def _check(self, documents: Sequence[Document]) -> None:
        from kpframe.engine.following import problems_of_most
        from kpframe.engine.settling import Languages, most_spoken, settle

        languages = Languages()
        for _ in settle(documents, languages, lambda latin: most_spoken(documents, latin)):
            pass
        said = _is_said(languages)
        place = _place(languages, len(documents), said=said)
        problems = problems_of_most(self._pipeline.preprocessing.annotators, languages, place)
        if problems:
            remedies = "" if said else "; or --language, if that is not the language"
            raise Hindered([Problem(p.place, p.problem, f"{p.remedy}{remedies}") for p in problems])


def _beginning(documents: Iterator[Document]) -> list[Document]:
    found: list[Document] = []
    length = 0
    for document in documents:
        found.append(document)
        length += len(document.text)
        if len(found) >= _LOOKED_AT or length >= _CHARACTERS:
            break
    return found


def _is_said(languages: Languages) -> bool:
    """Whether each document in the language of most says so itself."""
    return all(set(languages.counts[code]) == {"said"} for code in languages.codes[:1])


def _place(languages: Languages, number: int, *, said: bool) -> str:
    named = ", ".join(map(repr, languages.of_most))
    if number == 1:
        return f"the text {'is' if said else 'seems to be'} in {named}"
    return f"most texts {'are' if said else 'seem to be'} in {named}"
