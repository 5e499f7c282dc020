"""What the ranking of a single pipeline learns from documents."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kpframe.engine.annotating import Preprocessing
from kpframe.engine.batches import document_batches
from kpframe.engine.fitting import Fit
from kpframe.engine.learning import observations, state_text
from kpframe.engine.named_files import NamedFiles
from kpframe.engine.outcome import described
from kpframe.engine.settling import Languages, most_spoken, settle
from kpframe.errors import DataError, SpecError
from kpframe.model import Document, Skipped
from kpframe.model.natural_order import natural_key
from kpframe.spec import Configuration

__all__ = ["learned_state"]

log = logging.getLogger("kpframe")


def learned_state(
    configuration: Configuration, documents: Iterable[Document | Skipped], files: NamedFiles
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """What the ranking of a configuration learns from all documents, and their languages.

    The order of the documents does not matter. SpecError for a ranking that learns nothing, DataError where
    there are no documents, StageError where nothing can be learned. FilesChanged if `files`, which the stages
    name, are not what they were.
    """
    preprocessing = Preprocessing.of(configuration.preprocessing, configuration.required())
    fit = Fit.of(configuration, preprocessing)
    if fit is None:
        raise SpecError.at(
            f"ranking {configuration.ranking.kind}",
            "has nothing to learn",
            "use the spec itself as the pipeline",
        )
    ordered = sorted((d for d in documents if isinstance(d, Document)), key=_in_order)
    if not ordered:
        raise DataError.at("training documents", "there are none", "check the reader and the split")
    languages = Languages()
    settled = list(settle(ordered, languages, lambda latin: most_spoken(ordered, latin)))
    state = json.loads(files.steadily(lambda: state_text(fit, _observations(fit, settled))))
    return state, tuple(sorted(languages.codes))


def _observations(fit: Fit, documents: Sequence[Document]) -> Iterator[Any]:
    for batch in document_batches(documents):
        for document, made in fit.preprocessing.annotate(batch):
            for _, outcome in observations([fit], document, made):
                if outcome.error is None:
                    yield outcome.made
                else:
                    error = described(outcome.error)
                    log.warning("not used for training: document %r: %s", document.id, error)


def _in_order(document: Document) -> Any:
    return natural_key(document.id)
