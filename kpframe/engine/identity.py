"""What results depend on: the one place that makes the key of every annotation, fit, cell and model.

What `environment.json` records is what the keys cover, since `Ingredients` makes both.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kpframe.engine.source_code import ANNOTATING, foreign_code, own_code
from kpframe.engine.spool import Spool
from kpframe.errors import ResourceError
from kpframe.files.resources import manifest, resource_path
from kpframe.files.sealing import digest
from kpframe.language import models
from kpframe.spec import Configuration, Spec
from kpframe.stages import Annotator, Ranking, Selection, Stage
from kpframe.version import __version__

__all__ = [
    "PACKAGES",
    "SHOWN_RESOURCES",
    "Ingredients",
    "annotating_key",
    "cell_key",
    "digest",
    "environment",
    "extraction_key",
    "fit_key",
    "model_identity",
    "package_versions",
]

PACKAGES = (
    "spacy",
    "thinc",
    "numpy",
    "scipy",
    "scikit-learn",
    "skops",
    "networkx",
    "nltk",
    "regex",
    "rapidfuzz",
    "simplemma",
    "torch",
    "transformers",
    "sentence-transformers",
)
"""The libraries that compute. Those that read parameters, write or show (pydantic, pyyaml, pandas, rich)
are not among them: what they read is in the key itself, and what they write is made of finished results."""

SHOWN_RESOURCES = ("corpora/", "presets/", "reference/")
"""Resources that no key needs: texts are covered by the hash of the data, presets by the measures that they
stand for, and reference values only stand beside results."""


@dataclass(frozen=True)
class Ingredients:
    """All that results of `stages` on texts in `languages` come from, but for the texts.

    `code` names the parts of kpframe whose code matters, by default all but what only shows results.
    """

    stages: tuple[Stage, ...]
    languages: tuple[str, ...]
    code: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """The ingredients by their names, as plain JSON values.

        Of Python the minor version counts, which decides what Unicode is; of the platform the system and
        the kind of processor, on which the last digits of numbers depend.
        """
        return {
            "kpframe": __version__,
            "code": own_code(self.code),
            "foreign": _foreign(self.stages),
            "stages": _identities(self.stages, self.languages),
            "python": "{}.{}".format(*sys.version_info[:2]),
            "platform": f"{platform.system()}-{platform.machine()}",
            "packages": package_versions(),
            "language_models": {language: _model(language) for language in self.languages},
            "resources": _resources(),
        }

    def key(self, *besides: Any) -> str:
        """The identifier of the record, with what else the results depend on."""
        return digest([self.record(), *besides])


def environment(spec: Spec, spool: Spool) -> dict[str, Any]:
    """The content of `environment.json`: the ingredients of all cells together, and the data."""
    chains = [stage for configuration in spec.configurations for stage in configuration.stages]
    ingredients = Ingredients((*chains, *_evaluating(spec)), spec.languages)
    return {
        **ingredients.record(),
        "data": {
            "hash": spool.data_hash,
            "documents": len(spool.entries),
            "training": len(spool.part("train")),
            "evaluated": len(spool.part("test")),
            "characters": sum(entry.characters for entry in spool.entries),
            "languages": spool.languages.record(),
            "skipped": [{"place": s.place, "reason": s.reason} for s in spool.skipped],
        },
    }


def cell_key(spec: Spec, configuration: Configuration, used: Sequence[Stage], data_hash: str) -> str:
    """The key of a cell whose preprocessing, reduced to what is needed, is `used`."""
    chain = (*used, *configuration.chain)
    ingredients = Ingredients((*chain, *_evaluating(spec)), spec.languages)
    measured = {
        column: [stage.identity(spec.languages) for stage in (measure.metric, measure.matching)]
        for column, measure in spec.measures.items()
    }
    in_order = [stage.identity(spec.languages) for stage in chain]
    return ingredients.key(data_hash, in_order, list(measured.items()), spec.save)


def extraction_key(stages: Sequence[Stage], *besides: Any) -> str:
    """What keyphrases of any texts depend on, and the files with them: `besides` is how they are written.

    The languages of the texts are not known before, so all models that are installed count.
    """
    ingredients = Ingredients(tuple(stages), tuple(models.MODELS))
    return ingredients.key([stage.identity() for stage in stages], *besides)


def annotating_key(stages: Sequence[Stage], language: str) -> str:
    """What annotations of any text depend on besides the text and the annotators that ran over it."""
    ingredients = Ingredients(tuple(stages), (language,), ANNOTATING)
    return digest({name: found for name, found in ingredients.record().items() if name != "stages"})


def fit_key(ranking: Ranking, selection: Selection, preprocessing: Iterable[Stage]) -> str:
    """What tells the fits of one run apart; they are never read back by another."""
    return digest([ranking.fit_identity(selection), [stage.identity() for stage in preprocessing]])


def model_identity(ranking: Ranking, selection: Selection, tokenizers: Iterable[Annotator]) -> dict[str, Any]:
    """What must be the same where a saved model is used as where it was trained; plain JSON values.

    Versions and code are no part of it: a model outlives them, and what it gives under others is covered
    by the keys of the cells that use it.
    """
    identity = {
        "fit": ranking.fit_identity(selection),
        "tokens": [tokenizer.to_spec() for tokenizer in tokenizers],
    }
    plain: dict[str, Any] = json.loads(json.dumps(identity))
    return plain


@cache
def package_versions(packages: tuple[str, ...] = PACKAGES) -> Mapping[str, str | None]:
    """The installed version of each library that computes, None where it is missing."""
    versions: dict[str, str | None] = {}
    for package in packages:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    return versions


def _resources() -> dict[str, str]:
    """The checksums of the shipped resources that results may depend on, which must be those of the files.

    Raises ResourceError for a file that the manifest does not know as it is: a key must not say of a resource
    what is not so, and a run must not fail document by document.
    """
    listed = sorted(manifest().items())
    counting = {name: entry["sha256"] for name, entry in listed if not name.startswith(SHOWN_RESOURCES)}
    for name in counting:
        resource_path(name)
    return counting


def _model(language: str) -> str:
    try:
        return models.identity(language)
    except ResourceError:
        return "not installed"


def _evaluating(spec: Spec) -> Iterator[Stage]:
    for measure in spec.measures.values():
        yield measure.metric
        yield measure.matching


def _identities(stages: Iterable[Stage], languages: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """By folder, each distinct identity once, in the order of first use."""
    found: dict[str, list[dict[str, Any]]] = {}
    for stage in dict.fromkeys(stages):
        found.setdefault(stage.folder, []).append(stage.identity(languages))
    return found


def _foreign(stages: Iterable[Stage]) -> dict[str, Any]:
    """The code of the stages from elsewhere, those that are parts of others too."""
    found: dict[str, Any] = {}
    for stage in stages:
        code = foreign_code(type(stage))
        if code is not None:
            found[f"{stage.folder}/{stage.kind}"] = {
                "code": code.checksum,
                "files": list(code.files),
                "packages": code.packages,
            }
        found.update(_foreign(value for _, value in stage if isinstance(value, Stage)))
    return dict(sorted(found.items()))
