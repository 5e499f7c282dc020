"""Predictions and gold in UIMA's files: an .xmi file, or a folder with .xmi and .json files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kpframe.errors import DataError, suggestion
from kpframe.model import Keyphrase
from kpframe.model.natural_order import natural_key

__all__ = ["cas_rows", "is_cas"]

_SUFFIXES = (".xmi", ".json")


def is_cas(path: Path) -> bool:
    """Whether a path is for `cas_rows`: an .xmi file or any folder."""
    return path.is_dir() or path.suffix == ".xmi"


def cas_rows(path: Path, system: str | None) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Place, id and row of each document, in natural order of the files' names.

    Predictions are the keyphrases of the one system of a file, or of the `system` that is named; those that
    other programs mark (DKPro's Keyphrase) are of one system, best score first. Raises DataError for a file
    that is no CAS, has several systems of which none is named, or lacks the one that is, and for a folder
    without such files.
    """
    from kpframe.files.uima import read_cas

    seen: dict[str, Path] = {}
    for file in _files(path) if path.is_dir() else [path]:
        content = read_cas(file)
        document = content.document
        first = seen.setdefault(document.id, file)
        if first is not file:
            raise DataError.at(str(file), f"id {document.id!r} comes twice", f"see {first.name}")
        row: dict[str, Any] = {"id": document.id, "text": document.text, "language": document.language}
        row["predicted"] = [one.to_json() for one in _of_system(str(file), content.keyphrases, system)]
        if document.gold or content.own:
            row["gold"] = [list(gold.variants) for gold in document.gold]
        yield str(file), document.id, row


def _files(folder: Path) -> list[Path]:
    found = [one for one in folder.iterdir() if one.suffix in _SUFFIXES and one.is_file()]
    if not found:
        inside = sorted(one.name for one in folder.iterdir() if one.is_dir())
        remedy = (
            f"give one of its folders: {', '.join(inside)}" if inside else "give a folder with such files"
        )
        raise DataError.at(str(folder), "holds no .xmi, .json or .key file", remedy)
    return sorted(found, key=lambda one: natural_key(one.name))


def _of_system(
    place: str, systems: Mapping[str, Sequence[Keyphrase]], wanted: str | None
) -> Sequence[Keyphrase]:
    if wanted is not None:
        if wanted not in systems:
            raise DataError.at(place, f"has no system {wanted!r}", suggestion(wanted, systems))
        return systems[wanted]
    if len(systems) > 1:
        problem = f"has keyphrases of {len(systems)} systems: {', '.join(systems)}"
        raise DataError.at(place, problem, "name one by `under`")
    return next(iter(systems.values()), ())
