"""Small corpora for the tests of readers, and how to read them."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from kpframe.model import Document, Skipped
from kpframe.stages import Reader

_ROOT = Path(__file__).resolve().parents[2]
CORPORA = (_ROOT / os.environ.get("KPFRAME_DATA", "../shared/datasets")).resolve()

needs_corpora = pytest.mark.skipif(
    not CORPORA.is_dir(), reason=f"the corpora are not in {CORPORA}; set KPFRAME_DATA"
)


def parted(reader: Reader) -> tuple[list[Document], list[Skipped]]:
    """What a reader yields: documents, and what it left out."""
    documents, skipped = [], []
    for entry in reader.read():
        (documents if isinstance(entry, Document) else skipped).append(entry)
    return documents, skipped  # type: ignore[return-value]


def phrases(document: Document) -> list[str]:
    """The preferred forms of the gold keyphrases."""
    return [gold.text for gold in document.gold]


def folder_with(path: Path, files: Mapping[str, bytes | str]) -> str:
    """A folder with the given files."""
    for name, content in files.items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def zipped(files: Mapping[str, bytes | str] | Iterable[tuple[str, bytes | str]]) -> bytes:
    """A zip with the given files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items() if isinstance(files, Mapping) else files:
            archive.writestr(name, content)
    return made.getvalue()


def tarred(files: Mapping[str, bytes | str], mode: str = "w:gz") -> bytes:
    """A tar with the given files."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return made.getvalue()


def written(path: Path, content: bytes | str) -> str:
    """The path, as a string, of a file with this content."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)
