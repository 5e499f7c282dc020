"""One document walked from text to keyphrases."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpframe import arguments
from kpframe.engine.annotating import Preprocessing
from kpframe.engine.batches import document_batches
from kpframe.engine.clock import StageClock, Timed
from kpframe.engine.dispatch import one_by_one
from kpframe.engine.executors import DEATH, Executor
from kpframe.engine.extraction import Extraction
from kpframe.engine.fitting import learned_from
from kpframe.engine.following import language_notices, language_problems
from kpframe.engine.given_texts import documents_of, given_documents, refuse_no_stream
from kpframe.engine.model_file import ModelFile, told_of
from kpframe.engine.named_files import NamedFiles
from kpframe.engine.operating import current
from kpframe.engine.outcome import Outcome, described
from kpframe.engine.settling import Languages, most_spoken, settle, spoken
from kpframe.engine.training import learned_state
from kpframe.engine.tree import CellPlan, Tree, grown
from kpframe.engine.walk import Trail, walk
from kpframe.engine.workforce import workforce
from kpframe.errors import DataError, KpframeError, ResourceError, SpecError
from kpframe.language.codes import DEFAULT, language_code
from kpframe.model import AUTO, Annotations, Document, Keyphrases, Skipped
from kpframe.model.collector import no_garbage_collection
from kpframe.spec import Configuration, Spec, build, load_spec
from kpframe.spec.settings import apply_settings
from kpframe.spec.strict_yaml import Positions
from kpframe.stages import Ranker, Ranking, Stage

if TYPE_CHECKING:
    pass

__all__ = ["Extraction", "Pipeline"]

log = logging.getLogger("kpframe")


@dataclass(frozen=True, repr=False)
class Pipeline:
    """A chain from text to keyphrases, ready to use.

    Make one with `Pipeline.load`. It can be pickled and used by several processes.
    """

    configuration: Configuration
    preprocessing: Preprocessing
    ranker: Ranker
    spec: Mapping[str, Any]
    state: Mapping[str, Any] | None = None
    trained: tuple[str, ...] = ()
    """The languages of the texts that the state was learned from."""
    files: NamedFiles = field(default_factory=NamedFiles)
    """What its stages name, as it was when the state was learned; nothing for one that was loaded."""

    def __repr__(self) -> str:
        name = str(self.spec.get("name") or self.configuration.name)
        return f"<Pipeline {name!r}: {' → '.join(stage.kind for stage in self.stages)}>"

    @classmethod
    def load(cls, name: str | Path, *, settings: Sequence[str] = ()) -> Pipeline:
        """A shipped pipeline by name, a spec (.yaml) or a model saved by `kpframe train` (.json).

        `settings` are `path=value` as on the command line. Raises SpecError for a spec that is wrong,
        that describes a whole grid, or whose ranking has learned nothing yet.
        """
        arguments.path("Pipeline.load", "name", name, example="by-length")
        arguments.words("Pipeline.load", "settings", settings, example="ranking.window=3")
        if str(name).endswith(".json"):
            return cls._load_model(name, settings)
        spec = load_spec(name, settings=settings, purpose="extract")
        configuration = _only(spec, str(name))
        if spec.model and configuration.ranking.fits_on():
            model = ModelFile.read(spec.model)
            if model.identity != learned_from(configuration):
                raise SpecError.at(
                    str(name),
                    f"the model {spec.model} was trained with other parameters",
                    f"train it anew: {_training(name, settings)} --out MODEL.json",
                )
            with told_of(spec.model):
                return cls.of(configuration, model.state, spec.resolved, model.languages)
        if configuration.ranking.fits_on():
            raise _unlearned(configuration.ranking, _training(name, settings))
        return cls.of(configuration, None, spec.resolved)

    @classmethod
    def _load_model(cls, path: str | Path, settings: Sequence[str]) -> Pipeline:
        model = ModelFile.read(path)
        with told_of(path):
            tree = model.unpacked()
            positions = Positions(fallback=str(path))
            apply_settings(tree, positions, settings)
            spec = build(tree, positions, purpose="extract")
            configuration = _only(spec, str(path))
            if model.identity != learned_from(configuration):
                raise SpecError.at(
                    str(path), "these settings change what was learned", "train a model with them instead"
                )
            return cls.of(configuration, model.state, spec.resolved, model.languages)

    @classmethod
    def of(
        cls,
        configuration: Configuration,
        state: Mapping[str, Any] | None,
        spec: Mapping[str, Any],
        trained: tuple[str, ...] = (DEFAULT,),
    ) -> Pipeline:
        """A pipeline from a checked configuration and the state that its ranking has learned.

        `trained` are the languages of the texts that the state was learned from.
        """
        ranking = configuration.ranking
        if ranking.fits_on() and state is None:
            # Its name says nothing of where it is: a spec of one's own is trained by its path.
            raise _unlearned(ranking, "kpframe train SPEC")
        preprocessing = Preprocessing.of(configuration.preprocessing, configuration.required())
        ranker = ranking if state is None else ranking.restore(state)
        return cls(configuration, preprocessing, ranker, spec, state, () if state is None else trained)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that are used, in their order."""
        chosen = self.configuration
        made = (*self.preprocessing.cleaners, *self.preprocessing.annotators)
        return (*made, chosen.selection, chosen.ranking, *chosen.postprocessing)

    def extract(self, text: str, *, language: str = AUTO, top: int | None = None) -> Extraction:
        """The keyphrases of a text, best first; at most `top` of them.

        `language` is a code or an English name (`de`, `de-DE`, `German`); `auto` guesses it from the text,
        and takes a text that does not show it for English: the result's `language` says what was taken.
        Raises ArgumentError (a TypeError) for anything but str, and KpframeError where the text cannot be
        processed.
        """
        arguments.whole("extract", "top", top, optional=True)
        (document,) = self._settled([Document("text", text, language_code(language))], Languages())
        place = f"a text in {document.language!r}"
        if problems := language_problems(self.preprocessing.annotators, [document.language], place):
            raise ResourceError(problems)
        ((cleaned, annotated),) = self.preprocessing.annotate([document])
        found = self._walked(cleaned, annotated).value.public(top)
        return Extraction("text", cleaned.given, found, language=cleaned.language)

    def keyphrases(self, document: Document, annotations: Annotations) -> Keyphrases:
        """Select, rank and post-process: the chain after preprocessing."""
        remedy = "give a Document and its Annotations, as preprocessing makes them"
        arguments.instance("keyphrases", "document", document, Document, "a Document", remedy)
        arguments.instance("keyphrases", "annotations", annotations, Annotations, "Annotations", remedy)
        return self._walked(spoken(document), Outcome(annotations)).value

    def _walked(
        self, document: Document, annotated: Outcome[Annotations], clock: StageClock | None = None
    ) -> Outcome[Keyphrases]:
        return _walked(document, annotated, self._chain, clock)

    @property
    def _chain(self) -> Tree:
        chosen = self.configuration
        cell = CellPlan(
            chosen.name, self.preprocessing, chosen.selection, chosen.ranking, "", chosen.postprocessing
        )
        return grown([cell], lambda _: self.ranker)[self.preprocessing]

    def extract_many(
        self,
        texts: Iterable[str | Document | None],
        *,
        language: str = AUTO,
        top: int | None = None,
        workers: int = 1,
        languages: Languages | None = None,
        cluster: Any = None,
        pool: Executor | None = None,
    ) -> Iterator[Extraction]:
        """A stream of texts (or documents) in, a stream of results out, in the same order.

        `language` is that of texts, and of documents that do not say theirs (see `extract`); `auto` guesses
        it for each. One that is too short or too mixed to tell is taken to be in the language of most others
        where `texts` can be gone through twice, as a list can, else in English. `languages` counts what was
        found.

        Memory does not grow with the length of the stream. A missing text (None, NaN) yields an empty
        result, a document that fails an empty one with its `error`. Ids are those of documents, the index
        of a pandas series, or the place from 0; for frames there is `kpframe.extract_frame`.

        `cluster` is the address of a Dask scheduler, `local:N`, or a client, which does the work in place of
        `workers`; `pool` are workers that are there already. Results are the same.
        With more than one worker the calling module must be importable
        (`if __name__ == "__main__":`), as always with spawned processes.
        """
        refuse_no_stream(texts)
        arguments.whole("extract_many", "top", top, optional=True)
        arguments.whole("extract_many", "workers", workers)
        if languages is not None:
            remedy = "leave it out, or give what counts them"
            arguments.instance("extract_many", "languages", languages, Languages, "Languages", remedy)
        code = language_code(language)
        again = None if iter(texts) is texts else partial(documents_of, texts, code, told=False)
        documents = self._settled(documents_of(texts, code), languages or Languages(), again)
        return self._results(documents, top, workforce(workers, cluster, pool))

    def _settled(
        self,
        documents: Iterable[Document],
        languages: Languages,
        again: Callable[[], Iterable[Document]] | None = None,
    ) -> Iterator[Document]:
        """The documents with their languages; what does not follow one is told when it is first met."""

        def most(latin: bool) -> str:
            return most_spoken(again(), latin) if again else DEFAULT

        met = {DEFAULT} if self.trained in ((), (DEFAULT,)) else set()
        for document in settle(documents, languages, most):
            if document.language not in met:
                met.add(document.language)
                self._tell_of(document.language)
            yield document

    def _tell_of(self, language: str) -> None:
        """What does not follow a language; nothing of one whose documents will fail."""
        if language_problems(self.preprocessing.annotators, [language], ""):
            return
        for line in language_notices(self.configuration.stages, [language], self.trained):
            log.warning("%s", line)

    def _results(
        self, documents: Iterable[Document], top: int | None, workers: AbstractContextManager[Executor]
    ) -> Iterator[Extraction]:
        batches = document_batches(documents)
        shared = replace(self, spec={}, state=None, files=NamedFiles()), top
        watched = current()
        clock = StageClock() if watched is None else watched.clock
        with workers as pool:
            for found in one_by_one(pool, _extract_batch, shared, batches, _died, clock):
                if watched is not None and found.error is not None:
                    watched.failed += 1
                yield found

    @classmethod
    def train(
        cls, spec: Spec | str | Path, documents: Iterable[Document | Skipped], *, settings: Sequence[str] = ()
    ) -> Pipeline:
        """The pipeline of a spec with its ranking trained on all of `documents`.

        The order of the documents does not matter. Raises SpecError if the spec describes a grid or its
        ranking learns nothing, DataError if there are no documents or a file that a stage names has changed
        meanwhile, StageError if nothing can be learned.
        """
        if not isinstance(spec, Spec):
            arguments.path("Pipeline.train", "spec", spec, example="kea")
        arguments.words("Pipeline.train", "settings", settings, example="ranking.window=3")
        documents = given_documents("Pipeline.train", documents)
        loaded = spec if isinstance(spec, Spec) else load_spec(spec, settings=settings, purpose="extract")
        configuration = _only(loaded, loaded.name)
        files = NamedFiles.of(configuration.stages)
        state, languages = learned_state(configuration, documents, files)
        return replace(cls.of(configuration, state, loaded.resolved, languages), files=files)

    def save(self, path: str | Path) -> None:
        """Save a trained pipeline as one JSON file; loading it can run no code.

        The bytes depend only on the spec, the training documents and the version of kpframe. SpecError for a
        name that `load` would not take for a model, DataError for a folder, and where a file that a stage
        names has changed since the pipeline was trained.
        """
        name = str(arguments.path("Pipeline.save", "path", path, example="model.json"))
        if not name.endswith(".json"):
            raise SpecError.at("Pipeline.save", f"{name!r} is no name for a model", "end it with .json")
        if Path(path).is_dir():
            raise DataError.at(name, "is a folder", "name a file, as model.json")
        self.files.steadily(self._model).write(Path(path))

    def _model(self) -> ModelFile:
        identity = learned_from(self.configuration)
        return ModelFile.of(self.configuration, identity, self.spec, self.state or {}, self.trained)


