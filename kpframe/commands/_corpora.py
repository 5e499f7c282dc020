"""Which corpora are meant by names, specs and paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kpframe.commands._inputs import files_reader, is_source
from kpframe.errors import DataError, KpframeError, suggestion

if TYPE_CHECKING:
    from kpframe.analysis.catalogue import KnownCorpus

__all__ = ["chosen_corpora"]


def chosen_corpora(names: Sequence[str], settings: Sequence[str], data: str | None) -> list[KnownCorpus]:
    """The corpora that were named, by name, by a spec or by files with texts; for none all that are found.

    Raises DataError for a name of none, SpecError for a spec that is wrong.
    """
    from kpframe.analysis.catalogue import known_corpora

    known = {corpus.name: corpus for corpus in known_corpora(data)}
    if not names:
        return [corpus for corpus in known.values() if corpus.reader]
    return [
        known[name]
        if name in known
        else _of_files(name)
        if is_source(name)
        else _of_spec(name, settings, data, known)
        for name in names
    ]


def _of_files(path: str) -> KnownCorpus:
    from kpframe.analysis.catalogue import KnownCorpus
    from kpframe.commands._look import look_at

    if path == "-":
        return KnownCorpus("stdin", "standard input", "", files_reader([path], path), "")
    found = look_at([path], "auto")
    return KnownCorpus(path, found.layout.found, "", found.reader(), "")


def _of_spec(
    name: str, settings: Sequence[str], data: str | None, known: dict[str, KnownCorpus]
) -> KnownCorpus:
    from kpframe.analysis.catalogue import KnownCorpus
    from kpframe.spec import load_spec

    try:
        spec = load_spec(name, settings=settings, data=data, purpose="check")
    except KpframeError as error:
        if all(problem.place == f"spec {name!r}" for problem in error.problems):
            remedy = suggestion(name, known, listed=[f"{', '.join(known)}; or give a spec"])
            raise DataError.at(f"corpus {name!r}", "is not known", remedy) from None
        raise
    return KnownCorpus(spec.name, spec.description, "", spec.reader, "" if spec.reader else "no documents")
