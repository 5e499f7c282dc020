"""`kpframe doctor`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from kpframe.commands import _arguments
from kpframe.errors import KpframeError
from kpframe.version import __version__

__all__ = ["HELP", "Options", "arguments", "execute"]

HELP = "say what is installed and found, and how to get the rest"

_PACKAGES = ("spacy", "numpy", "scipy", "scikit-learn", "networkx", "nltk", "pydantic", "pyyaml")
"""What every installation needs."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said to the command."""
    _arguments.data(parser)


@dataclass(frozen=True)
class Options:
    """What was said to the command."""

    data: str | None = None


def execute(options: Options) -> int:
    """Say what is installed and found, and which command brings the rest."""
    import platform

    from kpframe.analysis.catalogue import known_corpora
    from kpframe.engine.cache import cache_folder
    from kpframe.engine.forgetting import cache_use
    from kpframe.engine.identity import package_versions
    from kpframe.files.resources import manifest, shipped_specs
    from kpframe.language.models import MODELS, install_command

    print(f"kpframe {__version__}, Python {platform.python_version()}")
    for package, version in package_versions(_PACKAGES).items():
        print(f"  {package:<14} {version or f'missing: pip install {package}'}")
    print("language models")
    missing = [language for language in MODELS if not _model(language)]
    for language in [language for language in MODELS if language not in missing]:
        print(f"  {language}  {_model(language)}")
    if missing:
        print(f"  not installed: {', '.join(missing)}; for example: {install_command(missing[0])}")
    broken = [problem for name in manifest() for problem in _broken(name)]
    print(f"resources: {len(manifest())}, " + ("all whole" if not broken else "; ".join(broken)))
    print(f"shipped specs: {', '.join(shipped_specs())}")
    print("corpora")
    for corpus in known_corpora(options.data):
        print(f"  {corpus.name:<12} {'found' if corpus.reader else 'not found: ' + corpus.missing}")
    if any(corpus.reader is None for corpus in known_corpora(options.data)):
        print("  give the folder that holds them: --data DIR, or export KPFRAME_DATA=DIR")
    used = cache_use(cache_folder())
    size = f"{used.files:,} entries, {used.size / 1e6:,.1f} MB; safe to delete"
    print(f"annotation cache: {cache_folder()} ({size})")
    return 1 if broken else 0


def _model(language: str) -> str:
    from kpframe.language.models import fingerprint

    try:
        return fingerprint(language)
    except KpframeError:
        return ""


def _broken(name: str) -> list[str]:
    from kpframe.files.resources import resource_path

    try:
        resource_path(name)
    except KpframeError as error:
        return [str(error)]
    return []
