"""All annotators that use spaCy, run together in one pass over each text.

Only the components that the wanted layers need are run, directly and in batches: a pass without
entities never runs the named entity recogniser, one without noun phrases never the parser. No layer
depends on which others are made with it, nor on the other texts of its batch.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

from pydantic import Field

from kpframe.errors import DataError, ResourceError, SpecError
from kpframe.language import models as language_model
from kpframe.language.codes import settled
from kpframe.language.scripts import (
    UNSPACED_LANGUAGES,
    is_unspaced,
    unspaced_error,
    unspaced_model,
    unspaced_problem,
)
from kpframe.model import Annotations, Document
from kpframe.preprocessing._spacy_jobs import GivenJob, Job, Piece, TextJob
from kpframe.preprocessing._spacy_plan import ComponentPlan, bounded, plan, process
from kpframe.preprocessing._words_alone import words_alone
from kpframe.stages import Annotator

__all__ = ["EntityLabels", "Request", "SpacyAnnotator"]

_BATCH_CHARACTERS = 50_000
"""How much text goes through a component at a time: enough for speed, and memory stays bounded."""


@dataclass(frozen=True, slots=True)
class EntityLabels:
    """A test for entity labels: those in `only`, or if that is None, those not in `without`."""

    only: frozenset[str] | None = None
    without: frozenset[str] = frozenset()

    def __call__(self, label: str) -> bool:
        return label in self.only if self.only is not None else label not in self.without


@dataclass(frozen=True, slots=True)
class Request:
    """What the annotators of one pass want together."""

    layers: frozenset[str] = frozenset()
    model: str | None = None
    piece_characters: int = 20_000
    labels: EntityLabels = EntityLabels()


class SpacyAnnotator(Annotator):
    """An annotator that spaCy runs in one pass with the others of its kind."""

    model: str | None = Field(
        None,
        description="The spaCy model: a language code or the name of an installed module; null: the one "
        "that another annotator of the pass names (as tokenize), else the default of the language.",
    )

    def stands_alone(self) -> bool:
        """True but where it names a model, which others of the pass would take too.

        The parser runs last (see `_spacy_plan`), and each layer is made of tokens and earlier layers alone.
        """
        return self.model is None

    def engine(self, language: str) -> str:
        """Always `spacy`."""
        return "spacy"

    def identity(self, languages: Sequence[str] = ()) -> dict[str, Any]:
        """Parameters, and the models with their versions."""
        return {**self.to_spec(), "models": {name: _fingerprint(name) for name in self._models(languages)}}

    def problems(self, languages: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """Models that are not installed; none is loaded."""
        for name in self._models(languages):
            try:
                language_model.module_name(name)
            except ResourceError as error:
                if name in UNSPACED_LANGUAGES:
                    remedy = f"name a spaCy model of that language in tokenize, {unspaced_model(name)}"
                    yield "model", unspaced_problem(name), remedy
                    continue
                found = error.problems[0]
                yield "model", f"{found.place} {found.problem}", found.remedy

    def _models(self, languages: Sequence[str]) -> list[str]:
        return [self.model] if self.model else sorted(set(languages))

    def ask(self, request: Request) -> Request:
        """`request` with what this annotator wants added; SpecError if two name different models."""
        if request.model and self.model and request.model != self.model:
            raise SpecError.at(
                f"preprocessing: {self.kind}",
                f"the model {self.model!r} in one pass with {request.model!r}",
                "name the same model in all annotators, or in tokenize alone",
            )
        layers = request.layers | self.provides()
        return replace(request, layers=layers, model=request.model or self.model)

    def annotate(self, document: Document, annotations: Annotations | None) -> Annotations:
        """`annotations` with the layers of this annotator; a text without tokens is tokenised first."""
        made = next(type(self).run([self], [document], [annotations]))
        if isinstance(made, Exception):
            raise made
        return made

    @classmethod
    def run(
        cls,
        together: Sequence[Annotator],
        documents: Sequence[Document],
        annotations: Sequence[Annotations | None],
    ) -> Iterator[Annotations | Exception]:
        """Annotate `documents` in one pass, in order; one that fails yields its exception."""
        request = Request()
        for annotator in together:
            assert isinstance(annotator, SpacyAnnotator)
            request = annotator.ask(request)
        tasks = (_Task(request, *pair) for pair in zip(documents, annotations, strict=True))
        for batch in _batches(tasks, lambda task: len(task.document.text)):
            yield from _outcomes(batch, request.piece_characters)


def _fingerprint(model: str) -> str:
    try:
        return language_model.identity(model)
    except ResourceError:
        return "not installed"


class _Task:
    """A document of a pass: the job that it becomes, if layers are missing, or the error that it met."""

    def __init__(self, request: Request, document: Document, given: Annotations | None) -> None:
        self.document = document
        self.given = given
        self.job: Job | None = None
        self.error: Exception | None = None
        try:
            if _wants_words_alone(request, document, given):
                language = language_model.language_of(_model(request, document))
                self.given = words_alone(document.text, language, request.piece_characters)
            else:
                self.job = _job(request, document, given)
        except Exception as error:  # one bad document never loses the others
            self.error = error

    def pieces(self, limit: int) -> list[Piece]:
        """The parts of the job; none after an error."""
        try:
            return self.job.pieces(limit) if self.job else []
        except Exception as error:
            self.error = error
            return []

    def outcome(self) -> Annotations | Exception:
        """The annotations, or what went wrong."""
        if self.error is not None:
            return self.error
        try:
            done = self.job.annotations() if self.job else self.given
        except Exception as error:
            return error
        assert done is not None
        return done


def _model(request: Request, document: Document) -> str:
    return request.model or settled(document.language)


def _has_tokens(document: Document, given: Annotations | None) -> bool:
    """Whether a document came with its tokens, which stay as they are; a blank text has none."""
    return given is not None and (len(given) > 0 or not document.text.strip())


def _wants_words_alone(request: Request, document: Document, given: Annotations | None) -> bool:
    """Whether no model is needed for a document: tokens and sentences of spaced scripts are kpframe's own."""
    if request.layers - {"tokens", "sentences"} or _has_tokens(document, given):
        return False
    _refuse_surrogates(document)
    if is_unspaced(document.text):
        return False
    return language_model.language_of(_model(request, document)) not in UNSPACED_LANGUAGES


