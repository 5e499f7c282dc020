"""Documents whose language must be one that a pipeline can work on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from kpframe.errors import Problem, SpecError

if TYPE_CHECKING:
    from kpframe.engine.pipeline import Pipeline
    from kpframe.model import Document

__all__ = ["SpokenDocuments"]


class SpokenDocuments:
    """Documents that can be gone through again, to find out which language most of them are in.

    `read` makes them; it is told whether that is the first time. Raises SpecError if the first document is in
    a language that the pipeline lacks a model for: that is wrong input, not the failure of every document.
    """

    def __init__(self, pipeline: Pipeline, read: Callable[[bool], Iterable[Document]]) -> None:
        self._pipeline = pipeline
        self._read = read
        self._begun = False

    def __iter__(self) -> Iterator[Document]:
        first, self._begun = not self._begun, True
        for number, document in enumerate(self._read(first)):
            if first and not number:
                self._check(document)
            yield document

    def _check(self, document: Document) -> None:
        from kpframe.engine.following import language_problems
        from kpframe.engine.settling import most_spoken
        from kpframe.model import AUTO

        language = most_spoken([document])
        how = "the text seems to be in" if document.language == AUTO else "the text is in"
        place = f"{how} {language!r}"
        problems = language_problems(self._pipeline.preprocessing.annotators, [language], place)
        if problems:
            remedies = "; or --language, if that is not the language" if document.language == AUTO else ""
            raise SpecError([Problem(p.place, p.problem, f"{p.remedy}{remedies}") for p in problems])
