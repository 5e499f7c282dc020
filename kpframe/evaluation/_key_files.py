"""Keyphrases in .key files, one for each document, as corpora have them: beside their texts, or alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kpframe.errors import DataError
from kpframe.files.archives import is_container, open_container
from kpframe.files.decoding import decode
from kpframe.files.keyed_texts import pair, phrases_of_keys, stem
from kpframe.files.layout import holds_text
from kpframe.model import AUTO, Document, Skipped
from kpframe.stages import Reader
from kpframe.stages.registry import lookup

__all__ = ["has_keys", "key_rows", "refuse_lone"]

_ENDING = ".key"


def has_keys(path: Path) -> bool:
    """Whether it is a folder, zip or tar with .key files, and none of UIMA's."""
    if not is_container(str(path)):
        return False
    with open_container(str(path)) as root:
        return bool(root.with_suffix(_ENDING)) and not root.with_suffix(".xmi")


def refuse_lone(path: Path) -> None:
    """DataError for a .key file by itself, which does not say whose it is, and for other archives."""
    if path.suffix.lower() == _ENDING and path.is_file():
        remedy = "give the folder of the .key files: the id is the name of the file"
        raise DataError.at(str(path), "has the keyphrases of one document, and no id", remedy)
    if is_container(str(path)):
        remedy = "give a file, or a folder or archive with a .key file for each document"
        raise DataError.at(str(path), "is an archive without .key files", remedy)


def key_rows(path: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Place, id and row of each document, in natural order; with its text where the texts are there.

    They are read as the reader `text_and_keys` does; what it would skip is a DataError here.
    """
    with open_container(str(path)) as root:
        keys = root.with_suffix(_ENDING)
        if not {pair(text) for text in root.members if holds_text(text)} & set(map(pair, keys)):
            for key in keys:
                phrases = phrases_of_keys(decode(root.read(key), "utf-8", key.place))
                yield key.place, stem(key), {"id": stem(key), "phrases": phrases}
            return
    reader = lookup("documents", "text_and_keys").model_validate({"path": str(path)})
    assert isinstance(reader, Reader)
    for item in reader.read():
        if isinstance(item, Skipped):
            raise DataError.at(item.place, item.reason, "add what is lacking, or take it out of the folder")
        yield str(path), item.id, _row(item)


def _row(document: Document) -> dict[str, Any]:
    phrases = [gold.variants[0] for gold in document.gold]
    row: dict[str, Any] = {"id": document.id, "text": document.text, "phrases": phrases}
    return row if document.language == AUTO else {**row, "language": document.language}
