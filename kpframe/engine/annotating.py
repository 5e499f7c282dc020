"""Preprocessing as a whole: cleaners, then annotators, those of one engine in one pass."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kpframe.engine.cache import AnnotationCache, Maker, dump_annotations
from kpframe.engine.identity import annotating_key, digest
from kpframe.engine.outcome import Outcome
from kpframe.engine.settling import Languages, settle
from kpframe.files.changes import PathState, noted_files, path_state
from kpframe.language.codes import DEFAULT
from kpframe.model import Annotations, Document, Traced
from kpframe.stages import Annotator, Cleaner, Stage

__all__ = ["Annotated", "Preprocessing", "forget_keys"]

Annotated = tuple[Document, Outcome[Annotations]]
"""A cleaned document with its annotations, or with why it has none."""

_STAGE = "preprocessing"


@dataclass(frozen=True)
class Preprocessing:
    """The cleaners and annotators of a configuration, reduced to what somebody needs."""

    cleaners: tuple[Cleaner, ...]
    annotators: tuple[Annotator, ...]

    @classmethod
    def of(cls, stages: Iterable[Stage], needed: frozenset[str]) -> Preprocessing:
        """The stages that make the layers in `needed`, and those that these need themselves."""
        cleaners = tuple(stage for stage in stages if isinstance(stage, Cleaner))
        kept: list[Annotator] = []
        wanted = set(needed) | {"tokens"}
        for annotator in reversed([stage for stage in stages if isinstance(stage, Annotator)]):
            if annotator.provides() & wanted:
                kept.append(annotator)
                wanted |= annotator.requires()
        return cls(cleaners, tuple(reversed(kept)))

    def clean(self, document: Document) -> Document:
        """The document with its text cleaned; `metadata["cleaned"]` says by what."""
        given = document.annotations is not None
        cleaners = [cleaner for cleaner in self.cleaners if cleaner.cleans(has_tokens=given)]
        if not cleaners:
            return document
        made = document.origin or Traced.of(document.text)
        for cleaner in cleaners:
            made = cleaner.edit(made)
        if made.text == document.text:
            return document
        metadata = {**document.metadata, "cleaned": [cleaner.kind for cleaner in cleaners]}
        title = metadata.pop("title_length", None)
        if title is not None and made.given is not None:
            metadata["title_length"] = made.place_of(title)
        return replace(document, text=made.text, metadata=metadata, annotations=None, origin=made)

    def annotate(
        self, documents: Sequence[Document], cache: AnnotationCache | None = None
    ) -> list[Annotated]:
        """Clean and annotate documents, taking from the cache what it has.

        A document whose language nobody has settled is in the one that its text shows, else in English.
        """
        if not self.annotators:
            cache = None  # there is nothing to keep
        documents = list(settle(documents, Languages(), lambda _: DEFAULT))
        cleaned = [Outcome.attempt(_STAGE, self.clean, document) for document in documents]
        texts = [d if c.made is None else c.made for d, c in zip(documents, cleaned, strict=True)]
        results: list[Outcome[Annotations] | None] = [
            Outcome(None, one.error, one.stage) if one.failed else None for one in cleaned
        ]
        keys = [""] * len(texts)
        before = () if cache is None else self._files()
        for i, document in enumerate(texts):
            if cache is not None and results[i] is None:
                keys[i] = self._key(document, before)
                found = cache.load(keys[i], document.text, self._makers(document, before))
                results[i] = None if found is None else Outcome(found)
        missing = [i for i, found in enumerate(results) if found is None]
        made_now = self._run([texts[i] for i in missing])
        # If a file of an annotator was written meanwhile, nobody knows of which content these were made.
        kept = cache if cache is not None and missing and self._files() == before else None
        for i, made in zip(missing, made_now, strict=True):
            results[i] = made
            if kept is not None and made.made is not None:
                kept.save(keys[i], made.made, self._makers(texts[i], before))
        return [(document, made) for document, made in zip(texts, results, strict=True) if made is not None]

    def _files(self) -> tuple[PathState, ...]:
        """How the files are that cleaners and annotators name."""
        return tuple(map(path_state, _files_of(self)))

    def _key(self, document: Document, files: tuple[PathState, ...]) -> str:
        given = document.annotations
        layers = "" if given is None else hashlib.sha256(dump_annotations(given)).hexdigest()
        text = hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
        return digest([text, layers, _key_of_language(self, document.language, files)])

    def _makers(self, document: Document, files: tuple[PathState, ...]) -> tuple[Maker, ...]:
        """The annotators as the cache knows them; where a corpus brings layers, none stands alone."""
        makers = _makers_of_language(self, document.language, files)
        if document.annotations is None:
            return makers
        return tuple(replace(maker, alone=False) for maker in makers)

    def _run(self, documents: Sequence[Document]) -> list[Outcome[Annotations]]:
        results = [Outcome(Annotations.empty(""))] * len(documents)
        by_language: dict[str, list[int]] = {}
        for i, document in enumerate(documents):
            by_language.setdefault(document.language, []).append(i)
        for language, indexes in by_language.items():
            made = self._run_language(language, [documents[i] for i in indexes])
            for i, result in zip(indexes, made, strict=True):
                results[i] = result
        return results

    def _run_language(self, language: str, documents: Sequence[Document]) -> list[Outcome[Annotations]]:
        results: list[Outcome[Annotations]] = [Outcome(document.annotations) for document in documents]
        for group in self._groups(language):
            alive = [i for i, made in enumerate(results) if not made.failed]
            inputs = [results[i].made for i in alive]
            for i, made in zip(alive, _passed(group, [documents[i] for i in alive], inputs), strict=True):
                results[i] = made
        return [made if made.failed or made.made is not None else _nothing() for made in results]

    def _groups(self, language: str) -> list[list[Annotator]]:
        """Annotators in the order of running; those of one engine together where they can be."""
        pending = list(self.annotators)
        groups: list[list[Annotator]] = []
        while pending:
            engine = pending[0].engine(language)
            made = {layer for group in groups for annotator in group for layer in annotator.provides()}
            group = [pending[0]]
            for annotator in pending[1:]:
                here = made.union(*(a.provides() for a in group))
                if engine and annotator.engine(language) == engine and annotator.requires() <= here:
                    group.append(annotator)
            pending = [annotator for annotator in pending if annotator not in group]
            groups.append(group)
        return groups


def _passed(
    group: Sequence[Annotator], documents: Sequence[Document], given: Sequence[Annotations | None]
) -> list[Outcome[Annotations]]:
    """One pass over documents; if it fails as a whole, each goes alone, so that batches do not matter."""
    try:
        passed = type(group[0]).run(group, documents, given)
        return [_outcome(made) for made, _ in zip(passed, documents, strict=True)]
    except Exception as error:
        if len(documents) == 1:
            return [Outcome(None, error, _STAGE)]
        pairs = zip(documents, given, strict=True)
        return [made for document, had in pairs for made in _passed(group, [document], [had])]


def _outcome(made: Annotations | Exception) -> Outcome[Annotations]:
    """What a pass yields for one document: annotators hand errors on as values, to go on with the next."""
    return Outcome(None, made, _STAGE) if isinstance(made, Exception) else Outcome(made)


def _nothing() -> Outcome[Annotations]:
    return Outcome(Annotations.empty(""))


@lru_cache(maxsize=256)
def _files_of(preprocessing: Preprocessing) -> tuple[str, ...]:
    """The files on which keys of annotations depend; which they are the parameters say."""
    with noted_files() as states:
        for stage in (*preprocessing.cleaners, *preprocessing.annotators):
            stage.identity()
    return tuple(states)


@lru_cache(maxsize=256)
def _key_of_language(preprocessing: Preprocessing, language: str, _: tuple[PathState, ...]) -> str:
    cleaning = [cleaner.identity([language]) for cleaner in preprocessing.cleaners]
    return digest([cleaning, annotating_key(preprocessing.cleaners, language)])


@lru_cache(maxsize=256)
def _makers_of_language(
    preprocessing: Preprocessing, language: str, _: tuple[PathState, ...]
) -> tuple[Maker, ...]:
    """Each annotator with its identity, and the code of one from elsewhere."""
    return tuple(
        Maker(
            digest([annotator.identity([language]), annotating_key([annotator], language)]),
            tuple(sorted(annotator.provides())),
            annotator.stands_alone(),
        )
        for annotator in preprocessing.annotators
    )


def forget_keys() -> None:
    """Make keys of annotations anew: code and files of annotators may be others since the last run."""
    _key_of_language.cache_clear()
    _makers_of_language.cache_clear()