def _job(request: Request, document: Document, given: Annotations | None) -> Job | None:
    """What is to be done for a document; None if no layer is missing."""
    model = _model(request, document)
    if given is not None and _has_tokens(document, given):
        missing = request.layers - given.layers
        known = given.layers & {"tags", "pos"}
        if not missing:
            return None
        return GivenJob(document, plan(model, missing, known, request.labels), given=given)
    _refuse_surrogates(document)
    if is_unspaced(document.text) and not _segments(model):
        named = unspaced_model(document.language, document.text)
        raise unspaced_error(document, f"name a spaCy model of its language in tokenize, {named}")
    layers = request.layers - {"tokens", "sentences"}
    return TextJob(document, plan(model, layers, frozenset(), request.labels))


def _refuse_surrogates(document: Document) -> None:
    """DataError for half a surrogate pair, which spaCy cannot encode."""
    try:
        document.text.encode("utf-8")
    except UnicodeEncodeError as error:
        problem = f"has half of a surrogate pair at character {error.start}"
        remedy = "decode the text with errors='replace'"
        raise DataError.at(f"document {document.id!r}", problem, remedy) from None


def _segments(model: str) -> bool:
    """Whether a model finds the words of a language that does not part them by spaces."""
    try:
        return language_model.load(model).lang in UNSPACED_LANGUAGES
    except ResourceError:
        return False


_Item = TypeVar("_Item")


def _batches(items: Iterable[_Item], size: Callable[[_Item], int]) -> Iterator[list[_Item]]:
    """Runs of items with a total size of about a batch, at least one item each."""
    batch: list[_Item] = []
    total = 0
    for item in items:
        if batch and total + size(item) > _BATCH_CHARACTERS:
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += size(item)
    if batch:
        yield batch


_one_at_a_time = threading.Lock()


def _outcomes(tasks: Sequence[_Task], limit: int) -> list[Annotations | Exception]:
    """Annotate some tasks. Nothing of spaCy's own leaves, so that the words it saw may be forgotten."""
    models = sorted({task.job.plan.model for task in tasks if task.job is not None})
    with _one_at_a_time, ExitStack() as stack:
        for model in models:
            stack.enter_context(bounded(language_model.load(model)))
        _work(tasks, limit)
        return [task.outcome() for task in tasks]


def _work(tasks: Sequence[_Task], limit: int) -> None:
    """Take all pieces of some tasks through their components, those of one plan in one batch."""
    units = [(task, piece) for task in tasks for piece in task.pieces(limit)]
    for how, alike in groupby(units, key=lambda unit: unit[1].job.plan):
        for batch in _batches(alike, lambda unit: unit[1].characters):
            todo = [(task, piece) for task, piece in batch if task.error is None]
            try:
                _process(how, [piece for _, piece in todo])
            except Exception:  # find out which piece fails, and let the others go on
                for task, piece in todo:
                    _process_alone(how, task, piece)


def _process(how: ComponentPlan, pieces: Sequence[Piece]) -> None:
    docs = process(how, [piece.job.doc(piece) for piece in pieces])
    made = [piece.job.columns(doc, piece) for piece, doc in zip(pieces, docs, strict=True)]
    for piece, columns in zip(pieces, made, strict=True):
        piece.job.made.append(columns)


def _process_alone(how: ComponentPlan, task: _Task, piece: Piece) -> None:
    if task.error is None:
        try:
            _process(how, [piece])
        except Exception as error:
            task.error = error