def _training(name: str | Path, settings: Sequence[str]) -> str:
    """The command that trains what was asked for, by the name or path that was given for it."""
    chosen = [part for setting in settings for part in ("--set", setting)]
    return shlex.join(["kpframe", "train", str(name), *chosen])


def _unlearned(ranking: Ranking, training: str) -> KpframeError:
    return SpecError.at(
        f"ranking {ranking.kind}",
        "must learn from documents before it can rank",
        f"run `{training} --out MODEL.json` on texts like yours and use MODEL.json as the pipeline",
    )


def _only(spec: Spec, name: str) -> Configuration:
    if len(spec.configurations) != 1:
        names = ", ".join(configuration.name for configuration in spec.configurations)
        raise SpecError.at(
            name, f"is a grid of {len(spec.configurations)} configurations ({names})", "give a spec with one"
        )
    if spec.configurations[0].predictions is not None:
        raise SpecError.at(name, "has predictions, and nothing that extracts", "name a chain of stages")
    return spec.configurations[0]


@no_garbage_collection()
def _extract_batch(shared: tuple[Pipeline, int | None], batch: list[Document]) -> Timed[Extraction]:
    pipeline, top = shared
    clock = StageClock()
    with clock.during("preprocessing"):
        annotated = pipeline.preprocessing.annotate(batch)
    chain = pipeline._chain
    found = [
        _extraction(document, _walked(document, made, chain, clock), top) for document, made in annotated
    ]
    return Timed(found, clock)


def _walked(
    document: Document, annotated: Outcome[Annotations], chain: Tree, clock: StageClock | None
) -> Outcome[Keyphrases]:
    ((_, trail),) = walk(document, annotated, chain, clock)
    return trail.then("", _last)


def _extraction(document: Document, found: Outcome[Keyphrases], top: int | None) -> Extraction:
    shown = found.then("", lambda keyphrases: keyphrases.public(top))
    error = None if shown.error is None else described(shown.error)
    return Extraction(document.id, document.given, shown.made or (), error, document.language)


def _last(trail: Trail) -> Keyphrases:
    return trail[-1]


def _died(document: Document) -> Extraction:
    return Extraction(document.id, document.text, error=DEATH, language=document.language)
